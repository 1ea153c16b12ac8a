"""Every operator keeps its word on its own example, which is run on both sides."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.operators.examples import example
from benchmarks.operators.operator import Edit, Kind, Language, Operator, parses, write
from benchmarks.operators.table import OPERATORS

PYTHON = [item for item in OPERATORS if item.language is Language.PYTHON]


def label(item: Operator) -> str:
    return f"{item.language.value}-{item.name}"


def outcomes(text: str, calls: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What each call gives, or how it fails; asserts are left out, as an optimised run leaves them out."""
    space: dict[str, object] = {"__name__": "example"}
    exec(compile(text, "example.py", "exec", optimize=1), space)
    found: list[tuple[str, ...]] = []
    for call in calls:
        try:
            found.append(("gives", repr(eval(call, space))))
        except Exception as error:
            found.append(("fails", type(error).__name__, str(error)))
    return found


@pytest.mark.parametrize("item", OPERATORS, ids=label)
def test_rewrites_its_example_as_written_down(item: Operator) -> None:
    shown = example(item)
    results = {item.apply(shown.before, Random(seed)) for seed in range(8)}
    assert shown.after in results
    assert None not in results
    assert all(parses(result, item.language) for result in results if result)


@pytest.mark.parametrize("item", PYTHON, ids=label)
def test_keeps_its_word_when_run(item: Operator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_CHECKS", "")  # one example sets it; put back afterwards
    shown = example(item)
    before, after = outcomes(shown.before, shown.calls), outcomes(shown.after, shown.calls)
    assert before
    if item.kind is Kind.PRESERVING:
        assert before == after
    else:
        assert before != after


@pytest.mark.parametrize("item", OPERATORS, ids=label)
def test_finds_no_place_in_what_does_not_parse(item: Operator) -> None:
    assert item.apply("def (:", Random(0)) is None
    assert item.apply("", Random(0)) is None


def test_the_table_is_as_wide_as_promised() -> None:
    found = Counter((item.language, item.kind) for item in OPERATORS)
    assert found[Language.PYTHON, Kind.PRESERVING] >= 20
    assert found[Language.PYTHON, Kind.DEGRADING] >= 30
    assert found[Language.JAVA, Kind.PRESERVING] >= 10
    assert found[Language.JAVA, Kind.DEGRADING] >= 12
    assert len({(item.language, item.name) for item in OPERATORS}) == len(OPERATORS)
    assert all(item.what.endswith(".") for item in OPERATORS)


@given(st.sampled_from(OPERATORS), st.text(max_size=200))
def test_takes_any_text(item: Operator, text: str) -> None:
    result = item.apply(text, Random(0))
    assert result is None or parses(result, item.language)


@given(st.sampled_from(PYTHON), st.sampled_from(PYTHON), st.integers())
def test_same_seed_same_result(item: Operator, other: Operator, seed: int) -> None:
    text = example(other).before
    assert item.apply(text, Random(seed)) == item.apply(text, Random(seed))


@given(st.text(min_size=3), st.data())
def test_an_edit_leaves_all_else_as_it_was(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    result = write(text, [Edit(start, end, "new")])
    assert result.startswith(text[:start])
    assert result.endswith(text[end:])
    assert len(result) == len(text) - (end - start) + 3


def test_edits_must_not_overlap() -> None:
    with pytest.raises(ValueError, match="overlap"):
        write("abcdef", [Edit(0, 3, ""), Edit(2, 4, "")])
