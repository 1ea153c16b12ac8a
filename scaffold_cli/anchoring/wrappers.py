"""Wrappers dropped from a value: ``send(clean(x))`` became ``send(x)`` in an otherwise equal statement.

Whatever `clean` is called, the value now arrives as it was. Conversions every program does by the way do not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind, walk

_MAX_STATEMENTS = 400
"""Changed statements of one unit that are looked at."""
_MAX_CALLS = 40
"""Calls of one statement that are tried."""
_CONVERSIONS = frozenset(
    {"list", "tuple", "str", "bool", "iter", "set", "dict", "sorted", "reversed", "copy", "deepcopy", "float", "bytes",
     "toString", "valueOf", "get", "encode", "decode", "to_bytes", "to_text", "to_native", "text_type", "unicode",
     "cast", "super", "len", "partial", "of", "ofNullable", "asList", "toArray", "stream", "iterator", "keys", "items",
     "values", "next", "type", "repr", "print", "format", "join", "strip", "intern", "build", "await", "then", "lower",
     "upper", "getBytes", "append", "add", "gettext", "_", "u", "b", "utf8", "native_str", "to_unicode", "frozenset",
     "as_posix", "open", "getClass", "clone", "collect", "wrap", "unwrap", "mark", "entrySet", "orElse", "range",
     "enumerate", "zip", "map", "filter", "ensure_future", "create_task", "gather", "asdict", "closing", "property",
     "hexlify", "unhexlify", "b64encode", "b64decode"}
)  # fmt: skip
_ACCESSING = frozenset(
    {"get", "set", "load", "read", "find", "compute", "fetch", "lookup", "create", "new", "make", "put", "add", "write"}
    | {
        "on",
        "with",
        "register",
        "self",
        "this",
        "digest",
        "update",
        "resolve",
        "query",
        "select",
        "call",
        "run",
        "invoke",
    }
)
_MARKS = WordPatterns((word, "mark") for word in ("safe", "unsafe", "escaped", "quoted", "sanitized", "untrusted"))
"""Words by which a constructor says that it marks or neutralises a value."""

Key = tuple[str, ...]


def dropped_wrappers(before: Mined, after: Mined) -> Iterator[Fact]:
    """One fact for each wrapper that a value lost between two versions of a unit."""
    names = _Renderer(before)
    old, new = names.statements(before), _Renderer(after).statements(after)
    gained = Counter(key for key, _ in new)
    gained.subtract(Counter(key for key, _ in old))
    kept = Counter(key for key, _ in new)
    tried = 0
    for key, expressions in old:
        if kept[key] > 0:
            kept[key] -= 1
            continue
        tried += 1
        if tried > _MAX_STATEMENTS:
            return
        for fact, candidate in names.without_one_call(expressions):
            if gained[candidate] > 0 and before.calls[fact.name] > after.calls[fact.name]:
                gained[candidate] -= 1
                yield fact
                break


class _Renderer:
    def __init__(self, item: Mined) -> None:
        function = item.unit.function
        scope = Scope.of(function.params if function is not None else (), item.unit.block)
        self._render = Normaliser(scope, shape=True, inline=False).render

    def statements(self, item: Mined) -> list[tuple[Key, tuple[Expr, ...]]]:
        """The expressions of each statement, with their key."""
        return [(self.key(statement.exprs), statement.exprs) for statement in walk(item.unit.block) if statement.exprs]

    def key(self, exprs: tuple[Expr, ...]) -> Key:
        """What two statements must share to be the same."""
        return tuple(self._render(expression) for expression in exprs)

    def without_one_call(self, exprs: tuple[Expr, ...]) -> Iterator[tuple[Fact, Key]]:
        """The statement with one call replaced by its first argument."""
        left = _MAX_CALLS
        for position, expression in enumerate(exprs):
            for call, inner in _unwrappings(expression):
                left -= 1
                if left < 0:
                    return
                changed = (*exprs[:position], _replaced(expression, call, inner), *exprs[position + 1 :])
                yield self._fact(call, inner), self.key(changed)

    def _fact(self, call: Expr, inner: Expr) -> Fact:
        name = callee(call)
        form = self._render(call)
        return Fact(
            kind=ProtectionKind.CALL,
            level=Level.DATA_FLOW,
            form=form,
            shape=form,
            name=name,
            line=call.line,
            end_line=call.line,
            condition=form,
            action="wrap",
            subject=self._render(inner),
            entry="validation",
            because=f"hard because the value no longer passes through `{name}()`",
        )


def _unwrappings(expression: Expr) -> Iterator[tuple[Expr, Expr]]:
    for node in expression.walk():
        if node.kind is not ExprKind.CALL or callee(node) in _CONVERSIONS or is_logging(node):
            continue
        if len(node.parts) > 1 and node.parts[1].kind is not ExprKind.KEYWORD and _transforms(callee(node)):
            yield node, node.parts[1]


def _transforms(name: str) -> bool:
    """False for what builds, fetches or stores something rather than answering the value in another form."""
    parts = words(name)
    if not parts or parts[0] in _ACCESSING:
        return False
    return not name[:1].isupper() or _MARKS.find(name) is not None


def _replaced(expression: Expr, old: Expr, new: Expr) -> Expr:
    if expression is old:
        return new
    parts = tuple(_replaced(part, old, new) for part in expression.parts)
    return (
        expression
        if all(one is other for one, other in zip(parts, expression.parts, strict=True))
        else (expression._replace(parts=parts))
    )
