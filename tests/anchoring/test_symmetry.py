"""The repair of a degrading change is accepted: what is rejected one way passes the other."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.real_changes import judge_row, read_rows
from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge
from tests.anchoring.test_conditions import LOST, path_of
from tests.anchoring.test_degrading import DEGRADING
from tests.anchoring.test_real_changes import CASES

SETS = ("degrade-dev.jsonl.gz", "degrade-dev2.jsonl.gz")
MOST_UNREAD = 0.02
"""Share of repairs that a new rule may reject before they are read and either passed or given a reason."""
RANK = "another permission or decorator is asked, and no order of them is known"
STRICTER = "a test for dangerous text gave way to a stricter one of another kind"
WEAK = "weak code that tried to protect went with its function or its words"
MORE = "the repair brings other work along"
EXCEPTIONS = {
    "deg-py-pyload-9ce88a8b01": RANK,
    "deg-java-jenkins-0530a6645a": RANK,
    "deg-java-xstream-1fa1241fc2": RANK,
    "deg-py-zope-26fe0868f0": RANK,
    "deg-py-pyload-dde3d60a78": STRICTER,
    "deg-py-pyload-a6e29b3784": STRICTER,
    "deg-java-jenkins-c45e93f2d7": STRICTER,
    "deg-java-jenkins-8ef52891b0": STRICTER,
    "deg-java-tomcat-fb3569fbb9": STRICTER,
    "deg-java-struts-f420f28466": STRICTER,
    "deg-go-gogs-c5da9631dc": STRICTER,
    "deg-py-gunicorn-2073e13dc8": STRICTER,
    "deg-py-ansible-ba87c225cd": STRICTER,
    "deg-java-zeppelin-8e86d6939a": STRICTER,
    "deg-py-zope-f80c22f114": STRICTER,
    "deg-py-keystone-fd02a9c3d0": WEAK,
    "deg-py-authlib-876ae27b79": MORE,
    "deg-java-netty-78639fa5ec": MORE,
    "deg-py-keystone-5bd4c2984d": MORE,
    "deg-py-zope-f62d0c913d": MORE,
}
"""Repairs that are rejected, each with the reason why no rule can tell them from a loss."""


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST)
def test_the_repair_of_a_lost_refusal_passes(before: str, after: str) -> None:
    assert judge(after, before, path_of(before)).status is LayerStatus.PASS


NOT_RANKED = {"another permission is asked": "nothing says which of two permissions is the stronger"}


@pytest.mark.parametrize("name", [name for name in DEGRADING if name not in NOT_RANKED])
def test_the_repair_of_a_degrading_change_passes(name: str) -> None:
    before, after, _ = DEGRADING[name]
    assert judge(after, before).status is LayerStatus.PASS


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    files = [{**item, "before": item["after"], "after": item["before"]} for item in row["files"]]
    return {**row, "files": files}


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are third-party code and no part of this repository")
def test_the_repairs_of_real_changes_pass() -> None:
    rows = [
        row for row in read_rows([CASES / name for name in SETS]) if row["unit"] == "file" and row["py3"] is not False
    ]
    blocked = [row["id"] for row in rows if judge_row(_turned(row))["verdict"] == "reject"]
    unread = [id_ for id_ in blocked if id_ not in EXCEPTIONS]
    assert len(unread) <= MOST_UNREAD * len(rows), unread
