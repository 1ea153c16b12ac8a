"""Refusals that lead to an answer after all: by an alternative in a chain, an error others catch, a dropped error."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, dotted, is_protective, spelled
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, Language, StmtKind, walk

_ALTERNATIVES = frozenset(
    {"or", "catch", "orElse", "orElseGet", "onErrorReturn", "onErrorResume", "onErrorComplete", "exceptionally",
     "recover", "rescue", "getOrElse", "unwrap_or", "unwrapOr", "handle", "fallback", "withFallback", "ifEmpty",
     "switchIfEmpty", "defaultIfEmpty"}
)  # fmt: skip
_ENDING = frozenset({"orElseThrow", "get", "unwrap", "expect", "raise_for_status", "orThrow", "join", "single"})
_CAUGHT = frozenset(
    {"KeyError", "LookupError", "IndexError", "AttributeError", "StopIteration", "StopAsyncIteration", "Warning",
     "UserWarning", "GeneratorExit", "ImportError", "OSError", "NoSuchElementException", "InterruptedException",
     "IndexOutOfBoundsException", "EOFError", "EOFException", "NumberFormatException"}
)  # fmt: skip
"""Errors that code catches to go on: something is not there, or at its end."""
_DENYING = WordPatterns(
    (word, "denies")
    for word in ("forbid*", "denied", "permission*", "unauthor*", "auth*", "security*", "not allowed", "access*",
                 "csrf*", "signature*", "tamper*", "violation*", "rejected", "untrusted", "suspicious*")
)  # fmt: skip


def falling_back(sides: Sides) -> Iterator[Disarmed]:
    """One for each function and class that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is not None and old.body != function.body:
            yield from _alternatives(old, function, sides)
            if sides.after.language is Language.GO:
                yield from _dropped_errors(old, function, sides)
    yield from _error_kinds(sides)


def _alternatives(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """``find(id).orElseThrow()`` became ``find(id).or(other).orElseThrow()``."""
    before = {tuple(links): ends for links, ends in _chains(old, sides)}
    for call in calls(new.body):
        links = _links(call)
        further = [name for name in links if name in _ALTERNATIVES]
        rest = tuple(name for name in links if name not in _ALTERNATIVES)
        if further and before.get(rest, False) and tuple(links) not in before:
            what = f"`{new.name}` goes on with `{further[0]}()` where it refused."
            yield Disarmed("guard-bypassed", what, sides.after.path, call.line, new.name)
            return


def _chains(function: Function, sides: Sides) -> Iterator[tuple[list[str], bool]]:
    """The names of each chain of calls, and whether it may refuse."""
    for call in calls(function.body):
        links = _links(call)
        yield links, bool(_ENDING & {*links[1:]}) or is_protective(call, sides)


def _links(call: Expr) -> list[str]:
    """``a.b().c()`` is a, b, c."""
    names: list[str] = []
    node = call
    while node.parts and node.kind in (ExprKind.CALL, ExprKind.ATTRIBUTE):
        if node.kind is ExprKind.ATTRIBUTE:
            names.append(node.text)
        node = node.parts[0]
    return [node.text, *reversed(names)]


def _dropped_errors(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """What a check answered was kept and asked about; now it goes to `_`."""
    before = {callee(value) for value, targets in _given(old) if value.kind is ExprKind.CALL and targets[-1] != "_"}
    thrown = {spelled(value) for value, targets in _given(old) if set(targets) == {"_"}}
    for value, targets in _given(new):
        is_call = value.kind is ExprKind.CALL and callee(value) in before and targets[-1] == "_"
        is_error = value.kind is ExprKind.NAME and value.text.lower().endswith("err") and set(targets) == {"_"}
        if (is_call or is_error) and spelled(value) not in thrown:
            what = f"An error that `{new.name}` asked about is thrown away."
            yield Disarmed("guard-swallowed", what, sides.after.path, value.line, new.name)
            return


def _given(function: Function) -> Iterator[tuple[Expr, list[str]]]:
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN and len(statement.exprs) > 1:
            targets = [part for target in statement.exprs[1:] for part in (target.parts or (target,))]
            yield statement.exprs[0], [target.text for target in targets]


def _error_kinds(sides: Sides) -> Iterator[Disarmed]:
    """An error that denies something is of a kind now that others catch to go on."""
    known = {item.name: {dotted(base).rpartition(".")[2] for base in item.bases} for item in sides.before.classes}
    for item in sides.after.classes:
        old = known.get(item.name)
        fresh = {dotted(base).rpartition(".")[2] for base in item.bases} & _CAUGHT - (old or set())
        if old and fresh and _DENYING.find(item.name) is not None:
            what = f"`{item.name}` is a `{min(fresh)}` now, which others catch and go on."
            yield Disarmed("guard-swallowed", what, sides.after.path, item.line, item.name)
