"""Normal forms: one spelling for expressions and conditions that mean the same.

`render` gives a string for any expression. `refusals` gives a condition in disjunctive normal form: a tuple of
conjunctions, each a frozenset of literals, so that ``if a or b`` holds two refusals and ``if not (a and b)`` the
refusals ``!a`` and ``!b``. In the *shape* of an expression every local name is ``_``.
"""

from __future__ import annotations

from collections.abc import Callable

from scaffold_cli.anchoring.library import Library, collection, substituted
from scaffold_cli.anchoring.operands import alternatives, folded, is_literal, sized_operand
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.syntax.outline import Expr, ExprKind

Refusals = tuple[frozenset[str], ...]

_MAX_TERMS = 24
"""More disjuncts than this and the whole condition is one opaque literal."""
_MAX_INLINE = 6
"""How many variables deep a value is followed."""
_MAX_ANSWERS = 3
"""How many one-line functions deep a condition is followed."""
_MAX_TEXT = 300
"""Longest text (in characters) that stands in for a variable."""

_SEEN_THROUGH = frozenset({ExprKind.CAST, ExprKind.UNARY, ExprKind.ASSIGN})
_SELVES = frozenset({"self", "this", "cls"})
_MIRROR = {">": "<", ">=": "<="}
_NEGATION = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<", "in": "not in", "not in": "in"}
_SAME = {"is": "==", "is not": "!="}
_EMPTY_TESTS = frozenset({"isEmpty", "is_empty"})
_ENDS = {"startswith": "0", "startsWith": "0", "endswith": "-1", "endsWith": "-1"}
"""``x.startswith("/")`` says the same as ``x[0] == "/"`` where there is a first character."""
_MEMBERSHIP = frozenset({"contains", "includes", "has"})
_TRANSPARENT_CALLS = frozenset({"bool", "tuple", "list", "cast"})


class Normaliser:
    """Renders expressions of one scope. With `shape`, locals become ``_``; without `inline`, none is followed.

    With a `library`, the file's constants read as their literal and its one-line functions as their answer.
    """

    def __init__(
        self, scope: Scope, *, shape: bool = False, inline: bool = True, library: Library | None = None
    ) -> None:
        self._library = library
        self._answering = 0
        self._scope = scope
        self._inline_values = inline
        self._shape = shape
        self._inlined: list[str] = []
        self._known: dict[str, str] = {}
        self._conditions: dict[tuple[int, bool], tuple[Expr, Refusals]] = {}

    def resolve(self, node: Expr) -> Expr:
        """The value a name stands for, casts and awaits removed."""
        while node.kind in _SEEN_THROUGH:
            if node.kind is ExprKind.CAST or (node.kind is ExprKind.UNARY and node.text == "await"):
                node = node.parts[0]
            elif node.kind is ExprKind.ASSIGN and node.text == "=":
                node = node.parts[1]
            else:
                break
        return node

    def follow(self, node: Expr) -> Expr:
        """The expression a name stands for in the end, or `node` itself."""
        for _ in range(_MAX_INLINE):
            node = self.resolve(node)
            value = self._scope.values.get(node.text) if node.kind is ExprKind.NAME else None
            if value is None:
                break
            node = value
        return node

    def _value(self, node: Expr) -> Expr | None:
        if (
            node.kind is not ExprKind.NAME
            or not self._inline_values
            or len(self._inlined) >= _MAX_INLINE
            or node.text in self._inlined
        ):
            return None
        return self._scope.values.get(node.text)

    def render(self, node: Expr) -> str:
        """One spelling for `node`."""
        kind = node.kind
        if kind in _SEEN_THROUGH:
            node = self.resolve(node)
            kind = node.kind
        if kind is ExprKind.NAME:
            value = self._value(node)
            if value is not None:
                return self._inline(node, value)
        if self._library is not None:
            constant = self._constant(node)
            if constant is not None:
                return self.render(constant)
        return _RENDERERS.get(kind, Normaliser._plain)(self, node)

    def _constant(self, node: Expr) -> Expr | None:
        if self._library is None or node.kind not in (ExprKind.NAME, ExprKind.ATTRIBUTE):
            return None
        is_local = node.kind is ExprKind.NAME and node.text in self._scope.locals
        return None if is_local else self._library.constant(node)

    def _answered(self, node: Expr, holds: bool) -> Refusals | None:
        """What a call of one of the file's one-line functions says, at most a few calls deep."""
        answer = self._library.answer(node) if self._library is not None and self._answering < _MAX_ANSWERS else None
        if answer is None:
            return None
        self._answering += 1
        result = self.refusals(answer, holds)
        self._answering -= 1
        return result

    def _inline(self, node: Expr, value: Expr) -> str:
        """The text of what a name stands for, worked out once; the name itself when that grows too long."""
        known = self._known.get(node.text)
        if known is None:
            self._inlined.append(node.text)
            text = self.render(value)
            self._inlined.pop()
            known = text if len(text) <= _MAX_TEXT else self._name(node)
            self._known[node.text] = known
        return known

    def condition(self, test: Expr, holds: bool) -> Refusals:
        """`refusals` of a test of the source, worked out once: each is asked for by all that stands behind it."""
        key = (id(test), holds)
        known = self._conditions.get(key)
        if known is None:
            known = self._conditions[key] = (test, self.refusals(test, holds))  # kept, so that no other takes its id
        return known[1]

    def refusals(self, node: Expr, holds: bool = True) -> Refusals:
        """When `node` is true (or false, with `holds` False), in disjunctive normal form."""
        node = self.resolve(node)
        value = self._value(node)
        if value is not None and value.kind in _LOGICAL:
            return self._refusals_of_value(node, value, holds)
        if node.kind is ExprKind.NOT:
            return self.refusals(node.parts[0], not holds)
        if node.kind in (ExprKind.AND, ExprKind.OR):
            parts = [self.refusals(part, holds) for part in node.parts]
            union = (node.kind is ExprKind.OR) is holds
            return self._union(parts) if union else self._product(node, parts, holds)
        if node.kind is ExprKind.CALL:
            called = self._called(node, holds)
            if called is not None:
                return called
        if node.kind is ExprKind.COMPARE and node.text in ("in", "not in"):
            return self._membership(node, holds)
        return (frozenset({self.literal(node, holds)}),)

    def _refusals_of_value(self, node: Expr, value: Expr, holds: bool) -> Refusals:
        self._inlined.append(node.text)
        result = self.refusals(value, holds)
        self._inlined.pop()
        return result

    def _called(self, node: Expr, holds: bool) -> Refusals | None:
        """Calls that stand for a condition: quantifiers, one-line functions, tests of several prefixes or types."""
        result = self._quantified(node, holds) or self._answered(node, holds) or self._listed(node, holds)
        if result is not None:
            return result
        several = alternatives(node)
        return None if several is None else self.refusals(several, holds)

    def literal(self, node: Expr, holds: bool) -> str:
        """One atomic condition, comparisons oriented, ``!`` in front of a negated one."""
        if node.kind is ExprKind.COMPARE:
            return self._comparison(node, holds)
        if node.kind is ExprKind.CONSTANT and node.text in ("true", "false"):
            return "true" if (node.text == "true") is holds else "false"
        special = self._method_literal(node, holds) if node.kind is ExprKind.CALL else None
        if special is not None:
            return special
        text = self.render(node)
        return text if holds else f"!{text}"

    def _method_literal(self, node: Expr, holds: bool) -> str | None:
        """Calls that say what an operator says: ``isEmpty``, ``equals``, ``startswith`` of one character, ``bool``."""
        function, arguments = node.parts[0], node.parts[1:]
        if function.kind is ExprKind.NAME:
            return (
                self.literal(arguments[0], holds) if function.text in ("bool", "len") and len(arguments) == 1 else None
            )
        if function.kind is not ExprKind.ATTRIBUTE:
            return None
        subject = function.parts[0]
        if function.text in _EMPTY_TESTS and not arguments:
            return self.literal(subject, not holds)
        if function.text == "equals" and len(arguments) == 1:
            return self._equality(subject, arguments[0], holds)
        one_character = len(arguments) == 1 and is_literal(arguments[0]) and len(arguments[0].text) == 1
        if function.text in _ENDS and one_character:
            character = f"{self.render(subject)}[{_ENDS[function.text]}]"
            return f"{character} {'==' if holds else '!='} {self.render(arguments[0])}"
        return None

    def _union(self, parts: list[Refusals]) -> Refusals:
        return tuple(dict.fromkeys(term for part in parts for term in part))

    def _product(self, node: Expr, parts: list[Refusals], holds: bool) -> Refusals:
        result: Refusals = (frozenset(),)
        for part in parts:
            if len(result) * len(part) > _MAX_TERMS:
                text = self._opaque(node)
                return (frozenset({text if holds else f"!{text}"}),)
            result = tuple(dict.fromkeys(left | right for left in result for right in part))
        return result

    def _opaque(self, node: Expr) -> str:
        """A condition of too many cases; those of an AND would be asked for again by rendering it as a whole."""
        if node.kind is not ExprKind.AND:
            return self.render(node)
        return f"({' & '.join(sorted(map(self.render, node.parts)))})"

    def _listed(self, node: Expr, holds: bool) -> Refusals | None:
        """``ALLOWED.contains(x)``, ``[...].includes(x)``: membership in what is written out."""
        function = node.parts[0]
        if function.kind is not ExprKind.ATTRIBUTE or function.text not in _MEMBERSHIP or len(node.parts) != 2:
            return None
        owner = self.resolve(function.parts[0])
        items = self._constant(owner) or collection(owner)
        if items.kind not in (ExprKind.COLLECTION, ExprKind.STRING):
            return None
        return self._membership(Expr(ExprKind.COMPARE, "in", (node.parts[1], items), node.line), holds)

    def _each(self, inner: Expr, holds: bool, name: str) -> Refusals | None:
        """``any(x.endswith(e) for e in ENDS)`` as one test for each item of what is written out."""
        clause = inner.parts[1]
        if len(inner.parts) != 2 or len(clause.parts) != 2 or clause.parts[0].kind is not ExprKind.NAME:
            return None
        items = self._constant(clause.parts[1]) or clause.parts[1]
        if items.kind is not ExprKind.COLLECTION or items.text == "dict" or not 0 < len(items.parts) <= _MAX_TERMS:
            return None
        if any(item.kind is ExprKind.UNARY and item.text == "*" for item in items.parts):
            return None  # more than is written out
        tests = tuple([substituted(inner.parts[0], {clause.parts[0].text: item}) for item in items.parts])
        kind = ExprKind.OR if name == "any" else ExprKind.AND
        return self.refusals(Expr(kind, "", tests, inner.line) if len(tests) > 1 else tests[0], holds)

    def _quantified(self, node: Expr, holds: bool) -> Refusals | None:
        name = node.parts[0].text if node.parts[0].kind is ExprKind.NAME else ""
        if name not in ("any", "all") or len(node.parts) != 2:
            return None
        inner = node.parts[1]
        if inner.kind is not ExprKind.COMPREHENSION:
            return None
        each = self._each(inner, holds, name)
        if each is not None or (name == "any") is not holds:
            return each
        return self.refusals(inner.parts[0], holds)

    def _membership(self, node: Expr, holds: bool) -> Refusals:
        left, right = node.parts
        inside = (node.text == "in") is holds
        items = self.resolve(right)
        items = self._constant(items) or collection(items)
        if items.kind is ExprKind.COLLECTION and items.text != "dict" and 0 < len(items.parts) <= _MAX_TERMS:
            links = [self._equality(left, item, inside) for item in items.parts]
            return tuple(frozenset({link}) for link in links) if inside else (frozenset(links),)
        return (frozenset({f"{self.render(left)} {'in' if inside else 'not in'} {self.render(right)}"}),)

    def _equality(self, left: Expr, right: Expr, holds: bool) -> str:
        return self._comparison(Expr(ExprKind.COMPARE, "==", (left, right), left.line), holds)

    def _comparison(self, node: Expr, holds: bool) -> str:
        operator = _SAME.get(node.text, node.text)
        left, right = node.parts
        if not holds:
            if operator not in _NEGATION:
                return f"!{self._ordered(operator, left, right)}"
            operator = _NEGATION[operator]
        if operator in _MIRROR:
            operator, left, right = _MIRROR[operator], right, left
        emptiness = self._emptiness(operator, left, right)
        return emptiness if emptiness is not None else self._ordered(operator, left, right)

    def _emptiness(self, operator: str, left: Expr, right: Expr) -> str | None:
        """``len(x) == 0``, ``x == ""``, ``0 < len(x)`` and such, as ``!x`` or ``x``."""
        for one, other in ((left, right), (right, left)):
            sized = sized_operand(one)
            if sized is not None and other.kind is ExprKind.NUMBER and other.text in ("0", "1"):
                if other.text == "0" and operator in ("==", "!="):
                    return self.literal(sized, operator == "!=")
                if (other.text, operator, other is left) in (("0", "<", True), ("1", "<=", True)):
                    return self.literal(sized, True)
                if (other.text, operator, other is left) in (("0", "<=", False), ("1", "<", False)):
                    return self.literal(sized, False)
            if other.kind is ExprKind.STRING and other.text == "" and operator in ("==", "!="):
                return self.literal(one, operator == "!=")
        return None

    def _ordered(self, operator: str, left: Expr, right: Expr) -> str:
        left, right = self._constant(left) or left, self._constant(right) or right
        one, other = self.render(left), self.render(right)
        if operator in ("==", "!=") and (is_literal(left) or one.isdigit(), one) > (
            is_literal(right) or other.isdigit(),
            other,
        ):
            one, other = other, one
        return f"{one} {operator} {other}"

    def _plain(self, node: Expr) -> str:
        inner = ", ".join(self.render(part) for part in node.parts)
        return f"{node.kind}:{node.text}({inner})"

    def _name(self, node: Expr) -> str:
        if node.text in _SELVES:
            return "self"
        return "_" if self._shape and node.text in self._scope.locals else node.text

    def _attribute(self, node: Expr) -> str:
        owner = self.render(node.parts[0])
        return node.text if owner in ("self", "super()") else f"{owner}.{node.text}"

    def _call(self, node: Expr) -> str:
        function = self.render(node.parts[0])
        given = node.parts[1:] if self._library is None else self._library.arguments(node)
        arguments = [self.render(part) for part in given]
        if function in _TRANSPARENT_CALLS and len(arguments) == 1:
            return arguments[0]
        if node.parts[0].kind is ExprKind.ATTRIBUTE and node.parts[0].text == "charAt" and len(arguments) == 1:
            return f"{self.render(node.parts[0].parts[0])}[{arguments[0]}]"
        if node.parts[0].kind is ExprKind.ATTRIBUTE and node.parts[0].text == "format":
            template = self.resolve(node.parts[0].parts[0])
            if template.kind is ExprKind.STRING:
                return f"fmt({', '.join(arguments)})"
        return f"{function}({', '.join(arguments)})"

    def _format(self, node: Expr) -> str:
        pieces = [self.render(part) for part in node.parts if part.kind is not ExprKind.STRING]
        return f"fmt({', '.join(pieces)})" if pieces else repr("".join(part.text for part in node.parts))

    def _binary(self, node: Expr) -> str:
        if node.text == "%" and node.parts[0].kind is ExprKind.STRING:
            right = node.parts[1]
            items = right.parts if right.kind is ExprKind.COLLECTION and right.text == "tuple" else (right,)
            return f"fmt({', '.join(self.render(item) for item in items)})"
        if node.text == "+" and any(part.kind in (ExprKind.STRING, ExprKind.FORMAT) for part in node.parts):
            return self._format(node)
        known = (
            tuple([self._constant(part) or part for part in node.parts]) if self._library is not None else node.parts
        )
        sum_of_literals = folded(node._replace(parts=known))
        if sum_of_literals is not None:
            return sum_of_literals
        return f"({f' {node.text} '.join(self.render(part) for part in node.parts)})"

    def _logical(self, node: Expr) -> str:
        terms = sorted(" & ".join(sorted(term)) for term in self.refusals(node))
        return f"({' | '.join(terms)})"

    def _collection(self, node: Expr) -> str:
        items = [self.render(part) for part in node.parts]
        return f"[{', '.join(sorted(items) if node.text == 'set' else items)}]"


_LOGICAL = frozenset({ExprKind.AND, ExprKind.OR, ExprKind.NOT, ExprKind.COMPARE, ExprKind.CALL})
_RENDERERS: dict[ExprKind, Callable[[Normaliser, Expr], str]] = {
    ExprKind.NAME: Normaliser._name,
    ExprKind.ATTRIBUTE: Normaliser._attribute,
    ExprKind.CALL: Normaliser._call,
    ExprKind.STRING: lambda _, node: repr(node.text),
    ExprKind.NUMBER: lambda _, node: node.text,
    ExprKind.CONSTANT: lambda _, node: node.text,
    ExprKind.FORMAT: Normaliser._format,
    ExprKind.BINARY: Normaliser._binary,
    ExprKind.AND: Normaliser._logical,
    ExprKind.OR: Normaliser._logical,
    ExprKind.NOT: Normaliser._logical,
    ExprKind.COMPARE: lambda self, node: self._comparison(node, True),
    ExprKind.COLLECTION: Normaliser._collection,
    ExprKind.KEYWORD: lambda self, node: f"{node.text}={self.render(node.parts[0])}",
    ExprKind.SUBSCRIPT: lambda self, node: f"{self.render(node.parts[0])}[{self.render(node.parts[1])}]",
    ExprKind.OTHER: lambda _, node: node.text,
    ExprKind.TYPE: lambda _, node: node.text,
}
