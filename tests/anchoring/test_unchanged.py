"""Functions that a change does not touch are not compared; what touches them from outside still is."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.operators.operator import Operator
from benchmarks.operators.table import OPERATORS
from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.comparing import Fates, compare_change
from scaffold_cli.anchoring.units import mine_file
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.protection import AnchorFate, Outcome
from tests.operators.real_code import examples, files

GUARDED = """
def read(path):
    if ".." in path:
        raise ValueError(path)
    return open(path)
"""


def compared(before: str, after: str, *, everything: bool = False, path: str = "a.py") -> Fates:
    pair = FileChange(FileVersion(path, before.encode()), FileVersion(path, after.encode()))
    return compare_change(Change.of([pair]), None, None, load(), everything=everything)


def lost(fates: Fates) -> list[AnchorFate]:
    return [fate for fate in fates.fates if fate.outcome is not Outcome.KEPT]


def test_a_function_of_the_same_text_is_left_out() -> None:
    fates = compared(GUARDED + "def other():\n    return 1\n", "import os\n" + GUARDED + "def other():\n    return 2\n")
    assert fates.fates == ()
    assert fates.unchanged == 1


def test_everything_is_told_when_asked_for() -> None:
    fates = compared(GUARDED, "import os\n" + GUARDED, everything=True)
    assert [fate.outcome for fate in fates.fates if fate.anchor.protection.condition == "'..' in path"] == [
        Outcome.KEPT
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("@login_required\ndef f():\n    return 1\n", "\ndef f():\n    return 1\n", id="decorator above"),
        pytest.param(
            "LIMIT = 100\n\ndef f(b):\n    if len(b) > LIMIT:\n        raise ValueError\n    return open(b)\n",
            "LIMIT = 10000\n\ndef f(b):\n    if len(b) > LIMIT:\n        raise ValueError\n    return open(b)\n",
            id="constant it names",
        ),
        pytest.param(
            "def bad(p):\n    return '..' in p or p[0] == '/'\n\n"
            "def f(p):\n    if bad(p):\n        raise ValueError(p)\n    return open(p)\n",
            "def bad(p):\n    return p[0] == '/'\n\n"
            "def f(p):\n    if bad(p):\n        raise ValueError(p)\n    return open(p)\n",
            id="one-line function it asks",
        ),
        pytest.param(
            "def check(p):\n    if '..' in p:\n        raise ValueError(p)\n\n"
            "def f(p):\n    check(p)\n    return open(p)\n",
            "def check(p):\n    pass\n\ndef f(p):\n    check(p)\n    return open(p)\n",
            id="helper it calls",
        ),
    ],
)
def test_what_touches_it_from_outside_is_still_seen(before: str, after: str) -> None:
    assert lost(compared(before, after))
    assert lost(compared(before, after)) == lost(compared(before, after, everything=True))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(OPERATORS), st.sampled_from(OPERATORS), st.integers(0, 2**32))
def test_leaving_out_changes_no_finding(one: Operator, other: Operator, seed: int) -> None:
    random = Random(seed)
    known = [file for file in (*files(), *examples()) if file.language is one.language]
    file = random.choice(known)
    after = one.apply(file.text, random) or file.text
    if other.language is one.language:
        after = other.apply(after, random) or after
    short, whole = (compared(file.text, after, everything=wanted, path=file.path) for wanted in (False, True))
    assert lost(short) == lost(whole)


def test_a_file_is_mined_once_for_each_content() -> None:
    first = mine_file(FileVersion("a.py", GUARDED.encode()), load())
    again = mine_file(FileVersion("a.py", bytes(bytearray(GUARDED.encode()))), load())
    assert first is again
    assert all(one.facts is other.facts for one, other in zip(first, again, strict=True))
