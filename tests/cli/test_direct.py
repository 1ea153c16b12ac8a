"""Plain words are read without typer, to the same values; everything else is left to it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.cli.commands.check import check
from scaffold_cli.cli.direct import arguments

WORDS = """
    --staged --quiet -q -v --no-color --base --layers --patch --before --after --waive --reason --format --isolation
    --exit-dialect --test-command --output -- - --help -qv --base=HEAD --nothing sast text json JSON overlay
    claude-code a.py src/b HEAD~1
"""


def by_typer(words: list[str]) -> dict[str, Any] | None:
    """What typer hands to `check`; None when it refuses or answers itself."""
    seen: dict[str, Any] = {}

    def record(**values: Any) -> None:
        seen.update(values)

    record.__signature__ = inspect.signature(check, eval_str=True)  # type: ignore[attr-defined]
    record.__annotations__ = inspect.get_annotations(check, eval_str=True)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(record)
    try:
        app(args=words, standalone_mode=False)
    except typer.TyperException:
        return None
    return {name: value or None if isinstance(value, list | tuple) else value for name, value in seen.items()} or None


@given(st.lists(st.sampled_from([*WORDS.split(), "", "a b"]), max_size=7))
def test_words_read_directly_mean_what_typer_says(words: list[str]) -> None:
    found = arguments(check, words)
    if found is not None:
        assert found == by_typer(words)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--staged", "-q"],
        ["--base", "origin/main", "--format", "sarif", "--output", "x.sarif"],
        ["--layers", "sast", "a.py", "b.py"],
        ["--waive", "sast-1", "--waive", "sast-2", "--reason", "why not"],
    ],
)
def test_usual_calls_are_read_directly(words: list[str]) -> None:
    found = arguments(check, words)
    assert found is not None
    assert found == by_typer(words)


@pytest.mark.parametrize(
    "words", ["--help", "--base", "--base=x", "--format yaml", "-- a", "-qv", "--base a --base b", "--base --staged"]
)
def test_other_calls_are_left_to_typer(words: str) -> None:
    assert arguments(check, words.split()) is None
