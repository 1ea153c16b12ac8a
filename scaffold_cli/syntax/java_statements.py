"""Java statements, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax import java_neutral as neutral
from scaffold_cli.syntax.java_expressions import Expressions
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARATIONS = (
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
    "method_declaration",
)


class Declares(Protocol):
    """What statements hand to others: definitions of classes and methods."""

    def definition(self, node: Node) -> Stmt:
        """List a class or a method; the marker that stands for it."""
        ...


class Statements:
    """Lowers statements. One of Java's can become several."""

    def __init__(self, expressions: Expressions) -> None:
        self.declares: Declares
        self._expressions = expressions
        self._table: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "block": self.block,
            "expression_statement": self._expression,
            "local_variable_declaration": self.variables,
            "if_statement": self._if,
            "while_statement": lambda node: self._loop("while", node),
            "do_statement": lambda node: self._loop("do", node),
            "for_statement": self._for,
            "enhanced_for_statement": self._for_each,
            "labeled_statement": lambda node: self.statement(named(node)[-1]),
            "try_statement": self._try,
            "try_with_resources_statement": self._try,
            "synchronized_statement": self._synchronized,
            "switch_expression": self._switch,
            "throw_statement": lambda node: self._simple(StmtKind.RAISE, node),
            "return_statement": self._return,
            "yield_statement": lambda node: self._simple(StmtKind.RETURN, node),
            "assert_statement": lambda node: self._simple(StmtKind.ASSERT, node),
            "break_statement": lambda node: [make(StmtKind.BREAK, node, "".join(text(child) for child in named(node)))],
            "continue_statement": lambda node: [make(StmtKind.CONTINUE, node)],
            "explicit_constructor_invocation": self._constructor_call,
            ";": lambda _: (),
        }
        for kind in _DECLARATIONS:
            self._table[kind] = lambda node: (self.declares.definition(node),)

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
        for declarator in node.children_by_field_name("declarator"):
            value = declarator.child_by_field_name("value")
            lowered = self._expressions.lower(value) if value is not None else building.null(line(declarator))
            target = self._expressions.lower(field(declarator, "name"))
            found.append(make(StmtKind.ASSIGN, declarator, "=", (lowered, target)))
        return found

    def _expression(self, node: Node) -> list[Stmt]:
        return [self.effect(named(node)[0])]

    def _return(self, node: Node) -> Sequence[Stmt]:
        """``return switch …`` is a SWITCH whose cases return."""
        value = named(node)[0] if named(node) else None
        if value is None or value.type != "switch_expression":
            return self._simple(StmtKind.RETURN, node)
        (found,) = self._switch(value)
        return [found._replace(blocks=tuple(tuple(map(_answered, block)) for block in found.blocks))]

    def effect(self, node: Node) -> Stmt:
        """An expression in the place of a statement."""
        if node.type == "assignment_expression":
            exprs = self._expressions.all((field(node, "right"), field(node, "left")))
            return make(StmtKind.ASSIGN, node, text(field(node, "operator")), exprs)
        return make(StmtKind.EXPR, node, "", (self._expressions.lower(node),))

    def _simple(self, kind: StmtKind, node: Node) -> list[Stmt]:
        return [make(kind, node, "", self._expressions.all(named(node)))]

    def _constructor_call(self, node: Node) -> list[Stmt]:
        function = self._expressions.lower(field(node, "constructor"))
        outer = node.child_by_field_name("object")
        if outer is not None:
            function = Expr(ExprKind.ATTRIBUTE, function.text, (self._expressions.lower(outer),), function.line)
        arguments = self._expressions.all(named(field(node, "arguments")))
        return [make(StmtKind.EXPR, node, "", (Expr(ExprKind.CALL, "", (function, *arguments), line(node)),))]

    def _if(self, node: Node) -> list[Stmt]:
        tests: list[Expr] = []
        blocks: list[Block] = []
        rest: Node | None = node
        while rest is not None and rest.type == "if_statement":
            tests.append(self._expressions.lower(field(rest, "condition")))
            blocks.append(self._body(field(rest, "consequence")))
            rest = rest.child_by_field_name("alternative")
        blocks.append(self._body(rest) if rest is not None else ())
        return [make(StmtKind.IF, node, "", tests, tuple(blocks))]

    def _body(self, node: Node) -> Block:
        return tuple(self.statement(node))

    def _loop(self, label: str, node: Node) -> list[Stmt]:
        test = self._expressions.lower(field(node, "condition"))
        return [make(StmtKind.LOOP, node, label, (test,), (self._body(field(node, "body")), ()))]

    def _for(self, node: Node) -> list[Stmt]:
        found: list[Stmt] = []
        for start in node.children_by_field_name("init"):
            found += self.variables(start) if start.type == "local_variable_declaration" else [self.effect(start)]
        condition = node.child_by_field_name("condition")
        always = Expr(ExprKind.CONSTANT, "true", (), line(node))
        test = self._expressions.lower(condition) if condition is not None else always
        body = list(self._body(field(node, "body")))
        body += [self.effect(update) for update in node.children_by_field_name("update")]
        found.append(make(StmtKind.LOOP, node, "while", (test,), (tuple(body), ())))
        return found

    def _for_each(self, node: Node) -> list[Stmt]:
        header = self._expressions.all((field(node, "name"), field(node, "value")))
        return [make(StmtKind.LOOP, node, "for", header, (self._body(field(node, "body")), ()))]

    def _try(self, node: Node) -> list[Stmt]:
        resources = node.child_by_field_name("resources")
        contexts = self._resources(resources) if resources is not None else []
        body = self.block(field(node, "body"))
        if resources is not None:
            body = (make(StmtKind.WITH, node, "", contexts, (body,)),)
        handlers: list[Stmt] = []
        last: Block = ()
        for child in named(node):
            if child.type == "catch_clause":
                handlers.append(self._handler(child))
            elif child.type == "finally_clause":
                last = self.block(named(child)[0])
        if resources is not None and not handlers and not last:
            return list(body)
        return [make(StmtKind.TRY, node, "", (), (body, tuple(handlers), (), last))]

    def _resources(self, node: Node) -> list[Expr]:
        contexts = []
        for resource in named(node):
            value = resource.child_by_field_name("value")
            if value is None:
                contexts.append(self._expressions.lower(named(resource)[-1]))
                continue
            target = self._expressions.lower(field(resource, "name"))
            parts = (target, self._expressions.lower(value))
            contexts.append(Expr(ExprKind.ASSIGN, "=", parts, line(resource)))
        return contexts

    def _handler(self, node: Node) -> Stmt:
        parameter = next(child for child in named(node) if child.type == "catch_formal_parameter")
        types = next(child for child in named(parameter) if child.type == "catch_type")
        caught = [neutral.dotted_name(text(child), line(child)) for child in named(types)]
        body = self.block(field(node, "body"))
        return make(StmtKind.HANDLER, node, text(field(parameter, "name")), caught, (body,))

    def _synchronized(self, node: Node) -> list[Stmt]:
        lock = self._expressions.lower(named(node)[0])
        return [make(StmtKind.WITH, node, "synchronized", (lock,), (self.block(field(node, "body")),))]

    def _switch(self, node: Node) -> list[Stmt]:
        from scaffold_cli.syntax.java_switch import switch_statement

        return [switch_statement(node, self._expressions, self)]


def _answered(case: Stmt) -> Stmt:
    """A CASE that ends in its value, as one that returns it."""
    body = case.blocks[0]
    if body and body[-1].kind is StmtKind.EXPR:
        body = (*body[:-1], body[-1]._replace(kind=StmtKind.RETURN))
    return case._replace(blocks=(body, *case.blocks[1:]))
