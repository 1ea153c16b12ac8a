"""Under which conditions a statement runs: enclosing tests, and earlier tests that return before it."""

from __future__ import annotations

from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.refusal import leaves, raises
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

Path = tuple[tuple[Expr, bool], ...]

_MAX_PATH = 8
"""Conditions farther out than this many are left out."""


def statements_with_path(block: Block) -> list[tuple[Stmt, Path]]:
    """Every statement of a block and below with its path. A refusal (raise) before it is no condition on it."""
    found: list[tuple[Stmt, Path]] = []
    _collect(block, (), found)
    return found


def _collect(block: Block, here: Path, found: list[tuple[Stmt, Path]]) -> None:
    for index, statement in enumerate(block):
        found.append((statement, here))
        if not statement.blocks:
            continue
        if statement.kind is StmtKind.IF:
            if is_refused_otherwise(statement, block[index + 1 : index + 2]):
                _collect(statement.blocks[0], here, found)
                _collect(statement.blocks[-1], here, found)
                continue
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                _collect(branch, (*here, (test, True)), found)
            if statement.blocks[-1]:
                _collect(statement.blocks[-1], (*here, *failed(statement)), found)
            here = (*here, *passed(statement))
        elif statement.kind is StmtKind.LOOP and statement.text == "while":
            _collect(statement.blocks[0], (*here, (statement.exprs[0], True)), found)
        else:
            for inner in statement.blocks:
                _collect(inner, here, found)


def is_refused_otherwise(statement: Stmt, following: Block) -> bool:
    """True for ``if ok: rest`` with ``else: raise``, or ``raise`` behind it: it runs unless one raises."""
    return len(statement.exprs) == 1 and raises(statement.blocks[-1] or following)


def failed(statement: Stmt) -> Path:
    """The conditions on an else block: those whose branch raises are none, as on what follows such an IF."""
    pairs = zip(statement.exprs, statement.blocks, strict=False)
    return tuple([(test, False) for test, branch in pairs if not raises(branch)])


def passed(statement: Stmt) -> Path:
    """Tests that have failed when control comes past an IF whose first branches leave, those that raise left out."""
    if statement.blocks[-1]:
        return ()
    tests: list[tuple[Expr, bool]] = []
    for test, branch in zip(statement.exprs, statement.blocks, strict=False):
        if not leaves(branch):
            break
        if not raises(branch):
            tests.append((test, False))
    return tuple(tests)


def answered(statement: Stmt, left: Path) -> Path:
    """Those of the tests that `left` (`passed`) whose branch gives an answer: neither nothing nor a constant."""
    if not left:
        return ()
    failed = {id(test) for test, _ in left}
    pairs = zip(statement.exprs, statement.blocks, strict=False)
    return tuple([(test, False) for test, branch in pairs if id(test) in failed and _answers(branch[-1])])


def _answers(last: Stmt) -> bool:
    return last.kind is StmtKind.RETURN and bool(last.exprs) and last.exprs[0].kind is not ExprKind.CONSTANT


def path_terms(path: Path, normaliser: Normaliser) -> frozenset[str]:
    """The conditions of a path as literals; alternatives (``a or b``) are left out."""
    found: set[str] = set()
    for test, holds in path[-_MAX_PATH:]:
        refusals = normaliser.condition(test, holds)
        if len(refusals) == 1:
            found |= refusals[0]
    return frozenset(found)
