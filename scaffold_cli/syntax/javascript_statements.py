"""JavaScript and TypeScript statements, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax.javascript_expressions import Expressions
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node


class Declares(Protocol):
    """What statements hand to others: definitions, imports and exports."""

    def definition(self, node: Node) -> Sequence[Stmt]:
        """List what a declaration defines; the statements that stand for it."""
        ...


DECLARATIONS = (
    "function_declaration",
    "generator_function_declaration",
    "function_signature",
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "type_alias_declaration",
    "enum_declaration",
    "internal_module",
    "module",
    "ambient_declaration",
    "import_statement",
    "export_statement",
)


class Statements:
    """Lowers statements. One can become several."""

    def __init__(self, expressions: Expressions) -> None:
        self.declares: Declares
        self._expressions = expressions
        self._table: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "statement_block": self.block,
            "expression_statement": self._expression,
            "variable_declaration": self.variables,
            "lexical_declaration": self.variables,
            "if_statement": self._if,
            "while_statement": lambda node: self._loop("while", node),
            "do_statement": lambda node: self._loop("do", node),
            "for_statement": self._for,
            "for_in_statement": self._for_in,
            "labeled_statement": lambda node: self.statement(field(node, "body")),
            "try_statement": self._try,
            "switch_statement": self._switch,
            "throw_statement": lambda node: self._simple(StmtKind.RAISE, node),
            "return_statement": lambda node: self._simple(StmtKind.RETURN, node),
            "break_statement": lambda node: [make(StmtKind.BREAK, node, "".join(text(child) for child in named(node)))],
            "continue_statement": lambda node: [make(StmtKind.CONTINUE, node)],
            "empty_statement": lambda _: (),
            "debugger_statement": lambda _: (),
            "hash_bang_line": lambda _: (),
        }
        for kind in DECLARATIONS:
            self._table[kind] = lambda node: self.declares.definition(node)  # noqa: PLW0108 - `declares` is set later

    def statement(self, node: Node) -> Sequence[Stmt]:
        """One statement."""
        handler = self._table.get(node.type)
        if handler is None:
            return (make(StmtKind.OTHER, node, building.shortened(text(node))),)
        return handler(node)

    def block(self, node: Node) -> Block:
        """The statements of a block."""
        return self.sequence(named(node))

    def sequence(self, nodes: Iterable[Node]) -> Block:
        """Statements one after another."""
        found: list[Stmt] = []
        for node in nodes:
            found.extend(self.statement(node))
        return tuple(found)

    def variables(self, node: Node) -> list[Stmt]:
        """One ASSIGN for each declared variable."""
        found = []
        for declarator in named(node):
            if declarator.type != "variable_declarator":
                continue
            target = field(declarator, "name")
            value = declarator.child_by_field_name("value")
            name = text(target) if target.type == "identifier" else ""
            lowered = self._expressions.named_value(value, name) if value is not None else building.null(line(node))
            given = make(StmtKind.ASSIGN, declarator, "=", (lowered, self._expressions.lower(target)))
            found.extend(_taken_apart(given))
        return found

    def _expression(self, node: Node) -> Sequence[Stmt]:
        inner = named(node)[0]
        if inner.type == "internal_module":
            return self.declares.definition(inner)
        if inner.type == "string":  # a directive such as "use strict"
            return (make(StmtKind.EMPTY, node),)
        return self.effect(inner)

    def effect(self, node: Node) -> list[Stmt]:
        """An expression in the place of a statement."""
        if node.type == "parenthesized_expression":
            return self.effect(named(node)[0])
        if node.type == "sequence_expression":
            return [statement for child in named(node) for statement in self.effect(child)]
        if node.type in ("assignment_expression", "augmented_assignment_expression"):
            lowered = self._expressions.lower(node)
            if lowered.kind is ExprKind.ASSIGN:
                return [make(StmtKind.ASSIGN, node, lowered.text, lowered.parts[::-1])]
        if node.type == "unary_expression" and text(field(node, "operator")) == "delete":
            return [make(StmtKind.DELETE, node, "", (self._expressions.lower(field(node, "argument")),))]
        return [building.effect(make(StmtKind.EXPR, node, "", (self._expressions.lower(node),)))]

    def _simple(self, kind: StmtKind, node: Node) -> list[Stmt]:
        return [make(kind, node, "", self._expressions.all(named(node)))]

    def _if(self, node: Node) -> list[Stmt]:
        tests: list[Expr] = []
        blocks: list[Block] = []
        rest: Node | None = node
        while rest is not None and rest.type == "if_statement":
            tests.append(self._expressions.lower(field(rest, "condition")))
            blocks.append(self._body(field(rest, "consequence")))
            otherwise = rest.child_by_field_name("alternative")
            rest = named(otherwise)[0] if otherwise is not None else None
        blocks.append(self._body(rest) if rest is not None else ())
        return [make(StmtKind.IF, node, "", tests, tuple(blocks))]

    def _body(self, node: Node) -> Block:
        return tuple(self.statement(node))

    def _loop(self, label: str, node: Node) -> list[Stmt]:
        test = self._expressions.lower(field(node, "condition"))
        return [make(StmtKind.LOOP, node, label, (test,), (self._body(field(node, "body")), ()))]

    def _for(self, node: Node) -> list[Stmt]:
        start = field(node, "initializer")
        found = list(self.statement(start)) if start.type in self._table else self.effect(start)
        condition = node.child_by_field_name("condition")
        test = Expr(ExprKind.CONSTANT, "true", (), line(node))
        if condition is not None and condition.type not in ("empty_statement", ";"):
            inner = named(condition)[0] if condition.type == "expression_statement" else condition
            test = self._expressions.lower(inner)
        body = list(self._body(field(node, "body")))
        update = node.child_by_field_name("increment")
        body += self.effect(update) if update is not None else []
        found.append(make(StmtKind.LOOP, node, "while", (test,), (tuple(body), ())))
        return found

    def _for_in(self, node: Node) -> list[Stmt]:
        target, iterable = self._expressions.all((field(node, "left"), field(node, "right")))
        if text(field(node, "operator")) == "in":  # over the keys
            keys = Expr(ExprKind.ATTRIBUTE, "keys", (building.name("Object", line(node)),), line(node))
            iterable = Expr(ExprKind.CALL, "", (keys, iterable), line(node))
        return [make(StmtKind.LOOP, node, "for", (target, iterable), (self._body(field(node, "body")), ()))]

    def _try(self, node: Node) -> list[Stmt]:
        body = self.block(field(node, "body"))
        handlers: Block = ()
        caught = node.child_by_field_name("handler")
        if caught is not None:
            parameter = caught.child_by_field_name("parameter")
            bound = text(parameter) if parameter is not None else ""
            handlers = (make(StmtKind.HANDLER, caught, bound, (), (self.block(field(caught, "body")),)),)
        finalizer = node.child_by_field_name("finalizer")
        last = self.block(field(finalizer, "body")) if finalizer is not None else ()
        return [make(StmtKind.TRY, node, "", (), (body, handlers, (), last))]

    def _switch(self, node: Node) -> list[Stmt]:
        subject = self._expressions.lower(field(node, "value"))
        cases: list[Stmt] = []
        labels: list[Expr] = []
        is_default = False
        groups = named(field(node, "body"))
        for position, group in enumerate(groups):
            value = group.child_by_field_name("value")
            labels += self._expressions.all([value] if value is not None else [])
            is_default = is_default or group.type == "switch_default"
            nodes = [child for child in group.children_by_field_name("body") if child.is_named]
            is_last = position + 1 == len(groups)
            if not nodes and not is_last:
                continue
            if len(nodes) == 1 and nodes[0].type == "statement_block":
                nodes = named(nodes[0])
            body = self.sequence(nodes)
            end = group.end_point[0] + 1
            if not is_last and not building.ends(body):
                body += (Stmt(StmtKind.OTHER, "fallthrough", (), (), end, end),)
            cases.append(building.case([] if is_default else labels, None, body, line(group), end))
            labels, is_default = [], False
        return [make(StmtKind.SWITCH, node, "", (subject,), (tuple(cases),))]


def _taken_apart(given: Stmt) -> list[Stmt]:
    """``const { a, b: c } = x`` as ``a = x.a; c = x.b``; what has defaults, a rest or an inner pattern stays whole."""
    value, target = given.exprs
    plain = value.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE)
    is_pattern = target.kind is ExprKind.COLLECTION and target.text == "dict" and bool(target.parts)
    if not (plain and is_pattern and all(map(_is_simple, target.parts))):
        return [given]
    pairs = [part.parts for part in target.parts]
    return [given._replace(exprs=(Expr(ExprKind.ATTRIBUTE, key.text, (value,), key.line), name)) for key, name in pairs]


def _is_simple(part: Expr) -> bool:
    pair = part.parts if part.kind is ExprKind.PAIR else ()
    return len(pair) == 2 and pair[0].kind is ExprKind.STRING and pair[1].kind is ExprKind.NAME
