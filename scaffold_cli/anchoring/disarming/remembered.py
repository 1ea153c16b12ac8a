"""Answers that outlive what they rest on, and inner values handed out as they are: kept decisions, dropped copies."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, refuses, spelled
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, StmtKind, walk

_KEEPING = frozenset(
    {"lru_cache", "cache", "cached", "memoize", "memoized", "memo", "Cacheable", "cachedmethod", "ttl_cache", "once"}
)  # fmt: skip
"""Marks by which a function answers from memory; what is kept in an object goes with it (``cached_property``)."""
_FREEZING = frozenset(
    {"copyOf", "unmodifiableSet", "unmodifiableList", "unmodifiableMap", "unmodifiableCollection", "freeze",
     "deepFreeze", "frozenset", "MappingProxyType", "ImmutableMultiDict", "AsReadOnly", "toImmutable", "freezeDeep"}
)  # fmt: skip
_PURE = frozenset({"re", "math", "string", "ipaddress", "unicodedata", "json", "base64", "hashlib", "Math", "JSON"})
_OF_TEXT = frozenset(
    {"startswith", "endswith", "lower", "upper", "strip", "split", "isalpha", "isdigit", "isalnum", "islower",
     "isupper", "isidentifier", "isdecimal", "casefold", "encode", "decode", "match", "fullmatch", "search",
     "test", "matches", "length", "equals", "startsWith", "endsWith", "includes", "contains", "indexOf",
     "trim", "toLowerCase", "toUpperCase", "isEmpty", "replace"}
)  # fmt: skip
_PLAIN = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})


def remembered(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None:
            continue
        if _kept(function) and not _kept(old) and _decides(function) and _rests_on_state(function):
            what = f"`{function.name}` answers from memory now, whatever has changed since it was asked first."
            yield Disarmed("guard-stale", what, sides.after.path, function.line, function.name)
        if old.body != function.body:
            yield from _thawed(old, function, sides)


def _kept(function: Function) -> bool:
    marks = {callee(mark) if mark.kind is ExprKind.CALL else mark.text for mark in function.decorators}
    return bool(marks & _KEEPING)


def _decides(function: Function) -> bool:
    return polarity_of(function.short_name) is not Polarity.NONE or refuses(function)


def _rests_on_state(function: Function) -> bool:
    """True when the answer is worked out from what may change: attributes of something, or what a call finds."""
    named = {param.name for param in function.params}
    for statement in walk(function.body):
        for node in (inner for value in statement.exprs for inner in value.walk()):
            if node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE:
                if not _is_pure(node.parts[0]):
                    return True
            elif node.kind is ExprKind.ATTRIBUTE and node.parts[0].text in named and node.text not in _OF_TEXT:
                return True
    return False


def _is_pure(function: Expr) -> bool:
    """True for a function whose answer rests on what it is given alone."""
    return function.text in _OF_TEXT or function.parts[0].text in _PURE


def _thawed(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """``return Set.copyOf(roles)`` became ``return roles``, and likewise for what is kept."""
    for value, name in _frozen(old):
        for statement in walk(new.body):
            is_end = statement.kind is StmtKind.RETURN or statement.kind is StmtKind.ASSIGN
            if is_end and statement.exprs and spelled(statement.exprs[0]) == value:
                what = f"`{new.name}` hands out or keeps a value that others may change: `{name}()` is gone."
                yield Disarmed("copy-lost", what, sides.after.path, statement.line, new.name)
                break


def _frozen(function: Function) -> Iterator[tuple[str, str]]:
    """What is copied or closed where it is returned or kept, spelled, and by which function."""
    for statement in walk(function.body):
        if statement.kind in (StmtKind.RETURN, StmtKind.ASSIGN) and statement.exprs:
            value: Expr = statement.exprs[0]
            closes = value.kind is ExprKind.CALL and callee(value) in _FREEZING and len(value.parts) == 2
            if closes and value.parts[1].kind in _PLAIN:
                yield spelled(value.parts[1]), callee(value)
