"""What a file's own one-line functions and constants stand for: moving a condition or literal there changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from scaffold_cli.anchoring.operands import folded
from scaffold_cli.anchoring.reading import Reading
from scaffold_cli.anchoring.scope import element_of
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Outline, StmtKind

_OWNERS = frozenset({"self", "this", "cls"})
_LITERALS = frozenset({ExprKind.STRING, ExprKind.NUMBER})
_COLLECTING = frozenset({"frozenset", "set", "tuple", "list"})
_LISTING = frozenset({"of", "asList"})
_MAX_ITEMS = 16
"""Longer collections keep their name: they are tables, not conditions."""


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """`constants`: names given one literal in the file. `predicates`: parameters and answer of one-line functions.

    Equal only to itself.
    """

    constants: Mapping[str, Expr] = field(default_factory=dict)
    predicates: Mapping[str, tuple[tuple[str, ...], Expr]] = field(default_factory=dict)

    signatures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Parameters of the file's functions whose name is given once."""

    def speaks_of(self, body: Reading) -> bool:
        """True when something in a body may read otherwise because of what the file says of it."""
        if not all(table.keys().isdisjoint(body.names) for table in (self.constants, self.predicates)):
            return True
        return not self.signatures.keys().isdisjoint(body.names) and bool(body.of(ExprKind.KEYWORD))

    def arguments(self, call: Expr) -> tuple[Expr, ...]:
        """The arguments of a call, named ones of a function of the file in their place."""
        given = call.parts[1:]
        known = self.signatures.get(call.parts[0].text) if _is_own(call.parts[0]) else None
        named = {part.text: part.parts[0] for part in given if part.kind is ExprKind.KEYWORD}
        if known is None or not named or not named.keys() <= set(known):
            return given
        placed = [part for part in given if part.kind is not ExprKind.KEYWORD]
        while len(placed) < len(known) and known[len(placed)] in named:
            placed.append(named.pop(known[len(placed)]))
        return (*placed, *(part for part in given if part.kind is ExprKind.KEYWORD and part.text in named))

    def constant(self, node: Expr) -> Expr | None:
        """The literal `node` (a plain name, or one on the own object or a class) stands for."""
        if node.kind is ExprKind.ATTRIBUTE:
            owner = node.parts[0]
            if owner.kind is not ExprKind.NAME or not (owner.text in _OWNERS or owner.text[:1].isupper()):
                return None
        return self.constants.get(node.text)

    def answer(self, call: Expr) -> Expr | None:
        """The condition a call of a one-line function answers, its arguments put in place of the parameters."""
        function = call.parts[0]
        if not _is_own(function):
            return None
        known = self.predicates.get(function.text)
        if known is None or len(known[0]) != len(call.parts) - 1:
            return None
        arguments = self.arguments(call)
        if any(argument.kind is ExprKind.KEYWORD for argument in arguments):
            return None
        return substituted(known[1], dict(zip(known[0], arguments, strict=True)))


@lru_cache(maxsize=64)
def differing(one: Library, other: Library) -> frozenset[str]:
    """Names that do not stand for the same in both, wherever they are written; asked for by each unit of a file."""
    if one is other:
        return frozenset()
    names = _other_values(one.constants, other.constants)
    answers = [{name: answer for name, (_, answer) in side.predicates.items()} for side in (one, other)]
    params = [{name: given for name, (given, _) in side.predicates.items()} for side in (one, other)]
    named = {name for name, given in params[0].items() if params[1].get(name) != given}
    return frozenset(names | _other_values(*answers) | named)


def _other_values(one: Mapping[str, Expr], other: Mapping[str, Expr]) -> set[str]:
    both = one.keys() & other.keys()
    return (one.keys() ^ other.keys()) | {name for name in both if not _alike(one[name], other[name])}


def same_but_lines(one: Sequence[Expr], other: Sequence[Expr]) -> bool:
    """True for equal expressions, wherever they stand."""
    return len(one) == len(other) and all(map(_alike, one, other))


def _alike(one: Expr, other: Expr) -> bool:
    return one.kind is other.kind and one.text == other.text and same_but_lines(one.parts, other.parts)


def library_of(source: Outline) -> Library:
    """The constants and one-line functions of a file; a name given twice stands for nothing."""
    return Library(dict(_constants(source)), dict(_predicates(source)), _signatures(source))


def _is_own(function: Expr) -> bool:
    """True for a plain name, or one on the own object or a class."""
    if function.kind is not ExprKind.ATTRIBUTE:
        return function.kind is ExprKind.NAME
    owner = function.parts[0]
    return owner.kind is ExprKind.NAME and (owner.text in _OWNERS or owner.text[:1].isupper())


def _signatures(source: Outline) -> dict[str, tuple[str, ...]]:
    times = Counter(item.short_name for item in source.functions)
    return {item.short_name: _params(item) for item in source.functions if times[item.short_name] == 1}


def _params(function: Function) -> tuple[str, ...]:
    names = tuple([param.name for param in function.params])
    return names[1:] if function.owner and names[:1] in (("self",), ("cls",)) else names


def _constants(source: Outline) -> Iterator[tuple[str, Expr]]:
    found: dict[str, Expr] = {}
    times: Counter[str] = Counter()
    for block in (source.body, *(item.body for item in source.classes)):
        for name, value in _assigned(block):
            times[name] += 1
            found[name] = value
    for name, value in found.items():
        plain = collection(value)
        number = folded(plain) if plain.kind is ExprKind.BINARY else None
        if number is not None:
            plain = Expr(ExprKind.NUMBER, number, (), value.line)
        if times[name] == 1 and (plain.kind in _LITERALS or _holds_literals(plain)):
            yield name, plain


def collection(value: Expr) -> Expr:
    """The items written out in ``frozenset(("a", "b"))``, ``Set.of("a", "b")``, ``new Set(["a"])``; else the value."""
    if value.kind is not ExprKind.CALL or len(value.parts) < 2:
        return value
    function = value.parts[0]
    if value.text == "new" and len(value.parts) == 2 and function.text.partition("<")[0].endswith("Set"):
        return collection(value.parts[1])
    if function.text == "freeze" and len(value.parts) == 2:
        return collection(value.parts[1])
    if function.kind is ExprKind.NAME and function.text in _COLLECTING and len(value.parts) == 2:
        return value.parts[1]
    if function.kind is ExprKind.ATTRIBUTE and function.text in _LISTING:
        return Expr(ExprKind.COLLECTION, "list", value.parts[1:], value.line)
    return value


def _holds_literals(value: Expr) -> bool:
    is_plain = value.kind is ExprKind.COLLECTION and value.text != "dict" and 0 < len(value.parts) <= _MAX_ITEMS
    return is_plain and all(part.kind in _LITERALS for part in value.parts)


def _assigned(block: Block) -> Iterator[tuple[str, Expr]]:
    for statement in block:
        if statement.kind is StmtKind.ASSIGN:
            for target in statement.exprs[1:]:
                if target.kind is ExprKind.NAME:
                    yield target.text, statement.exprs[0]


def _predicates(source: Outline) -> Iterator[tuple[str, tuple[tuple[str, ...], Expr]]]:
    times = Counter(item.short_name for item in source.functions)
    for item in source.functions:
        value = _answer(item)
        if value is not None and times[item.short_name] == 1:
            yield item.short_name, (_params(item), value)


def _answer(function: Function) -> Expr | None:
    body = [item for item in function.body if not _is_documentation(item.kind, item.exprs)]
    if len(body) != 1 or body[0].kind is not StmtKind.RETURN or not body[0].exprs:
        return None
    return body[0].exprs[0]


def _is_documentation(kind: StmtKind, exprs: tuple[Expr, ...]) -> bool:
    return kind is StmtKind.EXPR and exprs[0].kind is ExprKind.STRING


def _elements(node: Expr, values: Mapping[str, Expr]) -> dict[str, Expr]:
    """The variables of a comprehension, each standing for an element of what it runs over."""
    return {
        clause.parts[0].text: element_of(substituted(clause.parts[1], values))
        for clause in node.parts[1:]
        if clause.kind is ExprKind.CLAUSE and clause.parts[0].kind is ExprKind.NAME
    }


def substituted(node: Expr, values: Mapping[str, Expr]) -> Expr:
    """`node` with each name in `values` replaced by what it stands for."""
    if node.kind is ExprKind.NAME:
        return values.get(node.text, node)
    if node.kind is ExprKind.COMPREHENSION:
        values = {**values, **_elements(node, values)}
    return node._replace(parts=tuple(substituted(part, values) for part in node.parts)) if node.parts else node
