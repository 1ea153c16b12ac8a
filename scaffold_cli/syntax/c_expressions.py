"""C and C++ expressions, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax import c_literals as literals
from scaffold_cli.syntax.nodes import field, line, named, text
from scaffold_cli.syntax.outline import MAX_DEPTH, Block, Expr, ExprKind

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = (
    "identifier",
    "field_identifier",
    "type_identifier",
    "namespace_identifier",
    "statement_identifier",
    "operator_name",
    "destructor_name",
    "this",
)
_TYPES = (
    "type_descriptor",
    "primitive_type",
    "sized_type_specifier",
    "struct_specifier",
    "union_specifier",
    "enum_specifier",
    "template_type",
    "placeholder_type_specifier",
    "dependent_type",
    "decltype",
)
_CASTS = frozenset({"static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"})
_LITERALS = ("string_literal", "raw_string_literal", "char_literal", "system_lib_string")
_GROUPS = ("parenthesized_expression", "condition_clause", "init_statement", "attributed_expression")


class Nested(Protocol):
    """What expressions hand to others: functions."""

    def lambda_value(self, node: Node, name: str) -> Expr:
        """List a lambda under `name`, or under a made-up one when that is empty."""
        ...


class Expressions:
    """Lowers expressions; deeper than `MAX_DEPTH` becomes OTHER, and so does what does not parse."""

    def __init__(self) -> None:
        self.nested: Nested
        self.assigned: set[str] = set()
        """Variables the function being read gives a value after they were declared."""
        self._depth = 0
        self._table: dict[str, Callable[[Node], Expr]] = {
            "null": lambda node: building.null(line(node)),
            "nullptr": lambda node: building.null(line(node)),
            "true": lambda node: Expr(ExprKind.CONSTANT, "true", (), line(node)),
            "false": lambda node: Expr(ExprKind.CONSTANT, "false", (), line(node)),
            "number_literal": lambda node: literals.number(text(node), line(node)),
            "concatenated_string": self._concatenated,
            "call_expression": self._call,
            "field_expression": self._member,
            "subscript_expression": self._subscript,
            "unary_expression": self._unary,
            "pointer_expression": self._unary,
            "update_expression": self._unary,
            "binary_expression": self._binary,
            "assignment_expression": self._assignment,
            "conditional_expression": self._conditional,
            "cast_expression": self._cast,
            "sizeof_expression": self._measure,
            "alignof_expression": self._measure,
            "offsetof_expression": self._measure,
            "comma_expression": self._comma,
            "compound_literal_expression": self._compound_literal,
            "initializer_list": self._collection,
            "initializer_pair": self._pair,
            "argument_list": self._collection,
            "qualified_identifier": self._qualified,
            "template_function": self._template,
            "template_method": self._template,
            "dependent_name": lambda node: self.lower(named(node)[-1]),
            "new_expression": self._new,
            "delete_expression": lambda node: self._prefixed("delete", node),
            "co_await_expression": lambda node: self._prefixed("await", node),
            "parameter_pack_expansion": lambda node: self._prefixed("*", node),
            "lambda_expression": lambda node: self.nested.lambda_value(node, ""),
            "ERROR": self._broken,
        }
        for kind in _NAMES:
            self._table[kind] = lambda node: building.name(text(node), line(node))
        for kind in _TYPES:
            self._table[kind] = lambda node: Expr(ExprKind.TYPE, type_text(node), (), line(node))
        for kind in _LITERALS:
            self._table[kind] = lambda node: literals.string(text(node), line(node))
        for kind in _GROUPS:
            self._table[kind] = lambda node: self.lower(named(node)[-1])

    def lower(self, node: Node) -> Expr:
        """One expression. In a tree with errors a promised part may be missing; then only its text is kept."""
        handler = self._table.get(node.type)
        if handler is None:
            return Expr(ExprKind.OTHER, building.shortened(text(node)), (), line(node))
        if self._depth >= MAX_DEPTH:
            return Expr(ExprKind.OTHER, "(nested too deeply)", (), line(node))
        self._depth += 1
        try:
            return handler(node)
        except (ValueError, IndexError):
            return Expr(ExprKind.OTHER, building.shortened(text(node)), (), line(node))
        finally:
            self._depth -= 1

    def all(self, nodes: Iterable[Node]) -> tuple[Expr, ...]:
        """Several expressions."""
        return tuple([self.lower(node) for node in nodes])

    def fresh(self, build: Callable[[], Block]) -> Block:
        """Build the body of a function: its expressions are counted from the top again."""
        depth, self._depth = self._depth, 0
        assigned, self.assigned = self.assigned, set()
        try:
            return build()
        finally:
            self._depth = depth
            self.assigned |= assigned

    def construct(self, made: Node, arguments: Node | None) -> Expr:
        """``new T(a)`` and ``T x(a)``: a call that makes a T."""
        parts = self.all(named(arguments)) if arguments is not None else ()
        return Expr(ExprKind.CALL, "new", (building.name(type_text(made), line(made)), *parts), line(made))

    def _broken(self, node: Node) -> Expr:
        parts = self.all([child for child in named(node) if child.type in self._table])
        return Expr(ExprKind.OTHER, building.shortened(text(node)), parts, line(node))

    def _concatenated(self, node: Node) -> Expr:
        """Adjacent literals are one string, or a format with the macros between them."""
        parts = self.all(named(node))
        if all(part.kind is ExprKind.STRING for part in parts):
            return Expr(ExprKind.STRING, "".join([part.text for part in parts]), (), line(node))
        return Expr(ExprKind.FORMAT, "", parts, line(node))

    def _call(self, node: Node) -> Expr:
        function, arguments = field(node, "function"), self.all(named(field(node, "arguments")))
        if function.type == "template_function" and text(field(function, "name")) in _CASTS and len(arguments) == 1:
            return Expr(ExprKind.CAST, type_text(field(function, "arguments"))[1:-1], arguments, line(node))
        return Expr(ExprKind.CALL, "", (self.lower(function), *arguments), line(node))

    def _member(self, node: Node) -> Expr:
        """``a.b`` and ``a->b`` alike."""
        member = field(node, "field")
        label = text(field(member, "name")) if member.type == "template_method" else text(member)
        return Expr(ExprKind.ATTRIBUTE, label, (self.lower(field(node, "argument")),), line(member))

    def _qualified(self, node: Node) -> Expr:
        """``a::b::c`` as attributes, template arguments left out."""
        words = [word.partition("<")[0].strip() for word in _without_brackets(text(node)).split("::")]
        found = building.name(next((word for word in words if word), ""), line(node))
        for word in [word for word in words if word][1:]:
            found = Expr(ExprKind.ATTRIBUTE, word, (found,), line(node))
        return found

    def _template(self, node: Node) -> Expr:
        return building.name(text(field(node, "name")), line(node))

    def _subscript(self, node: Node) -> Expr:
        indices = node.child_by_field_name("indices")
        index = named(indices)[0] if indices is not None else field(node, "index")
        return Expr(ExprKind.SUBSCRIPT, "", self.all([field(node, "argument"), index]), line(node))

    def _unary(self, node: Node) -> Expr:
        operator = text(field(node, "operator"))
        operator = "!" if operator == "not" else operator
        return building.unary(operator, self.lower(field(node, "argument")), line(node))

    def _binary(self, node: Node) -> Expr:
        operator = _operator(node)
        operands = [field(node, "right")]
        left = _bare(field(node, "left"))
        if operator not in building.COMPARISONS:
            while left.type == "binary_expression" and _operator(left) == operator:
                operands.append(field(left, "right"))
                left = _bare(field(left, "left"))
        operands.append(left)
        return building.operation(operator, self.all(operands[::-1]), line(node))

    def _assignment(self, node: Node) -> Expr:
        parts = self.all([field(node, "left"), field(node, "right")])
        self.assigned.add(parts[0].text)
        return Expr(ExprKind.ASSIGN, text(field(node, "operator")), parts, line(node))

    def _conditional(self, node: Node) -> Expr:
        """GNU's ``a ?: b`` has no middle: there it is `a` itself."""
        test = self.lower(field(node, "condition"))
        middle = node.child_by_field_name("consequence")
        then = self.lower(middle) if middle is not None else test
        return Expr(ExprKind.CONDITIONAL, "", (test, then, self.lower(field(node, "alternative"))), line(node))

    def _cast(self, node: Node) -> Expr:
        return Expr(ExprKind.CAST, type_text(field(node, "type")), (self.lower(field(node, "value")),), line(node))

    def _measure(self, node: Node) -> Expr:
        """``sizeof x``, ``sizeof(T)`` and ``offsetof(T, a)`` as calls."""
        word = building.name(text(node.children[0]), line(node))
        return Expr(ExprKind.CALL, "", (word, *self.all(named(node))), line(node))

    def _comma(self, node: Node) -> Expr:
        parts = self.all(unchained(node))
        return Expr(ExprKind.COLLECTION, "tuple", parts, line(node))

    def _compound_literal(self, node: Node) -> Expr:
        made, body = field(node, "type"), field(node, "value")
        return Expr(ExprKind.CALL, "new", (building.name(type_text(made), line(made)), *self._items(body)), line(node))

    def _collection(self, node: Node) -> Expr:
        return Expr(ExprKind.COLLECTION, "array", self._items(node), line(node))

    def _items(self, node: Node) -> tuple[Expr, ...]:
        return self.all(named(node))

    def _pair(self, node: Node) -> Expr:
        """``.a = 1`` is a named argument, ``[2] = 1`` a pair."""
        key, value = named(node)[0], self.lower(field(node, "value"))
        if key.type == "field_designator":
            return Expr(ExprKind.KEYWORD, text(named(key)[0]), (value,), line(node))
        index = named(key)[0] if named(key) else key
        return Expr(ExprKind.PAIR, "", (self.lower(index), value), line(node))

    def _new(self, node: Node) -> Expr:
        return self.construct(field(node, "type"), node.child_by_field_name("arguments"))

    def _prefixed(self, operator: str, node: Node) -> Expr:
        return building.unary(operator, self.lower(named(node)[-1]), line(node))


def type_text(node: Node) -> str:
    """A type on one line."""
    return " ".join(text(node).split())


def unchained(node: Node) -> list[Node]:
    """The expressions that commas part, in order."""
    found, waiting = [], [node]
    while waiting:
        one = waiting.pop()
        if one.type == "comma_expression":
            waiting += [field(one, "right"), field(one, "left")]
        else:
            found.append(one)
    return found


def _operator(node: Node) -> str:
    written = text(field(node, "operator"))
    return {"and": "&&", "or": "||", "not_eq": "!="}.get(written, written)


def _bare(node: Node) -> Node:
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    return node


def _without_brackets(source: str) -> str:
    """A qualified name without template arguments, whose own ``::`` part nothing."""
    kept, depth = [], 0
    for character in source:
        depth += (character == "<") - (character == ">")
        if depth == 0 and character != ">":
            kept.append(character)
    return "".join(kept)
