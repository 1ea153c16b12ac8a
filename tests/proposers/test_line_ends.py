"""Each line keeps its own end, whatever a model writes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.proposers.line_ends import with_line_ends_of

LINES = st.lists(
    st.tuples(st.sampled_from(["a", "b = 1", "", "  c", "\rx"]), st.sampled_from(["\n", "\r\n"])), max_size=12
)


@given(LINES, st.sampled_from(["", "tail"]))
def test_a_text_that_is_given_back_unchanged_is_unchanged(lines: list[tuple[str, str]], tail: str) -> None:
    old = "".join(line + end for line, end in lines) + tail
    assert with_line_ends_of(old, old.replace("\r\n", "\n")) == old
    assert with_line_ends_of(old, old) == old


@given(LINES, st.text("ab\n", max_size=20))
def test_nothing_but_line_ends_changes(lines: list[tuple[str, str]], new: str) -> None:
    old = "".join(line + end for line, end in lines)
    assert with_line_ends_of(old, new).replace("\r\n", "\n") == new


@pytest.mark.parametrize(
    ("old", "new", "made"),
    [
        ("a\r\nb\nc\r\n", "a\nB\nc\n", "a\r\nB\nc\r\n"),
        ("a\r\nb\nc\n", "a\nnew\nb\nc\n", "a\r\nnew\r\nb\nc\n"),
        ("a\r\nb\nc\n", "first\na\nb\nc\n", "first\r\na\r\nb\nc\n"),
        ("a\r\nb\r\n", "a\nx\nb\n", "a\r\nx\r\nb\r\n"),
        ("a\nb\n", "a\r\nb\r\n", "a\nb\n"),
        ("a\r\nb\nc\r\n", "a\nb\nc", "a\r\nb\nc"),
    ],
)
def test_a_line_keeps_its_end_and_a_new_one_ends_like_the_line_before(old: str, new: str, made: str) -> None:
    assert with_line_ends_of(old, new) == made
