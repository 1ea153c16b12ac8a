"""Ways past a guard that is still there: it no longer comes before what it protected, or a new branch leaves first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.views import called_names, names_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_REFUSING = frozenset({"raise", "abort"})
_LOOKS_UP = WordPatterns(
    (word, "looks up")
    for word in (
        "^get", "^find", "^lookup", "^select", "^exists", "^count", "^first", "^fetch one", "^fetchone", "^fetchall",
        "^fetchmany", "^fetch all", "^scalar*", "^is", "^has",
    )
)  # fmt: skip
"""Functions that only look something up: what they answer goes nowhere if the guard behind them refuses."""


def passes_by(fact: Fact, counterpart: Fact, before: Mined, after: Mined) -> bool:
    """True when what `fact` dominated before can be reached without `counterpart` now."""
    return _passes(fact, _Now(counterpart.line, counterpart.protects), before, after)


def passes_by_helper(fact: Fact, helper: str, before: Mined, after: Mined) -> bool:
    """The same for a guard that moved into a function: it stands where that is called first."""
    statements = list(walk(after.unit.block))
    place = next((place for place, item in enumerate(statements) if helper in _called_in(item)), None)
    if place is None:
        return False
    behind = frozenset().union(*map(_called_in, statements[place + 1 :]))
    return _passes(fact, _Now(statements[place].line, behind), before, after)


def _called_in(statement: Stmt) -> frozenset[str]:
    return frozenset(name for value in statement.exprs for name in called_names(value))


@dataclass(frozen=True, slots=True)
class _Now:
    """Where a guard stands now, and what is called behind it."""

    line: int
    protects: frozenset[str]


def _passes(fact: Fact, now: _Now, before: Mined, after: Mined) -> bool:
    if fact.name not in _REFUSING or before.unit.source == after.unit.source:
        return False
    return _comes_too_late(fact, now, before, after) or _has_new_way(fact, now, before, after)


def _comes_too_late(fact: Fact, counterpart: _Now, before: Mined, after: Mined) -> bool:
    """Nothing called once, behind it, is behind it any more, though it is still called in the same function."""
    still_called = {
        name
        for name in fact.protects - _raised(after)
        if before.calls[name] == 1 == after.calls[name] and (_LOOKS_UP.find(name) is None or name == fact.subject)
    }
    if not still_called or counterpart.protects & still_called or still_called & _asked_at(counterpart.line, after):
        return False
    return not any(other.shape == fact.shape and other.protects & still_called for other in after.facts)


def _asked_at(line: int, item: Mined) -> set[str]:
    """What the tests of the statement at a line call: part of the guard, not what it stands before."""
    tests = (test for statement in item.reading.statements if statement.line == line for test in statement.exprs)
    return {name for test in tests for name in called_names(test)}


@lru_cache(maxsize=8)  # asked for each guard of a pair in turn
def _raised(item: Mined) -> frozenset[str]:
    """Names of the errors a unit makes where it raises them: refusals may stand in any order."""
    raising = (statement for statement in item.reading.statements if statement.kind is StmtKind.RAISE)
    return frozenset(name for statement in raising for value in statement.exprs for name in called_names(value))


def _has_new_way(fact: Fact, counterpart: _Now, before: Mined, after: Mined) -> bool:
    """A branch on something new, before the guard, that ends the function with the answer the guard stood before."""
    return any(
        line < counterpart.line and (is_answer or fact.protects & called)
        for line, is_answer, called in _new_ways(before, after)
    )


@lru_cache(maxsize=8)  # asked for each guard of a pair in turn
def _new_ways(before: Mined, after: Mined) -> tuple[tuple[int, bool, frozenset[str]], ...]:
    """Line of each exit on something new, whether it gives the old answer, and what it calls."""
    wanted = {_text(value) for value in _answers(before.unit.block)}
    values = after.scope.values
    return tuple(
        (line, _text(value) in wanted, frozenset(called_names(value)))
        for test, value, line in _exits(after.unit.block)
        if set(names_in(values.get(test.text, test))) - before.names - before.defined
    )


def _exits(block: Block) -> Iterator[tuple[Expr, Expr, int]]:
    """Test, answer and line of every ``if test: return answer`` of a block, not looking into nested ones."""
    for statement in block:
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                last = branch[-1] if branch else None
                if last is not None and last.kind in (StmtKind.RETURN, StmtKind.EXPR) and last.exprs:
                    yield test, last.exprs[0], statement.line
        elif statement.kind in (StmtKind.WITH, StmtKind.TRY):
            for inner in statement.blocks:
                yield from _exits(inner)


def _answers(block: Block) -> Iterator[Expr]:
    """The last statement of a function: what it answers or does in the end; bare constants say nothing."""
    if block and block[-1].kind in (StmtKind.RETURN, StmtKind.EXPR) and block[-1].exprs:
        value = block[-1].exprs[0]
        if value.kind is not ExprKind.CONSTANT:
            yield value


def _text(value: Expr) -> str:
    return f"{value.kind}{value.text}({','.join(map(_text, value.parts))})"
