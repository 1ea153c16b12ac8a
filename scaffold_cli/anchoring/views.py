"""Small questions asked of expressions and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, walk


def callee(call: Expr) -> str:
    """The last name of what is called: ``open`` for ``io.open(x)``, the class for a constructor, else ""."""
    function = call.parts[0]
    while function.kind in (ExprKind.SUBSCRIPT, ExprKind.CALL):
        function = function.parts[0]
    return function.text if function.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.TYPE) else ""


def qualified(call: Expr) -> str:
    """The callee with the class it is called on when that is one word: ``Escape.xml``."""
    function = call.parts[0]
    if function.kind is ExprKind.ATTRIBUTE and function.parts[0].kind is ExprKind.NAME:
        owner = function.parts[0].text
        if owner[:1].isupper() and not owner.isupper() and len(words(owner)) == 1:
            return f"{owner}.{function.text}"
    return callee(call)


def is_fixed(node: Expr) -> bool:
    """True for a literal or a name written like a constant (``Role.ADMIN``, ``READ``)."""
    if node.kind is ExprKind.KEYWORD:
        return is_fixed(node.parts[0])
    if node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        return node.text.isupper()
    return node.kind in (ExprKind.STRING, ExprKind.NUMBER, ExprKind.CONSTANT)


_SIZES = frozenset({"len", "size", "length", "remaining", "available", "getLength", "getSize"})
_MOST = frozenset({"max", "maximum", "limit", "most"})
_ORDERING = frozenset({"<", "<=", ">", ">="})


def is_bound(test: Expr) -> bool:
    """True for a test of nothing but how large a number is: ``n < 0``, ``low > n or n > high``."""
    if test.kind in (ExprKind.AND, ExprKind.OR, ExprKind.NOT):
        return all(is_bound(part) for part in test.parts)
    return test.kind is ExprKind.COMPARE and test.text in _ORDERING


def is_limit(node: Expr) -> bool:
    """A size held against a number above 1, a constant or a maximum: ``len(buf) > 4096``, ``n.size() > max_size``."""
    if node.kind is not ExprKind.COMPARE or node.text not in _ORDERING:
        return False
    for one, other in (node.parts, node.parts[::-1]):
        sized = callee(one) if one.kind is ExprKind.CALL else one.text if one.kind is ExprKind.ATTRIBUTE else ""
        if sized in _SIZES:
            number = other.kind is ExprKind.NUMBER and other.text not in ("0", "1", "-1")
            named = other.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE)
            return number or (named and (other.text.isupper() or not _MOST.isdisjoint(words(other.text))))
    return False


def is_null_check(test: Expr) -> bool:
    """A test of nothing but presence: ``x is None``, ``not x``, ``x == null`` of a plain value."""
    if test.kind is ExprKind.NOT:
        return is_null_check(test.parts[0])
    if test.kind in (ExprKind.AND, ExprKind.OR):
        return all(is_null_check(part) for part in test.parts)
    if test.kind is ExprKind.COMPARE:
        return any(part.kind is ExprKind.CONSTANT and part.text == "null" for part in test.parts)
    return False


def called_names(expression: Expr) -> Iterator[str]:
    """Names of everything called in an expression."""
    for node in expression.walk():
        if node.kind is ExprKind.CALL:
            name = callee(node)
            if name:
                yield name


def names_in(expression: Expr) -> Iterator[str]:
    """Identifiers in an expression: names, attributes, keywords."""
    for node in expression.walk():
        if node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.KEYWORD):
            yield node.text


def strings_in(expression: Expr) -> Iterator[str]:
    """String constants in an expression."""
    for node in expression.walk():
        if node.kind is ExprKind.STRING:
            yield node.text


_ENTITY = re.compile(r"^(?:&#?\w+;|%[0-9A-Fa-f]{2})$")
"""What a dangerous character is written as."""


def brings_back(call: Expr) -> bool:
    """True for a replacement that puts a dangerous character in the place of what stands for it."""
    texts = [part.text for part in call.parts[1:] if part.kind is ExprKind.STRING]
    return len(texts) > 1 and bool(_ENTITY.match(texts[0])) and not _ENTITY.match(texts[1])


def expressions(block: Block) -> Iterator[Expr]:
    """The top expressions of all statements of a block and below."""
    for statement in walk(block):
        yield from statement.exprs
