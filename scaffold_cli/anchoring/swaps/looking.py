"""What several swap rules ask of a unit: every value of a name, what a condition lets through, what a number is."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, reduce

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.implication import number as numeral
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

PLAIN = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})
LITERALS = frozenset({ExprKind.STRING, ExprKind.NUMBER, ExprKind.CONSTANT})
_BINARY: Mapping[str, Callable[[float, float], float]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_KEPT = 8
"""Units whose expressions are kept: all rules ask for those of one pair in turn."""
_DEEP = 8
"""How many nodes deep a number is worked out."""

Assigned = Mapping[str, tuple[Expr, ...]]


@lru_cache(maxsize=_KEPT)
def nodes(item: Mined) -> tuple[tuple[Stmt, Expr], ...]:
    """Every expression of a unit with its statement, in source order."""
    return tuple(
        [
            (statement, node)
            for statement in item.reading.statements
            for expression in statement.exprs
            for node in expression.walk()
        ]
    )


@lru_cache(maxsize=_KEPT)
def assigned(item: Mined) -> Assigned:
    """All values each plain name is given in a unit."""
    found: dict[str, list[Expr]] = defaultdict(list)
    for statement in item.reading.statements:
        if statement.kind is StmtKind.ASSIGN and statement.text == "=":
            value, *targets = statement.exprs
            for target in targets:
                for name, given in _bound(target, value):
                    found[name].append(given)
    return {name: tuple(values) for name, values in found.items()}


def _bound(target: Expr, value: Expr) -> Iterator[tuple[str, Expr]]:
    if target.kind is ExprKind.NAME:
        yield target.text, value
    elif target.kind is value.kind is ExprKind.COLLECTION and len(target.parts) == len(value.parts):
        for one, other in zip(target.parts, value.parts, strict=True):
            yield from _bound(one, other)


@lru_cache(maxsize=2 * _KEPT)
def conditions(item: Mined, *, answers: bool = True) -> tuple[tuple[Expr, bool], ...]:
    """Tests of refusing branches with the answer that refuses; `answers` of a function count as tests, too."""
    return tuple(_conditions(item, answers))


def _conditions(item: Mined, answers: bool) -> Iterator[tuple[Expr, bool]]:
    for statement in item.reading.statements:
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                found = refusal_of(branch)
                if found is not None and found.is_refusing:
                    yield test, True
            rest = refusal_of(statement.blocks[-1])
            if rest is not None and rest.is_refusing:
                yield from ((test, False) for test in statement.exprs)
        elif statement.kind is StmtKind.ASSERT or (answers and statement.kind is StmtKind.RETURN and statement.exprs):
            yield statement.exprs[0], False


def number_of(node: Expr, item: Mined, deep: int = _DEEP) -> float | None:
    """The number an expression is, arithmetic worked out and constants of the file followed; None when none."""
    if deep == 0:
        return None
    if node.kind is ExprKind.NUMBER:
        return numeral(node.text)
    if node.kind in PLAIN:
        constant = item.library.constant(node)
        return None if constant is None else number_of(constant, item, deep - 1)
    if node.kind is not ExprKind.BINARY or node.text not in _BINARY:
        return None
    numbers = [known for part in node.parts if (known := number_of(part, item, deep - 1)) is not None]
    return reduce(_BINARY[node.text], numbers) if len(numbers) == len(node.parts) else None
