"""The repair of a degrading change is accepted: what is rejected one way passes the other."""

from __future__ import annotations

import pytest

from benchmarks.real_changes import judge_row, read_rows, rejected_repairs, repair_of
from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge
from tests.anchoring.test_conditions import LOST, path_of
from tests.anchoring.test_degrading import DEGRADING
from tests.anchoring.test_real_changes import CASES

SETS = ("degrade-dev.jsonl.gz", "degrade-dev2.jsonl.gz")
MOST_UNREAD = 0.02
"""Share of repairs that a new rule may reject before they are read and either passed or given a reason."""


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST)
def test_the_repair_of_a_lost_refusal_passes(before: str, after: str) -> None:
    assert judge(after, before, path_of(before)).status is LayerStatus.PASS


NOT_RANKED = {"another permission is asked": "nothing says which of two permissions is the stronger"}


@pytest.mark.parametrize("name", [name for name in DEGRADING if name not in NOT_RANKED])
def test_the_repair_of_a_degrading_change_passes(name: str) -> None:
    before, after, _ = DEGRADING[name]
    assert judge(after, before).status is LayerStatus.PASS


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are third-party code and no part of this repository")
def test_the_repairs_of_real_changes_pass() -> None:
    rows = [
        row for row in read_rows([CASES / name for name in SETS]) if row["unit"] == "file" and row["py3"] is not False
    ]
    found = [judge_row(repair_of(row)) for row in rows]
    unread = [item["id"] for item in rejected_repairs(found) if item["why"] == "not read"]
    assert len(unread) <= MOST_UNREAD * len(rows), unread
