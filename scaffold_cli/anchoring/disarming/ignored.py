"""Answers that decided whether a function goes on, and that nobody looks at any more."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, bare_calls, callee, spelled
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, StmtKind, walk


def ignored(sides: Sides) -> Iterator[Disarmed]:
    """``if not seen.add_if_absent(x): return`` became ``seen.add_if_absent(x)``: one for each such call."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        heeded = {spelled(call) for call in _used(function)}
        alone = {spelled(call): call for call, _ in bare_calls(function.body)}
        for call in _deciding(old.body):
            if spelled(call) in alone.keys() - heeded:
                what = (
                    f"`{function.name}` no longer looks at what `{callee(call)}` answers, by which it went on or not."
                )
                line = alone[spelled(call)].line
                yield Disarmed("guard-swallowed", what, sides.after.path, line, function.name)


def _deciding(block: Block) -> Iterator[Expr]:
    """Calls in tests of branches that leave."""
    for statement in walk(block):
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                if refusal_of(branch) is not None:
                    yield from (node for node in test.walk() if node.kind is ExprKind.CALL)


def _used(function: Function) -> Iterator[Expr]:
    """Calls whose answer goes somewhere."""
    for statement in walk(function.body):
        own = [call for call, _ in bare_calls((statement,))] if statement.kind is StmtKind.EXPR else []
        for value in statement.exprs:
            yield from (node for node in value.walk() if node.kind is ExprKind.CALL and node not in own)
