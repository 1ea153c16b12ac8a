"""One walk over a body, with all that mining asks of its nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, walk

_NAMED = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.KEYWORD})
_BINDING = frozenset({ExprKind.ASSIGN, ExprKind.UNARY, ExprKind.CLAUSE, ExprKind.LAMBDA})


@dataclass(frozen=True, slots=True)
class Reading:
    """A body taken apart: `statements` as `walk` gives them, `nodes` of all their expressions in the same order.

    `names` are all identifiers, `calls` the callees of each statement (by its id), `binding` the nodes that
    may give a name inside an expression.
    """

    statements: Sequence[Stmt]
    nodes: Sequence[Expr]
    names: frozenset[str]
    calls: Mapping[int, Sequence[str]]
    binding: Sequence[Expr]


def read(body: Block) -> Reading:
    """Walk a body once."""
    statements = list(walk(body))
    nodes: list[Expr] = []
    binding: list[Expr] = []
    names: set[str] = set()
    calls: dict[int, list[str]] = {}
    for statement in statements:
        called = calls[id(statement)] = []
        stack = list(statement.exprs[::-1])
        while stack:
            node = stack.pop()
            nodes.append(node)
            kind, text, parts, _ = node
            if parts:
                stack += parts[::-1]
            if kind in _NAMED:
                names.add(text)
            elif kind is ExprKind.CALL:
                name = callee(node)
                if name:
                    called.append(name)
            elif kind in _BINDING:
                binding.append(node)
    return Reading(statements, nodes, frozenset(names), calls, binding)
