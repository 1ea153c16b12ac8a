"""Go expressions, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax import go_literals as literals
from scaffold_cli.syntax.nodes import field, line, named, text
from scaffold_cli.syntax.outline import MAX_DEPTH, Block, Expr, ExprKind

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = ("identifier", "field_identifier", "type_identifier", "package_identifier", "blank_identifier", "iota")
_TYPES = (
    "slice_type",
    "array_type",
    "implicit_length_array_type",
    "map_type",
    "channel_type",
    "function_type",
    "struct_type",
    "interface_type",
    "pointer_type",
    "generic_type",
)
_COLLECTIONS = {"map_type": "dict", "slice_type": "array", "array_type": "array", "implicit_length_array_type": "array"}


class Nested(Protocol):
    """What expressions hand to others: functions."""

    def function_value(self, node: Node, name: str) -> Expr:
        """List a function literal under `name`, or under a made-up one when that is empty."""
        ...


class Expressions:
    """Lowers expressions; deeper than `MAX_DEPTH` becomes OTHER."""

    def __init__(self) -> None:
        self.nested: Nested
        self._depth = 0
        self._table: dict[str, Callable[[Node], Expr]] = {
            "nil": lambda node: building.null(line(node)),
            "true": _constant,
            "false": _constant,
            "int_literal": lambda node: literals.number(text(node), line(node)),
            "float_literal": lambda node: literals.number(text(node), line(node)),
            "imaginary_literal": lambda node: literals.number(text(node), line(node)),
            "interpreted_string_literal": lambda node: literals.string(text(node), line(node)),
            "raw_string_literal": lambda node: literals.string(text(node), line(node)),
            "rune_literal": lambda node: literals.string(text(node), line(node)),
            "parenthesized_expression": lambda node: self.lower(named(node)[0]),
            "literal_element": lambda node: self.lower(named(node)[0]),
            "expression_list": self.several,
            "selector_expression": self._selector,
            "qualified_type": self._qualified_type,
            "call_expression": self._call,
            "index_expression": lambda node: Expr(
                ExprKind.SUBSCRIPT, "", self.all([field(node, "operand"), field(node, "index")]), line(node)
            ),
            "slice_expression": self._slice,
            "type_assertion_expression": self._cast,
            "type_conversion_expression": self._cast,
            "unary_expression": self._unary,
            "binary_expression": self._binary,
            "composite_literal": self._composite,
            "literal_value": self._literal_value,
            "func_literal": lambda node: self.nested.function_value(node, ""),
            "variadic_argument": lambda node: building.unary("*", self.lower(named(node)[0]), line(node)),
        }
        for kind in _NAMES:
            self._table[kind] = lambda node: building.name(text(node), line(node))
        for kind in _TYPES:
            self._table[kind] = lambda node: Expr(ExprKind.TYPE, type_text(node), (), line(node))

    def lower(self, node: Node) -> Expr:
        """One expression."""
        handler = self._table.get(node.type)
        if handler is None:
            return Expr(ExprKind.OTHER, building.shortened(text(node)), (), line(node))
        if self._depth >= MAX_DEPTH:
            return Expr(ExprKind.OTHER, "(nested too deeply)", (), line(node))
        self._depth += 1
        result = handler(node)
        self._depth -= 1
        return result

    def all(self, nodes: Sequence[Node]) -> tuple[Expr, ...]:
        """Several expressions."""
        return tuple([self.lower(node) for node in nodes])

    def several(self, node: Node) -> Expr:
        """An expression list: the one expression in it, or a tuple."""
        parts = self.all(named(node))
        return parts[0] if len(parts) == 1 else Expr(ExprKind.COLLECTION, "tuple", parts, line(node))

    def assigned(self, target: Node, value: Node) -> tuple[Expr, Expr]:
        """(value, target) of an assignment; a function literal is listed under the name it gets."""
        values, targets = named(value), named(target)
        if len(values) == len(targets) == 1 and values[0].type == "func_literal" and targets[0].type == "identifier":
            return self.nested.function_value(values[0], text(targets[0])), self.lower(targets[0])
        return self.several(value), self.several(target)

    def fresh(self, build: Callable[[], Block]) -> Block:
        """Build the body of a function: its expressions are counted from the top again."""
        depth, self._depth = self._depth, 0
        try:
            return build()
        finally:
            self._depth = depth

    def _selector(self, node: Node) -> Expr:
        member = field(node, "field")
        return Expr(ExprKind.ATTRIBUTE, text(member), (self.lower(field(node, "operand")),), line(member))

    def _qualified_type(self, node: Node) -> Expr:
        package = building.name(text(field(node, "package")), line(node))
        return Expr(ExprKind.ATTRIBUTE, text(field(node, "name")), (package,), line(node))

    def _call(self, node: Node) -> Expr:
        function = self.lower(field(node, "function"))
        return Expr(ExprKind.CALL, "", (function, *self.all(named(field(node, "arguments")))), line(node))

    def _slice(self, node: Node) -> Expr:
        bounds = [node.child_by_field_name(label) for label in ("start", "end", "capacity")]
        parts = [building.null(line(node)) if bound is None else self.lower(bound) for bound in bounds]
        index = Expr(ExprKind.SLICE, "", tuple(parts), line(node))
        return Expr(ExprKind.SUBSCRIPT, "", (self.lower(field(node, "operand")), index), line(node))

    def _cast(self, node: Node) -> Expr:
        return Expr(ExprKind.CAST, type_text(field(node, "type")), (self.lower(field(node, "operand")),), line(node))

    def _unary(self, node: Node) -> Expr:
        operator = text(field(node, "operator"))
        return building.unary("~" if operator == "^" else operator, self.lower(field(node, "operand")), line(node))

    def _binary(self, node: Node) -> Expr:
        operator = text(field(node, "operator"))
        operands = [field(node, "right")]
        left = _bare(field(node, "left"))
        if operator not in building.COMPARISONS:
            while left.type == "binary_expression" and text(field(left, "operator")) == operator:
                operands.append(field(left, "right"))
                left = _bare(field(left, "left"))
        operands.append(left)
        return building.operation(operator, self.all(operands[::-1]), line(node))

    def _composite(self, node: Node) -> Expr:
        """``T{a: 1}`` makes a T as a call with named arguments; slices, arrays and maps are collections."""
        made, body = field(node, "type"), field(node, "body")
        kind = _COLLECTIONS.get(made.type)
        if kind is not None:
            return Expr(ExprKind.COLLECTION, kind, self._items(body), line(node))
        parts = []
        for item in self._items(body):
            if item.kind is ExprKind.PAIR and item.parts[0].kind is ExprKind.NAME:
                parts.append(Expr(ExprKind.KEYWORD, item.parts[0].text, (item.parts[1],), item.line))
            else:
                parts.append(item)
        return Expr(ExprKind.CALL, "new", (self.lower(made), *parts), line(node))

    def _literal_value(self, node: Node) -> Expr:
        """The braces of an inner literal whose type goes without saying."""
        items = self._items(node)
        kind = "dict" if items and items[0].kind is ExprKind.PAIR else "array"
        return Expr(ExprKind.COLLECTION, kind, items, line(node))

    def _items(self, body: Node) -> tuple[Expr, ...]:
        return tuple([self._item(child) for child in named(body)])

    def _item(self, node: Node) -> Expr:
        if node.type != "keyed_element":
            return self.lower(node)
        key, value = named(node)
        return Expr(ExprKind.PAIR, "", (self.lower(key), self.lower(value)), line(node))


def type_text(node: Node) -> str:
    """A type on one line."""
    return " ".join(text(node).split())


def _constant(node: Node) -> Expr:
    return Expr(ExprKind.CONSTANT, text(node), (), line(node))


def _bare(node: Node) -> Node:
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    return node
