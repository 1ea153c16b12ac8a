"""Signs in statements that are on one side of the change only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from scaffold_cli.anchoring.suspicion.vocabulary import Vocabulary
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_ENDS = {StmtKind.RAISE, StmtKind.RETURN, StmtKind.CONTINUE, StmtKind.BREAK}
_LOGIC = frozenset({ExprKind.AND, ExprKind.OR, ExprKind.NOT})


def unmatched(gone: Iterable[Stmt], come: Iterable[Stmt]) -> tuple[list[Stmt], list[Stmt]]:
    """What is gone and what is new once statements that read the same elsewhere in the change are left out."""
    old, new = [(_key(item), item) for item in gone], [(_key(item), item) for item in come]
    lost = Counter(key for key, _ in old) - Counter(key for key, _ in new)
    gained = Counter(key for key, _ in new) - Counter(key for key, _ in old)
    return list(_left(old, lost)), list(_left(new, gained))


def count_statement(item: Stmt, side: str, vocabulary: Vocabulary, signs: Counter[str]) -> None:
    """Add what one statement is, how it ends the work, and what its expressions are made of."""
    signs.update(side + sign for sign in _of(item))
    for node in item.exprs:
        vocabulary.count(node, side, signs)
        signs.update(side + sign for part in node.walk() for sign in _of_expression(part))


_Key = tuple[str, ...]


def _key(item: Stmt) -> _Key:
    return (item.kind, *map(plain, item.exprs))


def _left(items: list[tuple[_Key, Stmt]], counts: Counter[_Key]) -> Iterator[Stmt]:
    for key, item in items:
        if counts[key] > 0:
            counts[key] -= 1
            yield item


def _of(item: Stmt) -> Iterator[str]:
    yield f"statement {item.kind}"
    first = item.exprs[0] if item.exprs else None
    if item.kind is StmtKind.IF:
        for block in item.blocks[: len(item.exprs)]:
            end = _end(block)
            yield f"test that ends in {end}" if end else "branch"
            if end and len(block) == 1:
                yield f"bare test that ends in {end}"
    elif item.kind is StmtKind.HANDLER:
        yield f"handler that ends in {_end(item.blocks[0]) or 'going on'}"
    elif item.kind is StmtKind.RETURN and first is not None and first.kind is ExprKind.CONSTANT:
        yield f"return {first.text}"
    elif item.kind is StmtKind.EXPR and first is not None and first.kind is ExprKind.CALL:
        yield "call for its effect"


def _end(block: Block) -> str:
    return block[-1].kind if block and block[-1].kind in _ENDS else ""


def _of_expression(part: Expr) -> Iterator[str]:
    yield f"expression {part.kind}"
    if part.kind is ExprKind.COMPARE:
        yield f"comparison {part.text}"
