"""Go statements, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax.go_expressions import Expressions, type_text
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

if TYPE_CHECKING:
    from tree_sitter import Node

DECLARATIONS = ("function_declaration", "method_declaration", "type_declaration", "import_declaration")


class Declares(Protocol):
    """What statements hand to others: definitions and imports."""

    def definition(self, node: Node) -> Sequence[Stmt]:
        """List what a declaration defines; the statements that stand for it."""
        ...


class Statements:
    """Lowers statements. One can become several."""

    def __init__(self, expressions: Expressions) -> None:
        self.declares: Declares
        self._expressions = expressions
        self._table: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "block": self.block,
            "statement_list": self.block,
            "expression_statement": self._expression,
            "short_var_declaration": self._assignment,
            "assignment_statement": self._assignment,
            "var_declaration": self._variables,
            "const_declaration": self._variables,
            "inc_statement": lambda node: self._effect("++", node),
            "dec_statement": lambda node: self._effect("--", node),
            "go_statement": lambda node: self._effect("go", node),
            "defer_statement": lambda node: self._effect("defer", node),
            "send_statement": lambda node: [make(StmtKind.EXPR, node, "", (self._send(node),))],
            "if_statement": self._if,
            "for_statement": self._for,
            "expression_switch_statement": self._switch,
            "type_switch_statement": self._type_switch,
            "select_statement": self._select,
            "labeled_statement": lambda node: self.sequence(named(node)[1:]),
            "return_statement": self._return,
            "break_statement": lambda node: [make(StmtKind.BREAK, node, "".join(text(child) for child in named(node)))],
            "continue_statement": lambda node: [make(StmtKind.CONTINUE, node)],
            "fallthrough_statement": lambda node: [make(StmtKind.OTHER, node, "fallthrough")],
            "empty_statement": lambda _: (),
            "package_clause": lambda _: (),
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

    def _expression(self, node: Node) -> list[Stmt]:
        lowered = self._expressions.lower(named(node)[0])
        if lowered.kind is ExprKind.CALL and lowered.parts[0][:2] == (ExprKind.NAME, "panic"):
            return [make(StmtKind.RAISE, node, "", lowered.parts[1:])]
        return [make(StmtKind.EXPR, node, "", (lowered,))]

    def _effect(self, operator: str, node: Node) -> list[Stmt]:
        lowered = building.unary(operator, self._expressions.lower(named(node)[0]), line(node))
        return [make(StmtKind.EXPR, node, "", (lowered,))]

    def _send(self, node: Node) -> Expr:
        parts = self._expressions.all((field(node, "channel"), field(node, "value")))
        return Expr(ExprKind.BINARY, "<-", parts, line(node))

    def _assignment(self, node: Node) -> list[Stmt]:
        operator = node.child_by_field_name("operator")
        pair = self._expressions.assigned(field(node, "left"), field(node, "right"))
        return [make(StmtKind.ASSIGN, node, text(operator) if operator is not None else "=", pair)]

    def _variables(self, node: Node) -> list[Stmt]:
        """One ASSIGN for each name, or one for all names that share a call."""
        found = []
        specs = [spec for child in named(node) for spec in (named(child) if child.type == "var_spec_list" else [child])]
        for spec in specs:
            names = [child for child in spec.children_by_field_name("name") if child.is_named]
            value = spec.child_by_field_name("value")
            values = named(value) if value is not None else []
            targets = self._expressions.all(names)
            if value is not None and len(values) != len(names):
                target = Expr(ExprKind.COLLECTION, "tuple", targets, line(spec))
                found.append(make(StmtKind.ASSIGN, spec, "=", (self._expressions.several(value), target)))
                continue
            for position, target in enumerate(targets):
                given = self._named_value(values[position], target.text) if values else building.null(line(spec))
                found.append(make(StmtKind.ASSIGN, spec, "=", (given, target)))
        return found

    def _named_value(self, node: Node, name: str) -> Expr:
        if node.type == "func_literal":
            return self._expressions.nested.function_value(node, name)
        return self._expressions.lower(node)

    def _return(self, node: Node) -> list[Stmt]:
        return [make(StmtKind.RETURN, node, "", [self._expressions.several(child) for child in named(node)])]

    def _if(self, node: Node) -> list[Stmt]:
        """An initializer stands before its IF, so a later one in a chain opens the else block."""
        found = self._initializer(node)
        tests: list[Expr] = []
        blocks: list[Block] = []
        rest: Node | None = node
        while rest is not None and rest.type == "if_statement":
            if rest is not node and rest.child_by_field_name("initializer") is not None:
                break
            tests.append(self._expressions.lower(field(rest, "condition")))
            blocks.append(self.block(field(rest, "consequence")))
            rest = rest.child_by_field_name("alternative")
        blocks.append(tuple(self.statement(rest)) if rest is not None else ())
        return [*found, make(StmtKind.IF, node, "", tests, tuple(blocks))]

    def _initializer(self, node: Node) -> list[Stmt]:
        start = node.child_by_field_name("initializer")
        return list(self.statement(start)) if start is not None else []

    def _for(self, node: Node) -> list[Stmt]:
        body = self.block(field(node, "body"))
        head = named(node)[0]
        always = Expr(ExprKind.CONSTANT, "true", (), line(node))
        if head.type == "range_clause":
            target = head.child_by_field_name("left")
            lowered = self._expressions.several(target) if target is not None else building.name("_", line(node))
            header = (lowered, self._expressions.lower(field(head, "right")))
            return [make(StmtKind.LOOP, node, "for", header, (body, ()))]
        found: list[Stmt] = []
        test = always
        if head.type == "for_clause":
            found = self._initializer(head)
            condition = head.child_by_field_name("condition")
            test = self._expressions.lower(condition) if condition is not None else always
            update = head.child_by_field_name("update")
            body += tuple(self.statement(update)) if update is not None else ()
        elif head.type != "block":
            test = self._expressions.lower(head)
        return [*found, make(StmtKind.LOOP, node, "while", (test,), (body, ()))]

    def _switch(self, node: Node) -> list[Stmt]:
        """A switch without a subject is a chain of conditions, unless a case falls through or breaks off."""
        found = self._initializer(node)
        value = node.child_by_field_name("value")
        cases = [self._case(child) for child in named(node) if child.type in ("expression_case", "default_case")]
        inner = [statement for case in cases for statement in walk(case.blocks[0])]
        jumps = any(one.kind is StmtKind.BREAK or one.text == "fallthrough" for one in inner)
        if value is None and not jumps and any(case.exprs for case in cases):
            return [*found, _chain(node, cases)]
        true = Expr(ExprKind.CONSTANT, "true", (), line(node))
        subject = self._expressions.lower(value) if value is not None else true
        return [*found, make(StmtKind.SWITCH, node, "", (subject,), (tuple(cases),))]

    def _case(self, node: Node) -> Stmt:
        """Any kind of case: its labels, and the statements of its list."""
        labels: list[Expr] = []
        for child in node.children_by_field_name("value"):
            labels += self._expressions.all(named(child))
        for child in node.children_by_field_name("type"):
            if child.is_named:
                labels.append(Expr(ExprKind.TYPE, type_text(child), (), line(child)))
        for child in node.children_by_field_name("communication"):
            labels.append(self._communication(child))
        body = self.sequence([child for child in named(node) if child.type == "statement_list"])
        return building.case(labels, None, body, line(node), node.end_point[0] + 1)

    def _communication(self, node: Node) -> Expr:
        if node.type == "send_statement":
            return self._send(node)
        target = node.child_by_field_name("left")
        received = self._expressions.lower(field(node, "right"))
        if target is None:
            return received
        return Expr(ExprKind.ASSIGN, "=", (self._expressions.several(target), received), line(node))

    def _type_switch(self, node: Node) -> list[Stmt]:
        found = self._initializer(node)
        subject = self._expressions.lower(field(node, "value"))
        alias = node.child_by_field_name("alias")
        if alias is not None:
            subject = Expr(ExprKind.ASSIGN, "=", (self._expressions.several(alias), subject), line(node))
        cases = [self._case(child) for child in named(node) if child.type in ("type_case", "default_case")]
        return [*found, make(StmtKind.SWITCH, node, "", (subject,), (tuple(cases),))]

    def _select(self, node: Node) -> list[Stmt]:
        cases = [self._case(child) for child in named(node) if child.type in ("communication_case", "default_case")]
        return [make(StmtKind.SWITCH, node, "select", (building.null(line(node)),), (tuple(cases),))]


def _chain(node: Node, cases: Sequence[Stmt]) -> Stmt:
    tests, blocks = [], []
    for case in cases:
        if case.exprs:
            tests.append(building.operation("||", case.exprs, case.line) if len(case.exprs) > 1 else case.exprs[0])
            blocks.append(case.blocks[0])
    default = next((case.blocks[0] for case in cases if not case.exprs), ())
    return make(StmtKind.IF, node, "", tests, (*blocks, default))
