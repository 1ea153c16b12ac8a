"""Java classes, members and parameters, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scaffold_cli.syntax import building
from scaffold_cli.syntax import java_neutral as neutral
from scaffold_cli.syntax.java_expressions import Expressions
from scaffold_cli.syntax.java_statements import Statements
from scaffold_cli.syntax.java_switch import switch_expression
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Class, Expr, ExprKind, Function, Param, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}


class Declarations:
    """Lowers classes and their members, listing them in the scope."""

    def __init__(self, scope: building.Scope, expressions: Expressions, statements: Statements) -> None:
        self._scope = scope
        self._expressions = expressions
        self._statements = statements
        self._members: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "field_declaration": self._fields,
            "constant_declaration": self._fields,
            "method_declaration": self._method,
            "constructor_declaration": self._method,
            "compact_constructor_declaration": self._method,
            "annotation_type_element_declaration": self._element,
            "enum_constant": self._constant,
            "enum_body_declarations": self.members,
            "static_initializer": lambda node: statements.block(named(node)[-1]),
            "block": statements.block,
        }
        for kind in _KINDS:
            self._members[kind] = lambda node: (self.definition(node),)
        self._record: tuple[Param, ...] = ()

    def definition(self, node: Node) -> Stmt:
        """List a class or a method; the marker that stands for it."""
        return self._class(node) if node.type in _KINDS else self._method(node)[0]

    def block(self, node: Node) -> Block:
        """The statements of a block."""
        return self._statements.block(node)

    def switch_expression(self, node: Node) -> Expr:
        """A switch that yields a value."""
        return switch_expression(node, self._expressions, self._statements)

    def anonymous_class(self, body: Node, base: Expr) -> tuple[Expr, ...]:
        """List an anonymous class; the LAMBDAs that stand for its methods."""
        short = self._scope.unnamed("anonymous")
        dotted = self._scope.dotted(short)
        with self._scope.inside_class(short, False):
            members = self.members(body)
        made = Class(dotted, (base,), members, line(body), body.end_point[0] + 1, is_public=False, kind="anonymous")
        self._scope.classes.append(made)
        methods = [member for member in members if member.kind is StmtKind.FUNCTION]
        return tuple([Expr(ExprKind.LAMBDA, method.text, (), method.line) for method in methods])

    def params(self, node: Node) -> tuple[Param, ...]:
        """The parameters of a formal parameter list, the receiver left out."""
        found = []
        for child in named(node):
            if child.type == "formal_parameter":
                kind = neutral.clean_type(text(field(child, "type"))) + _dimensions(child)
                found.append(Param(text(field(child, "name")), None, kind, self._annotations(child)))
            elif child.type == "spread_parameter":
                element, declarator = [part for part in named(child) if part.type != "modifiers"][-2:]
                name = text(field(declarator, "name")) if declarator.type == "variable_declarator" else text(declarator)
                kind = neutral.clean_type(text(element)) + "..."
                found.append(Param(f"...{name}", None, kind, self._annotations(child)))
        return tuple(found)

    def _annotations(self, node: Node) -> tuple[Expr, ...]:
        found = (child for child in node.children if child.type == "modifiers")
        marks = [child for part in found for child in named(part) if child.type.endswith("annotation")]
        return self._expressions.all(marks) if marks else ()

    def _class(self, node: Node) -> Stmt:
        short = text(field(node, "name"))
        dotted, modifiers = self._scope.dotted(short), _modifiers(node)
        is_public = neutral.is_public(self._scope, modifiers)
        decorators = self._annotations(node)
        kind = _KINDS[node.type]
        record, self._record = self._record, ()
        with self._scope.inside_class(short, is_public, kind in ("interface", "annotation")):
            members: list[Stmt] = []
            if kind == "record":
                self._record = self.params(field(node, "parameters"))
                members += self._components(node)
            members += self.members(field(node, "body"))
        self._record = record
        end = node.end_point[0] + 1
        bases = self._bases(node)
        made = Class(dotted, bases, tuple(members), line(node), end, decorators, modifiers, is_public, kind)
        self._scope.classes.append(made)
        return make(StmtKind.CLASS, node, dotted)

    def _bases(self, node: Node) -> tuple[Expr, ...]:
        bases: list[Expr] = []
        for child in named(node):
            if child.type == "superclass":
                bases += _types([child])
            elif child.type in ("super_interfaces", "extends_interfaces"):
                bases += _types(named(child))
            elif child.type == "permits":
                bases.append(Expr(ExprKind.KEYWORD, "permits", tuple(_types(named(child))), line(child)))
        return tuple(bases)

    def members(self, node: Node) -> Block:
        """The members of a class body."""
        members: list[Stmt] = []
        for child in named(node):
            handler = self._members.get(child.type)
            if handler is not None:
                members.extend(handler(child))
            else:
                members.append(make(StmtKind.OTHER, child, building.shortened(text(child))))
        return tuple(members)

    def _components(self, node: Node) -> list[Stmt]:
        """A record's components are fields that its constructor sets."""
        found = []
        for param in self._record:
            target = building.name(param.name.lstrip("."), line(node))
            found += self._annotated(param.annotations, [make(StmtKind.ASSIGN, node, "=", (_null(node), target))])
        return found

    def _fields(self, node: Node) -> list[Stmt]:
        return self._annotated(self._annotations(node), self._statements.variables(node))

    def _annotated(self, annotations: Sequence[Expr], fields: list[Stmt]) -> list[Stmt]:
        """Fields, each after the annotations it carries."""
        found = []
        for one in fields:
            found += [
                Stmt(StmtKind.ANNOTATION, "", (annotation, one.exprs[1]), (), annotation.line, annotation.line)
                for annotation in annotations
            ]
            found.append(one)
        return found

    def _constant(self, node: Node) -> list[Stmt]:
        made = building.name(self._scope.class_name, line(node))
        arguments = node.child_by_field_name("arguments")
        parts = [made, *self._expressions.all(named(arguments) if arguments is not None else [])]
        body = node.child_by_field_name("body")
        if body is not None:
            parts += self.anonymous_class(body, made)
        value = Expr(ExprKind.CALL, "new", tuple(parts), line(node))
        target = self._expressions.lower(field(node, "name"))
        return self._annotated(self._annotations(node), [make(StmtKind.ASSIGN, node, "=", (value, target))])

    def _method(self, node: Node) -> list[Stmt]:
        name = field(node, "name")
        short = text(name) if node.type == "method_declaration" else neutral.CONSTRUCTOR
        parameters = node.child_by_field_name("parameters")
        params = self.params(parameters) if parameters is not None else self._record
        returns = node.child_by_field_name("type")
        spelled = neutral.clean_type(text(returns)) + _dimensions(node) if returns is not None else ""
        return [self._function(node, short, params, spelled, node.child_by_field_name("body"))]

    def _element(self, node: Node) -> list[Stmt]:
        """An element of an annotation type: a method that returns its default."""
        spelled = neutral.clean_type(text(field(node, "type")))
        return [self._function(node, text(field(node, "name")), (), spelled, node.child_by_field_name("value"))]

    def _function(self, node: Node, short: str, params: tuple[Param, ...], returns: str, body: Node | None) -> Stmt:
        dotted, owner, modifiers = self._scope.dotted(short), self._scope.owner, _modifiers(node)
        is_public = neutral.is_public(self._scope, modifiers)
        decorators = self._annotations(node)
        statements: Block = ()
        with self._scope.inside_function(short):
            if body is not None and body.type in ("block", "constructor_body"):
                statements = self._statements.block(body)
            elif body is not None:
                statements = (make(StmtKind.RETURN, body, "", (self._expressions.lower(body),)),)
        if body is None and "native" not in modifiers:
            modifiers |= {"abstract"}
        start, end = line(field(node, "name")), node.end_point[0] + 1
        self._scope.functions.append(
            Function(dotted, params, statements, start, end, decorators, modifiers, owner, returns, is_public)
        )
        return Stmt(StmtKind.FUNCTION, dotted, (), (), start, end)


def _modifiers(node: Node) -> frozenset[str]:
    words = next((child for child in node.children if child.type == "modifiers"), None)
    return frozenset(child.type for child in words.children if not child.is_named) if words is not None else frozenset()


def _types(nodes: Sequence[Node]) -> list[Expr]:
    """The types listed directly below these nodes, as names."""
    return [neutral.dotted_name(text(child), line(child)) for node in nodes for child in named(node)]


def _dimensions(node: Node) -> str:
    brackets = node.child_by_field_name("dimensions")
    return "[]" * text(brackets).count("[") if brackets is not None else ""


def _null(node: Node) -> Expr:
    return building.null(line(node))
