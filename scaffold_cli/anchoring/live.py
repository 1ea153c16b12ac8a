"""Statements that can run at all: what stands behind an unconditional exit, or under ``if False``, is no protection."""

from __future__ import annotations

from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_EXITS = frozenset({StmtKind.RETURN, StmtKind.RAISE, StmtKind.CONTINUE, StmtKind.BREAK})


def live(block: Block) -> Block:
    """The block without what can never run; the same object when everything can."""
    result: list[Stmt] = []
    same = True
    last = len(block) - 1
    for position, statement in enumerate(block):
        kept = _pruned(statement) if statement.blocks else statement
        same = same and kept is statement
        result.append(kept)
        if position < last and _always_leaves(kept) and not any(_is_label(item) for item in block[position + 1 :]):
            return tuple(result)
    return block if same else tuple(result)


def _is_label(statement: Stmt) -> bool:
    """What a front-end could not read may be a place that is jumped to."""
    return statement.kind is StmtKind.OTHER


def _always_leaves(statement: Stmt) -> bool:
    if statement.kind in _EXITS:
        return True
    if statement.kind is not StmtKind.IF or not statement.blocks[0]:
        return False
    return _is_constant(statement.exprs[0], "true") and statement.blocks[0][-1].kind in _EXITS


def _pruned(statement: Stmt) -> Stmt:
    blocks = tuple([live(inner) if inner else inner for inner in statement.blocks])
    if statement.kind is StmtKind.IF:
        blocks = tuple(
            () if position < len(statement.exprs) and _is_constant(statement.exprs[position], "false") else inner
            for position, inner in enumerate(blocks)
        )
    same = all(one is other for one, other in zip(blocks, statement.blocks, strict=True))
    return statement if same else statement._replace(blocks=blocks)


def _is_constant(test: Expr, text: str) -> bool:
    if test.kind is ExprKind.NOT:
        return _is_constant(test.parts[0], "false" if text == "true" else "true")
    if test.kind is ExprKind.NUMBER:
        return test.text == ("1" if text == "true" else "0")
    return test.kind is ExprKind.CONSTANT and test.text == text
