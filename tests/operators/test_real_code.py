"""Random compositions over real code: what keeps behaviour is accepted, what takes a protection away is rejected."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.operators.operator import Kind, Operator
from benchmarks.operators.table import OPERATORS
from tests.operators.real_code import COMPOSITIONS, allowed, files, gaps, key, tried


@pytest.mark.parametrize("item", OPERATORS, ids=key)
def test_gaps_are_no_wider_than_written_down(item: Operator) -> None:
    wrong = Counter(key(trial.blamed) for trial in tried(item) if not trial.is_right)
    unknown = {name: number for name, number in wrong.items() if name not in gaps()}
    assert not unknown
    if item.kind is Kind.DEGRADING:
        assert wrong[key(item)] <= allowed(item)


def test_gaps_name_operators_and_give_reasons() -> None:
    assert set(gaps()) <= {key(item) for item in OPERATORS}
    assert all(0 < int(gap["wrong"]) <= COMPOSITIONS and str(gap["why"]) for gap in gaps().values())


def test_there_is_enough_real_code() -> None:
    assert sum(file.path.endswith(".py") for file in files()) >= 15
