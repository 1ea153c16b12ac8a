"""Java's switch, old and new, as a statement and as an expression."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax.java_expressions import Expressions
from scaffold_cli.syntax.nodes import field, line, named, text
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node


class Sequences(Protocol):
    """Lowers runs of statements."""

    def sequence(self, nodes: list[Node]) -> Block:
        """Statements one after another."""
        ...


class _Case(NamedTuple):
    """Labels that share a body. No labels is the default; an arrow case never runs on into the next."""

    labels: tuple[Expr, ...]
    guard: Expr | None
    body: list[Node]
    first: Node
    last: Node
    arrow: bool


def switch_statement(node: Node, expressions: Expressions, statements: Sequences) -> Stmt:
    """SWITCH with its CASEs. A body that runs on into the next case ends in OTHER "fallthrough"."""
    subject = expressions.lower(field(node, "condition"))
    found = list(_cases(field(node, "body"), expressions))
    cases = []
    for position, one in enumerate(found):
        body = statements.sequence(one.body)
        end = one.last.end_point[0] + 1
        if not one.arrow and position + 1 < len(found) and not building.ends(body):
            body += (Stmt(StmtKind.OTHER, "fallthrough", (), (), end, end),)
        cases.append(building.case(one.labels, one.guard, body, line(one.first), end))
    return Stmt(StmtKind.SWITCH, "", (subject,), (tuple(cases),), line(node), node.end_point[0] + 1)


def switch_expression(node: Node, expressions: Expressions, statements: Sequences) -> Expr:
    """SWITCH with a PAIR for each case; a case with statements of its own becomes a function that returns."""
    parts = [expressions.lower(field(node, "condition"))]
    for one in _cases(field(node, "body"), expressions):
        label = building.case_label(one.labels, one.guard, line(one.first))
        value = _value(one, expressions, statements)
        parts.append(Expr(ExprKind.PAIR, "", (label, value), line(one.first)))
    return Expr(ExprKind.SWITCH, "", tuple(parts), line(node))


def _value(case: _Case, expressions: Expressions, statements: Sequences) -> Expr:
    if len(case.body) == 1:
        only = case.body[0]
        if only.type in ("yield_statement", "expression_statement"):
            return expressions.lower(named(only)[0])
        if only.type == "throw_statement":
            return building.unary("throw", expressions.lower(named(only)[0]), line(only))
    return expressions.function_of("case", case.first, (), lambda: statements.sequence(case.body))


def _cases(body: Node, expressions: Expressions) -> Iterator[_Case]:
    """The cases in order; labels without a body of their own join the next."""
    labels: list[Expr] = []
    is_default = False
    first: Node | None = None
    groups = named(body)
    for position, group in enumerate(groups):
        children = named(group)
        marks = [child for child in children if child.type == "switch_label"]
        nodes = children[len(marks) :]
        guard = None
        for mark in marks:
            found, guard = _label(mark, expressions)
            labels += found
            is_default = is_default or not found
        first = first or group
        arrow = group.type == "switch_rule"
        if not nodes and not arrow and position + 1 < len(groups):
            continue
        if arrow and nodes and nodes[0].type == "block":
            nodes = named(nodes[0])
        yield _Case(() if is_default else tuple(labels), guard, nodes, first, group, arrow)
        labels, is_default, first = [], False, None


def _label(node: Node, expressions: Expressions) -> tuple[list[Expr], Expr | None]:
    """The labels of one ``case``, none for ``default`` and for ``case null, default``; and its guard."""
    guard = None
    labels = []
    for child in named(node):
        if child.type == "guard":
            guard = expressions.lower(named(child)[0])
        elif child.type == "identifier" and text(child) == "default":
            return [], None
        else:
            labels.append(expressions.lower(child))
    return labels, guard
