"""JavaScript and TypeScript expressions, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax import javascript_literals as literals
from scaffold_cli.syntax.nodes import field, line, named, text
from scaffold_cli.syntax.outline import MAX_DEPTH, Block, Expr, ExprKind

if TYPE_CHECKING:
    from tree_sitter import Node

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_COMPARE = {"===": "==", "!==": "!=", "in": "in", "instanceof": "instanceof"}
_UNNAMED_PARTS = ("parenthesized_expression", "non_null_expression", "satisfies_expression", "instantiation_expression")


class Nested(Protocol):
    """What expressions hand to others: functions and classes."""

    def function_value(self, node: Node, name: str) -> Expr:
        """A function as a value; listed under `name`, or under a made-up one when that is empty."""
        ...

    def class_value(self, node: Node, name: str) -> Expr:
        """A class as a value."""
        ...

    def method(self, node: Node) -> Expr:
        """A method of an object literal."""
        ...

    def object_scope(self, name: str, node: Node, build: Callable[[Node], Expr]) -> Expr:
        """Build an object whose functions belong to `name`."""
        ...


class Expressions:
    """Lowers expressions; deeper than `MAX_DEPTH` becomes OTHER."""

    def __init__(self) -> None:
        self.nested: Nested
        self._depth = 0
        self._table: dict[str, Callable[[Node], Expr]] = {
            "undefined": lambda node: building.null(line(node)),
            "null": lambda node: building.null(line(node)),
            "true": _constant,
            "false": _constant,
            "number": lambda node: literals.number(text(node), line(node)),
            "string": lambda node: literals.string(text(node)[1:-1], line(node)),
            "regex": _regex,
            "template_string": self._template,
            "binary_expression": self._binary,
            "unary_expression": lambda node: building.unary(
                text(field(node, "operator")), self.lower(field(node, "argument")), line(node)
            ),
            "update_expression": lambda node: building.unary(
                text(field(node, "operator")), self.lower(field(node, "argument")), line(node)
            ),
            "await_expression": lambda node: building.unary("await", self.lower(named(node)[0]), line(node)),
            "yield_expression": lambda node: Expr(ExprKind.UNARY, "yield", self.all(named(node)), line(node)),
            "spread_element": lambda node: building.unary("*", self.lower(named(node)[0]), line(node)),
            "rest_pattern": lambda node: building.unary("*", self.lower(named(node)[0]), line(node)),
            "assignment_expression": self._assignment,
            "augmented_assignment_expression": self._assignment,
            "assignment_pattern": self._assignment,
            "object_assignment_pattern": self._assignment,
            "ternary_expression": lambda node: self._fields(
                ExprKind.CONDITIONAL, node, ("condition", "consequence", "alternative")
            ),
            "member_expression": self._member,
            "nested_identifier": self._member,
            "subscript_expression": lambda node: self._fields(ExprKind.SUBSCRIPT, node, ("object", "index")),
            "call_expression": self._call,
            "new_expression": self._new,
            "array": lambda node: self._collection("array", node),
            "array_pattern": lambda node: self._collection("array", node),
            "object": self._object,
            "object_pattern": self._object,
            "class": lambda node: self.nested.class_value(node, ""),
            "as_expression": self._cast,
            "type_assertion": self._cast,
            "jsx_element": self._jsx,
            "jsx_self_closing_element": self._jsx,
            "jsx_expression": lambda node: self._only(named(node), node),
            "jsx_text": lambda node: literals.string(" ".join(text(node).split()), line(node)),
            "sequence_expression": lambda node: Expr(ExprKind.OTHER, ",", self.all(named(node)), line(node)),
        }
        for kind in ("identifier", "this", "super", "property_identifier", "private_property_identifier", "import"):
            self._table[kind] = _name
        for kind in ("shorthand_property_identifier", "shorthand_property_identifier_pattern", "type_identifier"):
            self._table[kind] = _name
        for kind in _UNNAMED_PARTS:
            self._table[kind] = lambda node: self.lower(named(node)[0])
        for kind in FUNCTIONS:
            self._table[kind] = lambda node: self.nested.function_value(node, "")

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

    def fresh(self, build: Callable[[], Block]) -> Block:
        """Build the body of a function: its expressions are counted from the top again."""
        depth, self._depth = self._depth, 0
        try:
            return build()
        finally:
            self._depth = depth

    def all(self, nodes: Sequence[Node]) -> tuple[Expr, ...]:
        """Several expressions."""
        return tuple([self.lower(node) for node in nodes])

    def named_value(self, node: Node, name: str) -> Expr:
        """An expression that is given a name: functions and classes in it are listed under that name."""
        if node.type in FUNCTIONS:
            return self.nested.function_value(node, name)
        if node.type == "class":
            return self.nested.class_value(node, name)
        if node.type == "object":
            return self.nested.object_scope(name, node, self.lower)
        return self.lower(node)

    def target_name(self, node: Node) -> str:
        """What a function is called that is assigned to `node`; empty when that says nothing."""
        parts = [part for part in text(node).replace("?.", ".").split(".") if part != "prototype"]
        if not all(part.lstrip("#").isidentifier() for part in parts):
            return ""
        while len(parts) > 1 and parts[0] in ("module", "exports", "this"):
            parts = parts[1:]
        return ".".join(parts)

    def _only(self, children: Sequence[Node], node: Node) -> Expr:
        return self.lower(children[0]) if children else building.null(line(node))

    def _fields(self, kind: ExprKind, node: Node, labels: Sequence[str]) -> Expr:
        return Expr(kind, "", tuple([self.lower(field(node, label)) for label in labels]), line(node))

    def _template(self, node: Node) -> Expr:
        parts = []
        for child in named(node):
            if child.type == "template_substitution":
                parts.append(self._only(named(child), child))
            elif parts and parts[-1].kind is ExprKind.STRING:
                parts[-1] = parts[-1]._replace(text=parts[-1].text + literals.unescape(text(child)))
            else:
                parts.append(literals.string(text(child), line(child)))
        if not parts:
            return literals.string("", line(node))
        if len(parts) == 1 and parts[0].kind is ExprKind.STRING:
            return parts[0]
        return Expr(ExprKind.FORMAT, "", tuple(parts), line(node))

    def _binary(self, node: Node) -> Expr:
        operator = text(field(node, "operator"))
        operands = [field(node, "right")]
        left = _bare(field(node, "left"))
        if operator in _COMPARE:
            parts = self.all([left, operands[0]])
            return Expr(ExprKind.COMPARE, _COMPARE[operator], parts, line(node))
        if operator not in building.COMPARISONS and operator != "**":
            while left.type == "binary_expression" and text(field(left, "operator")) == operator:
                operands.append(field(left, "right"))
                left = _bare(field(left, "left"))
        operands.append(left)
        return building.operation(operator, self.all(operands[::-1]), line(node))

    def _assignment(self, node: Node) -> Expr:
        operator = node.child_by_field_name("operator")
        left, right = field(node, "left"), field(node, "right")
        parts = (self.lower(left), self.named_value(right, self.target_name(left)))
        return Expr(ExprKind.ASSIGN, text(operator) if operator is not None else "=", parts, line(node))

    def _member(self, node: Node) -> Expr:
        member = field(node, "property")
        return Expr(ExprKind.ATTRIBUTE, text(member), (self.lower(field(node, "object")),), line(member))

    def _call(self, node: Node) -> Expr:
        function = self.lower(field(node, "function"))
        arguments = field(node, "arguments")
        parts = [arguments] if arguments.type == "template_string" else named(arguments)
        return Expr(ExprKind.CALL, "", (function, *self.all(parts)), line(node))

    def _new(self, node: Node) -> Expr:
        made = self.lower(field(node, "constructor"))
        arguments = node.child_by_field_name("arguments")
        parts = self.all(named(arguments)) if arguments is not None else ()
        return Expr(ExprKind.CALL, "new", (made, *parts), line(node))

    def _collection(self, kind: str, node: Node) -> Expr:
        return Expr(ExprKind.COLLECTION, kind, self.all(named(node)), line(node))

    def _object(self, node: Node) -> Expr:
        return Expr(ExprKind.COLLECTION, "dict", tuple([self._entry(child) for child in named(node)]), line(node))

    def _entry(self, node: Node) -> Expr:
        if node.type in ("pair", "pair_pattern"):
            name = self.key(field(node, "key"))
            short = name.text if name.kind is ExprKind.STRING and name.text.isidentifier() else ""
            return Expr(ExprKind.PAIR, "", (name, self.named_value(field(node, "value"), short)), line(node))
        if node.type == "method_definition":
            return Expr(ExprKind.PAIR, "", (self.key(field(node, "name")), self.nested.method(node)), line(node))
        if node.type in ("spread_element", "rest_pattern"):
            return building.unary("**", self.lower(named(node)[0]), line(node))
        value = self.lower(node)
        key = field(node, "left") if node.type == "object_assignment_pattern" else node
        return Expr(ExprKind.PAIR, "", (Expr(ExprKind.STRING, text(key), (), line(node)), value), line(node))

    def key(self, node: Node) -> Expr:
        """The key of a property: a STRING unless it is computed."""
        if node.type in ("property_identifier", "private_property_identifier"):
            return Expr(ExprKind.STRING, text(node), (), line(node))
        if node.type == "computed_property_name":
            return self.lower(named(node)[0])
        return self.lower(node)

    def _cast(self, node: Node) -> Expr:
        children = named(node)
        if len(children) == 1:  # `as const` names no type
            return self.lower(children[0])
        if node.type == "type_assertion":
            kind, value = named(children[0])[0], children[1]
        else:
            value, kind = children
        spelled = " ".join(text(kind).split())
        return Expr(ExprKind.CAST, spelled, (self.lower(value),), line(node))

    def _jsx(self, node: Node) -> Expr:
        """An element as the call that it becomes: the tag, its attributes by name, its children."""
        opening = node.child_by_field_name("open_tag") or node
        tag = opening.child_by_field_name("name")
        parts = [self.lower(tag) if tag is not None else building.name("Fragment", line(node))]
        for attribute in opening.children_by_field_name("attribute"):
            children = named(attribute)
            if attribute.type != "jsx_attribute":
                parts.append(self.lower(attribute))
                continue
            given = Expr(ExprKind.CONSTANT, "true", (), line(attribute))
            value = self.lower(children[1]) if len(children) > 1 else given
            parts.append(Expr(ExprKind.KEYWORD, text(children[0]), (value,), line(attribute)))
        if opening != node:
            inner = [child for child in named(node) if child.type not in ("jsx_opening_element", "jsx_closing_element")]
            parts += [part for part in self.all(inner) if part.kind is not ExprKind.STRING or part.text]
        return Expr(ExprKind.CALL, "", tuple(parts), line(node))


def _name(node: Node) -> Expr:
    return building.name(text(node), line(node))


def _constant(node: Node) -> Expr:
    return Expr(ExprKind.CONSTANT, text(node), (), line(node))


def _regex(node: Node) -> Expr:
    flags = node.child_by_field_name("flags")
    return literals.regex(text(field(node, "pattern")), text(flags) if flags is not None else "", line(node))


def _bare(node: Node) -> Node:
    while node.type == "parenthesized_expression":
        node = named(node)[0]
    return node
