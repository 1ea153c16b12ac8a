"""Functions that leave in hundreds of places: each guard stays small, and each loss is seen."""

from __future__ import annotations

from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.units import mine_outline
from scaffold_cli.syntax.python import lower
from tests.anchoring.judged import assert_accepted, assert_rejected

LEAVING = "".join(f"    if kind == {number}: return {number}\n" for number in range(300))
GUARD = "    if '..' in path: raise ValueError(path)\n"
FUNCTION = "def read(kind, path):\n{}    return open(path)\n"


def test_a_guard_holds_no_more_of_the_tests_above_it_than_help_to_tell_it() -> None:
    facts = [
        fact for unit in mine_outline(lower("a.py", FUNCTION.format(LEAVING).encode()), load()) for fact in unit.facts
    ]
    assert len(facts) == 300
    assert sum(len(case) for fact in facts for case in fact.covers) < 300 * 110


def test_a_guard_behind_hundreds_of_exits_is_missed_and_may_move_among_them() -> None:
    guarded = FUNCTION.format(LEAVING + GUARD)
    assert_rejected(guarded, FUNCTION.format(LEAVING))
    assert_accepted(guarded, FUNCTION.format(GUARD + LEAVING))
