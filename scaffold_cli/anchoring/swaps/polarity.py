"""On which answer a place inside a condition leads to a refusal."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import conditions
from scaffold_cli.syntax.outline import Expr, ExprKind


def leaves(item: Mined) -> Iterator[tuple[Expr, bool]]:
    """The single tests of every refusing condition of a unit, with the answer on which they refuse.

    Answers of functions count as conditions that refuse by being false.
    """
    for test, refuses in conditions(item):
        yield from _leaves(test, refuses)


def _leaves(test: Expr, refuses: bool) -> Iterator[tuple[Expr, bool]]:
    if test.kind is ExprKind.NOT:
        yield from _leaves(test.parts[0], not refuses)
    elif test.kind in (ExprKind.AND, ExprKind.OR):
        for part in test.parts:
            yield from _leaves(part, refuses)
    else:
        yield test, refuses


def refuses_on(node: Expr, item: Mined) -> bool | None:
    """The answer of the single test around `node` (the same object) that refuses; None outside of conditions."""
    for test, refuses in leaves(item):
        if any(inner is node for inner in test.walk()):
            return refuses
    return None
