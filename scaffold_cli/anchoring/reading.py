"""One walk over a body, with all that mining and comparing ask of its nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, walk

_NAMED = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.KEYWORD})
_BINDING = frozenset({ExprKind.ASSIGN, ExprKind.UNARY, ExprKind.CLAUSE, ExprKind.LAMBDA})


@dataclass(frozen=True, slots=True)
class Reading:
    """A body taken apart: `statements` as `walk` gives them, `nodes` of all their expressions in the same order.

    `names` are all identifiers, `calls` the callees of each statement (by its id), `binding` the nodes that
    may give a name inside an expression, `naming` those that may name a value: calls, keywords and pairs.
    """

    statements: Sequence[Stmt] = ()
    nodes: Sequence[Expr] = ()
    names: frozenset[str] = frozenset()
    calls: Mapping[int, Sequence[str]] = field(default_factory=dict)
    binding: Sequence[Expr] = ()
    naming: Sequence[Expr] = ()
    _by_kind: dict[ExprKind, list[Expr]] = field(default_factory=dict, repr=False)

    def of(self, kind: ExprKind) -> Sequence[Expr]:
        """The nodes of one kind, in order; sorted out at first use, which most bodies never see."""
        if self.nodes and not self._by_kind:
            found: dict[ExprKind, list[Expr]] = defaultdict(list)
            for node in self.nodes:
                found[node.kind].append(node)
            self._by_kind.update(found)
        return self._by_kind.get(kind, ())


def read(body: Block) -> Reading:
    """Walk a body once."""
    statements = list(walk(body))
    nodes: list[Expr] = []
    binding: list[Expr] = []
    naming: list[Expr] = []
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
                if kind is ExprKind.KEYWORD:
                    naming.append(node)
            elif kind is ExprKind.CALL:
                naming.append(node)
                name = callee(node)
                if name:
                    called.append(name)
            elif kind is ExprKind.PAIR:
                naming.append(node)
            elif kind in _BINDING:
                binding.append(node)
    return Reading(statements, nodes, frozenset(names), calls, binding, naming)
