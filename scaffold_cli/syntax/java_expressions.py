"""Java expressions, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax import java_neutral as neutral
from scaffold_cli.syntax.nodes import field, leaf, line, named, operation, text
from scaffold_cli.syntax.outline import MAX_DEPTH, Block, Expr, ExprKind, Function, Param

if TYPE_CHECKING:
    from tree_sitter import Node

STAND_INS = {"$his": "this", "$uper": "super"}
"""Names that stand in the text we parse for ``this(...)`` and ``super(...)`` where the grammar does not know them."""


_LEAVES = {
    "identifier": ExprKind.NAME,
    "type_identifier": ExprKind.NAME,
    "this": ExprKind.NAME,
    "super": ExprKind.NAME,
    "underscore_pattern": ExprKind.NAME,
    "null_literal": ExprKind.CONSTANT,
    "true": ExprKind.CONSTANT,
    "false": ExprKind.CONSTANT,
}
"""Nodes that read as they are spelled."""


class Nested(Protocol):
    """What expressions hand to others: bodies made of statements and of members."""

    def block(self, node: Node) -> Block:
        """The statements of a block."""
        ...

    def anonymous_class(self, body: Node, base: Expr) -> tuple[Expr, ...]:
        """List an anonymous class; the LAMBDAs that stand for its methods."""
        ...

    def params(self, node: Node) -> tuple[Param, ...]:
        """The parameters of a formal parameter list."""
        ...

    def switch_expression(self, node: Node) -> Expr:
        """A switch that yields a value."""
        ...


class Expressions:
    """Lowers expressions; deeper than `MAX_DEPTH` becomes OTHER."""

    def __init__(self, scope: building.Scope) -> None:
        self.nested: Nested
        self._scope = scope
        self._depth = 0
        self._table: dict[str, Callable[[Node], Expr]] = {
            "parenthesized_expression": lambda node: self.lower(_inside(node)),
            "binary_expression": self._binary,
            "unary_expression": lambda node: building.unary(
                text(field(node, "operator")), self.lower(field(node, "operand")), line(node)
            ),
            "update_expression": self._update,
            "assignment_expression": self._assignment,
            "ternary_expression": lambda node: self._fields(
                ExprKind.CONDITIONAL, node, ("condition", "consequence", "alternative")
            ),
            "method_invocation": self._invocation,
            "object_creation_expression": self._creation,
            "array_creation_expression": self._array_creation,
            "array_initializer": self._array,
            "element_value_array_initializer": self._array,
            "field_access": self._field_access,
            "array_access": lambda node: self._fields(ExprKind.SUBSCRIPT, node, ("array", "index")),
            "scoped_identifier": _dotted,
            "scoped_type_identifier": _dotted,
            "generic_type": _dotted,
            "annotated_type": lambda node: self.lower(named(node)[-1]),
            "cast_expression": self._cast,
            "instanceof_expression": self._instanceof,
            "lambda_expression": self._lambda,
            "method_reference": self._method_reference,
            "class_literal": lambda node: _type(named(node)[0]),
            "switch_expression": lambda node: self.nested.switch_expression(node),  # noqa: PLW0108 - `nested` is set later
            "marker_annotation": self.annotation,
            "annotation": self.annotation,
            "string_literal": lambda node: neutral.string(text(node), line(node)),
            "character_literal": lambda node: neutral.string(text(node), line(node)),
            "pattern": lambda node: self.pattern(named(node)[0]),
            "type_pattern": self.pattern,
            "record_pattern": self.pattern,
        }
        for kind in ("decimal", "hex", "octal", "binary"):
            self._table[f"{kind}_integer_literal"] = _number
        for kind in ("decimal", "hex"):
            self._table[f"{kind}_floating_point_literal"] = _number

    def lower(self, node: Node) -> Expr:
        """One expression."""
        kind = node.type
        handler = self._table.get(kind)
        if handler is None and kind not in _LEAVES:
            return Expr(ExprKind.OTHER, building.shortened(text(node)), (), line(node))
        if self._depth >= MAX_DEPTH:
            return Expr(ExprKind.OTHER, "(nested too deeply)", (), line(node))
        if handler is None:
            return leaf(_LEAVES[kind], node)
        self._depth += 1
        result = handler(node)
        self._depth -= 1
        return result

    def all(self, nodes: Sequence[Node]) -> tuple[Expr, ...]:
        """Several expressions."""
        return tuple([self.lower(node) for node in nodes])

    def annotation(self, node: Node) -> Expr:
        """``@A`` and ``@A()`` are a name, ``@A(x = 1)`` a call."""
        function = self.lower(field(node, "name"))
        arguments = node.child_by_field_name("arguments")
        if arguments is None or not named(arguments):
            return function
        parts = [function]
        for child in named(arguments):
            if child.type == "element_value_pair":
                value = self.lower(field(child, "value"))
                parts.append(Expr(ExprKind.KEYWORD, text(field(child, "key")), (value,), line(child)))
            else:
                parts.append(self.lower(child))
        return Expr(ExprKind.CALL, "", tuple(parts), line(node))

    def pattern(self, node: Node) -> Expr:
        """A type or record pattern: TYPE whose parts are the bound names or the patterns of the components."""
        if node.type == "pattern":
            node = named(node)[0]
        parts = [child for child in named(node) if child.type != "modifiers"]
        if node.type == "record_pattern":
            inner = [self.pattern(child) for child in named(parts[1])]
            return Expr(ExprKind.TYPE, neutral.clean_type(text(parts[0])), tuple(inner), line(node))
        if len(parts) == 1:
            return _name(parts[0])
        bound = tuple(_name(child) for child in parts[1:])
        return Expr(ExprKind.TYPE, neutral.clean_type(text(parts[0])), bound, line(node))

    def _fields(self, kind: ExprKind, node: Node, labels: Sequence[str]) -> Expr:
        return Expr(kind, "", tuple([self.lower(field(node, label)) for label in labels]), line(node))

    def _binary(self, node: Node) -> Expr:
        left, operator, right = operation(node)
        operands = [right]
        left = _bare(left)
        if operator not in building.COMPARISONS:
            while left.type == "binary_expression" and (parts := operation(left))[1] == operator:
                operands.append(parts[2])
                left = _bare(parts[0])
        operands.append(left)
        return building.operation(operator, self.all(operands[::-1]), line(node))

    def _update(self, node: Node) -> Expr:
        operator = next(child.type for child in node.children if not child.is_named)
        return building.unary(operator, self.lower(named(node)[0]), line(node))

    def _assignment(self, node: Node) -> Expr:
        parts = (self.lower(field(node, "left")), self.lower(field(node, "right")))
        return Expr(ExprKind.ASSIGN, text(field(node, "operator")), parts, line(node))

    def _invocation(self, node: Node) -> Expr:
        function_name = field(node, "name")
        receiver = node.child_by_field_name("object")
        function = self._member(node, receiver, function_name) if receiver is not None else _name(function_name)
        if function.text in STAND_INS:
            function = function._replace(text=STAND_INS[function.text])
        arguments = self.all(named(field(node, "arguments")))
        return Expr(ExprKind.CALL, "", (function, *arguments), line(node))

    def _field_access(self, node: Node) -> Expr:
        return self._member(node, field(node, "object"), field(node, "field"))

    def _member(self, node: Node, receiver: Node, member: Node) -> Expr:
        target = self.lower(receiver)
        if node.child_count > 4 and any(child.type == "super" for child in node.children[1:]):
            target = Expr(ExprKind.ATTRIBUTE, "super", (target,), line(node))  # Outer.super.member
        return Expr(ExprKind.ATTRIBUTE, text(member), (target,), line(member))

    def _creation(self, node: Node) -> Expr:
        made = field(node, "type")
        function = _dotted(made)
        children = named(node)
        if children[0] != made and not children[0].type.endswith("annotation"):  # outer.new Inner()
            function = Expr(ExprKind.ATTRIBUTE, text(made), (self.lower(children[0]),), line(made))
        arguments = self.all(named(field(node, "arguments")))
        body: tuple[Expr, ...] = ()
        if children[-1].type == "class_body":
            body = self.nested.anonymous_class(children[-1], function)
        return Expr(ExprKind.CALL, "new", (function, *arguments, *body), line(node))

    def _array_creation(self, node: Node) -> Expr:
        value = node.child_by_field_name("value")
        if value is not None:
            return self._array(value)
        sizes = [named(child)[-1] for child in named(node) if child.type == "dimensions_expr"]
        brackets = "".join("[]" * text(child).count("[") for child in node.children_by_field_name("dimensions"))
        made = Expr(ExprKind.TYPE, neutral.clean_type(text(field(node, "type"))) + brackets, (), line(node))
        return Expr(ExprKind.CALL, "new", (made, *self.all(sizes)), line(node))

    def _array(self, node: Node) -> Expr:
        return Expr(ExprKind.COLLECTION, "array", self.all(named(node)), line(node))

    def _cast(self, node: Node) -> Expr:
        types = "&".join(neutral.clean_type(text(child)) for child in node.children_by_field_name("type"))
        return Expr(ExprKind.CAST, types, (self.lower(field(node, "value")),), line(node))

    def _instanceof(self, node: Node) -> Expr:
        left = self.lower(field(node, "left"))
        matched = node.child_by_field_name("pattern")
        if matched is not None:
            right = self.pattern(matched)
        else:
            right = _type(field(node, "right"))
            bound = node.child_by_field_name("name")
            if bound is not None:
                right = right._replace(parts=(_name(bound),))
        return Expr(ExprKind.COMPARE, "instanceof", (left, right), line(node))

    def _lambda(self, node: Node) -> Expr:
        parameters = field(node, "parameters")
        if parameters.type == "formal_parameters":
            params = self.nested.params(parameters)
        else:
            names = [parameters] if parameters.type == "identifier" else named(parameters)
            params = tuple(Param(text(child), None, "") for child in names)
        body = field(node, "body")
        if body.type != "block":
            found = [building.name(param.name, line(parameters)) for param in params]
            return Expr(ExprKind.LAMBDA, "", (self.lower(body), *found), line(node))
        return self.function_of("lambda", node, params, lambda: self.nested.block(body))

    def function_of(self, word: str, node: Node, params: tuple[Param, ...], body: Callable[[], Block]) -> Expr:
        """List an unnamed function with statements; the LAMBDA that stands for it."""
        short = self._scope.unnamed(word)
        dotted, owner = self._scope.dotted(short), self._scope.owner
        depth, self._depth = self._depth, 0
        with self._scope.inside_function(short):
            statements = body()
        self._depth = depth
        end = node.end_point[0] + 1
        made = Function(dotted, params, statements, line(node), end, owner=owner, is_public=False)
        self._scope.functions.append(made)
        return Expr(ExprKind.LAMBDA, dotted, (), line(node))

    def _method_reference(self, node: Node) -> Expr:
        children = named(node)
        target = children[0]
        member = text(children[-1]) if len(children) > 1 else "new"
        if target.type in ("array_type", "integral_type", "floating_point_type", "boolean_type"):
            return Expr(ExprKind.ATTRIBUTE, member, (_type(target),), line(node))
        return Expr(ExprKind.ATTRIBUTE, member, (self.lower(target),), line(node))


def _name(node: Node) -> Expr:
    return leaf(ExprKind.NAME, node)


def _dotted(node: Node) -> Expr:
    return neutral.dotted_name(text(node), line(node))


def _type(node: Node) -> Expr:
    return Expr(ExprKind.TYPE, neutral.clean_type(text(node)), (), line(node))


def _number(node: Node) -> Expr:
    return neutral.number(text(node), line(node))


def _inside(node: Node) -> Node:
    return named(node)[0]


def _bare(node: Node) -> Node:
    while node.type == "parenthesized_expression":
        node = _inside(node)
    return node
