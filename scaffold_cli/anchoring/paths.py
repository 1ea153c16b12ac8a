"""Under which conditions a statement runs: enclosing tests, and earlier tests that return before it."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.syntax.outline import Block, Expr, Stmt, StmtKind

Path = tuple[tuple[Expr, bool], ...]

_MAX_PATH = 8
"""Conditions farther out than this many are left out."""


def statements_with_path(block: Block, path: Path = ()) -> Iterator[tuple[Stmt, Path]]:
    """Every statement of a block and below with its path. A refusal (raise) before it is no condition on it."""
    here = path
    for index, statement in enumerate(block):
        yield statement, here
        if statement.kind is StmtKind.IF and _is_refused_otherwise(statement, block[index + 1 :]):
            yield from statements_with_path(statement.blocks[0], here)
            yield from statements_with_path(statement.blocks[-1], here)
        elif statement.kind is StmtKind.IF:
            negated = tuple((test, False) for test in statement.exprs)
            for position, branch in enumerate(statement.blocks[:-1]):
                yield from statements_with_path(branch, (*here, (statement.exprs[position], True)))
            yield from statements_with_path(statement.blocks[-1], (*here, *negated))
            here = (*here, *passed(statement))
        elif statement.kind is StmtKind.LOOP and statement.text == "while":
            yield from statements_with_path(statement.blocks[0], (*here, (statement.exprs[0], True)))
        else:
            for inner in statement.blocks:
                yield from statements_with_path(inner, here)


def _is_refused_otherwise(statement: Stmt, following: Block) -> bool:
    """True for ``if ok: rest`` with ``else: raise``, or ``raise`` behind it: it runs unless one raises."""
    if len(statement.exprs) != 1:
        return False
    refusal = refusal_of(statement.blocks[-1] or following[:1])
    return refusal is not None and refusal.kind == "raise"


def passed(statement: Stmt) -> Path:
    """Tests that have failed when control comes past an IF whose branches all leave without refusing."""
    refusals = [refusal_of(branch) for branch in statement.blocks[:-1]]
    if statement.blocks[-1] or any(refusal is None or refusal.kind == "raise" for refusal in refusals):
        return ()
    return tuple((test, False) for test in statement.exprs)


def path_terms(path: Path, normaliser: Normaliser) -> frozenset[str]:
    """The conditions of a path as literals; alternatives (``a or b``) are left out."""
    found: set[str] = set()
    for test, holds in path[-_MAX_PATH:]:
        refusals = normaliser.refusals(test, holds)
        if len(refusals) == 1:
            found |= refusals[0]
    return frozenset(found)
