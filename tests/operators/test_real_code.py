"""Random compositions over real code: what keeps behaviour is accepted, what takes a protection away is rejected."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.operators.__main__ import shared
from benchmarks.operators.corpus import SourceFile, java_files
from benchmarks.operators.judging import judge
from benchmarks.operators.measuring import fits, trials
from benchmarks.operators.operator import Kind, Operator
from benchmarks.operators.table import OPERATORS
from scaffold_cli.model.verdict import LayerStatus
from tests.operators.real_code import COMPOSITIONS, allowed, examples, files, gaps, key, tried


@pytest.mark.parametrize("item", OPERATORS, ids=key)
def test_gaps_are_no_wider_than_written_down(item: Operator) -> None:
    wrong = Counter(key(trial.blamed) for trial in tried(item) if not trial.is_right)
    unknown = {name: number for name, number in wrong.items() if name not in gaps()}
    assert not unknown
    if item.kind is Kind.DEGRADING:
        assert wrong[key(item)] <= allowed(item)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([item for item in OPERATORS if item.kind is Kind.DEGRADING]), st.integers(0, 2**32))
def test_a_degrade_and_its_repair_leave_nothing_lost(item: Operator, seed: int) -> None:
    random = Random(seed)
    file = random.choice([file for file in (*files(), *java_files(), *examples()) if file.language is item.language])
    after = item.apply(file.text, random) or file.text
    assert judge(after, file.text, file.path).status is LayerStatus.PASS
    for text in (file.text, after):
        assert judge(text, text, file.path).violations == ()


@given(st.integers(0, 5000), st.integers(1, 300))
def test_compositions_are_dealt_out_to_the_last(count: int, among: int) -> None:
    shares = shared(count, among)
    assert sum(shares) == count
    assert max(shares) - min(shares) <= 1


def test_an_operator_that_finds_no_place_is_left_out() -> None:
    item = OPERATORS[0]
    bare = SourceFile(f"src/bare{item.language.suffix}", "", item.language)
    assert not fits([bare], item, 1)
    assert list(trials([bare], item, 2, 1)) == []


@pytest.mark.parametrize("test", ["path and not root", "path is None or root is None", "not path"])
def test_a_guard_on_what_was_left_out_is_no_protection(test: str) -> None:
    text = "def go(path, root):\n    if {}:\n        raise ValueError('permission denied')\n    open(path)\n"
    (drop,) = (item for item in OPERATORS if key(item) == "python drop-guard")
    assert drop.apply(text.format(test), Random(0)) is None
    assert drop.apply(text.format(f"{test} or '..' in path"), Random(0)) is not None


def test_gaps_name_operators_and_give_reasons() -> None:
    assert set(gaps()) <= {key(item) for item in OPERATORS}
    assert all(0 < int(gap["wrong"]) <= COMPOSITIONS and str(gap["why"]) for gap in gaps().values())


def test_there_is_enough_real_code() -> None:
    assert sum(file.path.endswith(".py") for file in files()) >= 15
