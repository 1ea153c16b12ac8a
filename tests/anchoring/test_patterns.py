"""Patterns compared as languages, and by how long they may take."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.anchoring.values.ambiguity import Growth, growth
from scaffold_cli.anchoring.values.languages import Relation, relation

LEAVES = st.sampled_from(["a", "b", "[ab]", "[^a]", "."])
PATTERNS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{1,2}", "{2}"])).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    ),
    max_leaves=5,
)
TEXTS = tuple("".join(letters) for length in range(5) for letters in product("abc", repeat=length))


def accepted(pattern: str) -> set[str]:
    """The short texts a pattern matches as a whole."""
    return {text for text in TEXTS if re.fullmatch(pattern, text)}


@settings(max_examples=150, deadline=None)
@given(PATTERNS, PATTERNS)
def test_the_relation_holds_for_every_short_text(old: str, new: str) -> None:
    before, after = accepted(old), accepted(new)
    expected = {
        Relation.SAME: before == after,
        Relation.WIDER: before <= after,
        Relation.NARROWER: before >= after,
        Relation.UNKNOWN: True,
    }
    assert expected[relation(old, new)]
    assert relation(old, old) is Relation.SAME


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (r"^[a-z]+\Z", "^[a-z]+$", Relation.WIDER),
        ("^abc$", "abc$", Relation.WIDER),
        ("^abc$", "^abc", Relation.WIDER),
        (r"[\x00-\x1f\x7f]", r"[\r\n]", Relation.NARROWER),
        (r"[a-z\-]{3,80}", "(?:-|[a-z]){3,80}", Relation.SAME),
        ("a(?=b)", "a", Relation.UNKNOWN),
        ("(", "a", Relation.UNKNOWN),
    ],
)
def test_known_pairs(old: str, new: str, expected: Relation) -> None:
    assert relation(old, new) is expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"(?:\w+,)*", Growth.LINEAR),
        (r"(?:\w+,?)*", Growth.EXPONENTIAL),
        ("(x+)+", Growth.EXPONENTIAL),
        ("(a|ab|b)*", Growth.EXPONENTIAL),
        (r"\s*,\s*", Growth.LINEAR),
        (r"\s*,?\s*", Growth.POLYNOMIAL),
        (r'"([^"\\]|\\.)*"', Growth.LINEAR),
        ("a.*b.*c", Growth.POLYNOMIAL),
        ("(", Growth.LINEAR),
        (r"\w*" * 50, Growth.POLYNOMIAL),
    ],
)
def test_growth(pattern: str, expected: Growth) -> None:
    assert growth(pattern) is expected
