"""Where guards stand in a body: each condition that ends in a refusal, with what runs only after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.paths import Path, passed
from scaffold_cli.anchoring.predicates import Polarity
from scaffold_cli.anchoring.refusal import Refusal, refusal_of
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_LOGICAL = frozenset({ExprKind.AND, ExprKind.OR, ExprKind.NOT, ExprKind.COMPARE})


@dataclass(frozen=True, slots=True)
class Site:
    """Where a guard stands: the statement, its refusal, and the statements that run only after it let pass."""

    statement: Stmt
    refusal: Refusal
    tests: tuple[tuple[Expr, bool], ...]
    path: Path
    rest: tuple[Block, ...]


def sites(block: Block, polarity: Polarity) -> Iterator[Site]:
    """The guards of a body. In a predicate (`polarity`), a returned condition counts as a guard, too."""
    yield from _sites(block, (), ())
    if polarity is Polarity.NONE:
        return
    for statement, path in returned_conditions(block):
        good = polarity is Polarity.POSITIVE
        refusal = Refusal("refuse" if good else "return", "return")
        yield Site(statement, refusal, ((statement.exprs[0], not good),), path, ())


def returned_conditions(block: Block, path: Path = ()) -> Iterator[tuple[Stmt, Path]]:
    """RETURN statements whose value is a condition, or a call of a quantifier, with the tests around them."""
    for statement in block:
        if statement.kind is StmtKind.RETURN and statement.exprs and statement.exprs[0].kind in _LOGICAL:
            yield statement, path
        elif statement.kind is StmtKind.IF:
            for position, branch in enumerate(statement.blocks[:-1]):
                yield from returned_conditions(branch, (*path, (statement.exprs[position], True)))
            yield from returned_conditions(statement.blocks[-1], path)
        else:
            for inner in statement.blocks:
                yield from returned_conditions(inner, path)


def _sites(block: Block, path: Path, rest: tuple[Block, ...]) -> Iterator[Site]:
    returned: list[tuple[Expr, bool]] = []
    for index, statement in enumerate(block):
        after = (block[index + 1 :], *rest)
        if statement.kind is StmtKind.IF:
            yield from _branches(statement, path, after)
            returned += passed(statement)
        elif statement.kind is StmtKind.ASSERT:
            refusal = Refusal("assert", "assert", statement.exprs[1:])
            yield Site(statement, refusal, ((statement.exprs[0], False),), path, after)
        elif statement.kind in (StmtKind.RAISE, StmtKind.RETURN) and returned:
            refusal_here = refusal_of((statement,))
            if refusal_here is not None and refusal_here.is_refusing and not _is_plain_answer(statement):
                yield Site(statement, refusal_here, tuple(returned), path, ())
        elif statement.kind is StmtKind.SWITCH:
            yield from _switch(statement, path, after)
        elif statement.kind in (StmtKind.LOOP, StmtKind.WITH, StmtKind.TRY):
            for inner in statement.blocks:
                yield from _sites(inner, path, after)
        elif statement.kind is StmtKind.HANDLER:
            yield from _sites(statement.blocks[0], path, after)


def _is_plain_answer(statement: Stmt) -> bool:
    """A function that ends in ``return False`` answers a question; it does not turn anybody away."""
    return statement.kind is StmtKind.RETURN and (
        not statement.exprs or statement.exprs[0].kind in (ExprKind.CONSTANT, ExprKind.STRING, ExprKind.COLLECTION)
    )


def _branches(statement: Stmt, path: Path, after: tuple[Block, ...]) -> Iterator[Site]:
    for position, (test, branch) in enumerate(zip(statement.exprs, statement.blocks, strict=False)):
        refusal = refusal_of(branch)
        if refusal is None and branch and not statement.blocks[-1]:
            yield Site(statement, Refusal("skip", "skip"), ((test, False),), path, (branch,))
        if refusal is not None:
            others = tuple(other for other in statement.blocks[position + 1 :] if other)
            yield Site(statement, refusal, ((test, True),), path, (*others, *after))
        yield from _sites(branch, (*path, (test, True)), after)
    otherwise = statement.blocks[-1]
    negated = tuple((test, False) for test in statement.exprs)
    refusal = refusal_of(otherwise)
    if refusal is not None and refusal.is_refusing:
        yield Site(statement, refusal, negated, path, (*statement.blocks[:-1], *after))
    yield from _sites(otherwise, (*path, *negated), after)


def _switch(statement: Stmt, path: Path, after: tuple[Block, ...]) -> Iterator[Site]:
    for case in statement.blocks[0]:
        refusal = refusal_of(case.blocks[0])
        if refusal is not None and refusal.is_refusing:
            labels = case.exprs or statement.exprs
            yield Site(case, refusal, tuple((label, bool(case.exprs)) for label in labels[:1]), path, after)
        yield from _sites(case.blocks[0], path, after)
