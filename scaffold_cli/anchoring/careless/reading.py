"""What the readers of careless C share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, Stmt, StmtKind, walk

ALLOCATORS = frozenset({"malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "strdup", "strndup", "alloca"})
_SMALLEST = frozenset({"min", "MIN", "fmin", "clamp"})
_TESTS = (StmtKind.IF, StmtKind.LOOP, StmtKind.SWITCH, StmtKind.ASSERT)


_WEAKNESSES = {
    "EXP34-C": "CWE-476",
    "MEM30-C": "CWE-416",
    "MEM01-C": "CWE-416",
    "STR31-C": "CWE-787",
    "ARR38-C": "CWE-787",
    "ARR30-C": "CWE-125",
    "INT32-C": "CWE-190",
}
"""The weakness each rule of CERT C is about."""


class Careless(NamedTuple):
    """One careless place: the function, the line, the rule of CERT C, and a sentence that says what is missing."""

    symbol: str
    line: int
    rule: str
    what: str

    @property
    def cwe(self) -> str:
        """The weakness, by number."""
        return _WEAKNESSES[self.rule]


def nodes(statement: Stmt) -> Iterator[Expr]:
    """The expressions of a statement that are evaluated: what stands in ``sizeof`` is not."""
    stack = list(reversed(statement.exprs))
    while stack:
        node = stack.pop()
        yield node
        if not (node.kind is ExprKind.CALL and callee(node) == "sizeof"):
            stack += node.parts[::-1]


def calls(function: Function) -> Iterator[Expr]:
    """The calls of a function, in order."""
    for statement in walk(function.body):
        yield from (node for node in nodes(statement) if node.kind is ExprKind.CALL)


def tests(function: Function) -> Iterator[Expr]:
    """What decides how a function goes on."""
    for statement in walk(function.body):
        if statement.kind in _TESTS:
            yield from statement.exprs
        yield from (node.parts[0] for node in nodes(statement) if node.kind is ExprKind.CONDITIONAL)


def checked(function: Function) -> frozenset[str]:
    """Names that are asked about, or that room was made for."""
    made = (call for call in calls(function) if callee(call) in ALLOCATORS | _SMALLEST)
    return frozenset(name for node in (*tests(function), *made) for name in names_in(node))


def values(function: Function) -> dict[str, frozenset[str]]:
    """For each plain name, the names in what it is given."""
    found: dict[str, frozenset[str]] = {}
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN and statement.exprs:
            names = frozenset(names_in(statement.exprs[0]))
            for target in statement.exprs[1:]:
                if target.kind is ExprKind.NAME:
                    found[target.text] = found.get(target.text, frozenset()) | names
    return found


def uncast(node: Expr) -> Expr:
    """A value without the casts around it."""
    while node.kind is ExprKind.CAST and node.parts:
        node = node.parts[0]
    return node
