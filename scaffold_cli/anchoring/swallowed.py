"""What a unit calls only where it never runs, or where every error is dropped: a refusal in there refuses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.live import live
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.views import called_names
from scaffold_cli.syntax.outline import Block, Stmt, StmtKind

_EVERYTHING = frozenset({"Exception", "BaseException", "Throwable", "RuntimeException"})


def is_swallowing(statement: Stmt) -> bool:
    """True for a TRY one of whose handlers catches everything and goes on."""
    return any(catches_all(handler) and refusal_of(handler.blocks[0]) is None for handler in statement.blocks[1])


def catches_all(handler: Stmt) -> bool:
    """True for a handler of every error."""
    return not handler.exprs or any(item.text in _EVERYTHING for item in handler.exprs)


@lru_cache(maxsize=8)  # asked for each guard of a pair in turn
def swallowed(item: Mined) -> frozenset[str]:
    """Names that are called where errors are dropped or nothing ever runs, and nowhere else."""
    heard = {name for name, is_dropped in _calls(live(item.unit.block), False) if not is_dropped}
    return frozenset(item.calls.keys() - heard)


def _calls(block: Block, is_dropped: bool) -> Iterator[tuple[str, bool]]:
    for statement in block:
        for value in statement.exprs:
            yield from ((name, is_dropped) for name in called_names(value))
        attempts = statement.kind is StmtKind.TRY and is_swallowing(statement)
        for position, inner in enumerate(statement.blocks):
            yield from _calls(inner, is_dropped or (attempts and position == 0))
