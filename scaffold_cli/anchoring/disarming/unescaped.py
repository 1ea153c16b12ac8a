"""A way out on which a value is handed on as it came, where every way out cleaned it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, StmtKind, walk

_CLEANING = WordPatterns(
    (word, "cleans") for word in ("escape*", "saniti*", "clean*", "quote*", "encode for*", "bleach")
)
_JOINED = frozenset({ExprKind.FORMAT, ExprKind.BINARY})


def unescaped(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        was, now = _ways_out(old), _ways_out(function)
        for name in sorted((was.cleaned.keys() - was.raw.keys()) & now.raw.keys()):
            what = f"`{function.name}` hands out `{name}` as it came in one case; it was cleaned in every one."
            yield Disarmed("guard-bypassed", what, sides.after.path, now.raw[name], function.name)


@dataclass(frozen=True, slots=True)
class _Ways:
    """Names in what a function returns, with their lines: behind a call that cleans, and put together as they are."""

    cleaned: dict[str, int]
    raw: dict[str, int]


def _ways_out(function: Function) -> _Ways:
    found = _Ways({}, {})
    made_clean = {
        target.text
        for item in walk(function.body)
        if item.kind is StmtKind.ASSIGN and any(is_cleaned for _, is_cleaned in _names(item.exprs[0], False))
        for target in item.exprs[1:]
    }
    for statement in walk(function.body):
        if statement.kind is StmtKind.RETURN and statement.exprs:
            for name, is_cleaned in _names(statement.exprs[0], False):
                if is_cleaned:
                    found.cleaned[name] = statement.line
                elif name not in made_clean and statement.exprs[0].kind in _JOINED:
                    found.raw[name] = statement.line
    return found


def _names(value: Expr, cleaned: bool) -> Iterator[tuple[str, bool]]:
    """Names whose values reach a text, and whether a call cleans them on the way; what other calls make is left out."""
    if value.kind is ExprKind.NAME:
        yield value.text, cleaned
    if value.kind is ExprKind.CALL:
        if cleaned or _CLEANING.find(callee(value)) is not None:
            for part in value.parts[1:]:
                yield from _names(part, True)
    elif value.kind is not ExprKind.ATTRIBUTE:
        for part in value.parts:
            yield from _names(part, cleaned)
