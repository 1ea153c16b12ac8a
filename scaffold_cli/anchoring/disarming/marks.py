"""Marks on a function that change what its callers get: no property, another order, another method, not awaited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, bare_calls, callee, spelled
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, Language, Outline, StmtKind, walk

_PROPERTY = frozenset({"property", "cached_property", "functools.cached_property", "hybrid_property"})
_REGISTERING = frozenset(
    {"route", "get", "post", "put", "delete", "patch", "websocket", "command", "task", "register", "on", "handler",
     "errorhandler", "endpoint", "api_route", "subscribe", "listener", "callback", "view", "tool"}
)  # fmt: skip
_GUARDING = WordPatterns(
    (word, "guards")
    for word in ("login required", "permission*", "admin required", "require*", "requires*", "authoriz*", "authoris*",
                 "authenticat*", "protected", "secured", "csrf protect", "rate limit*", "limit*", "throttle*", "role*",
                 "user passes test", "token required", "auth required", "jwt required", "owner required")
)  # fmt: skip
_CHECKING = WordPatterns(
    (word, "checks")
    for word in ("^check*", "^verify*", "^validate*", "^require*", "^ensure*", "^assert*", "^authoriz*", "^authoris*",
                 "^authenticat*", "^deny*", "^guard*", "^enforce*", "^acquire*", "^limit*", "^hit")
)  # fmt: skip
_BEFORE = frozenset(
    {"before_request", "before_app_request", "middleware", "before_serving", "on_request", "preprocess_request"}
)
_READING = frozenset({"GET", "HEAD"})
_ALWAYS = frozenset({"__eq__", "__contains__", "__bool__", "__le__", "__ge__", "__lt__", "__gt__", "equals"})


def marks(sides: Sides) -> Iterator[Disarmed]:
    """One for each mark that takes the effect of a check or of a decorator."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is not None:
            yield from _not_awaited(old, function, sides)
        if old is not None and sides.after.language is Language.PYTHON:
            yield from _python(old, function, sides)
        yield from _always_true(old, function, sides)


def _python(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    yield from _no_property(old, new, sides)
    yield from _inside_out(old, new, sides)
    yield from _by_reading(old, new, sides)
    yield from _unregistered(old, new, sides)


def _unregistered(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A check that a framework called before each request is no longer handed to it."""
    gone = set(_names(old)) & _BEFORE - set(_names(new))
    if not gone:
        return
    named = any(
        node.text == new.short_name for statement in sides.after.body for top in statement.exprs for node in top.walk()
    )
    if not named:
        what = f"`{new.name}` is no longer run before requests: `@{min(gone)}` is gone."
        yield Disarmed("guard-unreached", what, sides.after.path, new.line, new.name)


def _names(function: Function) -> list[str]:
    return [callee(mark) if mark.kind is ExprKind.CALL else mark.text for mark in function.decorators]


def _no_property(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A question that was an attribute is a method now, and a method is always true."""
    asks = polarity_of(new.short_name) is not Polarity.NONE
    if asks and _PROPERTY & set(_names(old)) and not _PROPERTY & set(_names(new)):
        line = next(_read_plainly(new.short_name, sides.after), None)
        if line is not None:
            what = f"`{new.name}` is no property any more, and what reads it without calling it is always true."
            yield Disarmed("guard-replaced", what, sides.after.path, line, new.name)


def _read_plainly(name: str, source: Outline) -> Iterator[int]:
    """Lines where an attribute of this name is read and not called."""
    for block in (source.body, *(function.body for function in source.functions)):
        for statement in walk(block):
            for expression in statement.exprs:
                called = {id(node.parts[0]) for node in expression.walk() if node.kind is ExprKind.CALL}
                for node in expression.walk():
                    if node.kind is ExprKind.ATTRIBUTE and node.text == name and id(node) not in called:
                        yield statement.line


def _inside_out(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A guard that stood below what registers the function stands above it: the bare function is registered."""
    before, after = _names(old), _names(new)
    for guard in after:
        if _GUARDING.find(guard) is None or guard not in before:
            continue
        for mark in new.decorators[after.index(guard) + 1 :]:
            name = callee(mark) if mark.kind is ExprKind.CALL else mark.text
            is_method = mark.kind is ExprKind.CALL and mark.parts[0].kind is ExprKind.ATTRIBUTE
            if is_method and name in _REGISTERING and name in before[: before.index(guard)]:
                what = f"`@{name}` registers `{new.name}` without `@{guard}`, which stands above it now."
                yield Disarmed("guard-bypassed", what, sides.after.path, new.line, new.name)
                return


def _by_reading(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """What only a writing method reached is reached by GET as well, and does the same."""
    if [*map(spelled, _statements(old))] != [*map(spelled, _statements(new))]:
        return
    had, has = _methods(old), _methods(new)
    if had and not had & _READING and has & _READING:
        what = f"`{new.name}` does the same for GET, which links and pages of others can send."
        yield Disarmed("guard-bypassed", what, sides.after.path, new.line, new.name)


def _statements(function: Function) -> list[Expr]:
    return [expression for statement in walk(function.body) for expression in statement.exprs]


def _methods(function: Function) -> set[str]:
    """The methods that its decorators list."""
    lists = (
        part.parts[0] for mark in function.decorators for part in mark.parts if part.text == "methods" and part.parts
    )
    return {item.text.upper() for found in lists for item in found.parts if item.kind is ExprKind.STRING}


def _not_awaited(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A check that was awaited is called and left lying: a coroutine nobody awaits does not run."""
    awaited = {spelled(call) for call, waits in bare_calls(old.body) if waits}
    if not awaited:
        return
    still = {spelled(call) for call, waits in bare_calls(new.body) if waits}
    plain = {item.short_name for item in sides.functions.values() if "async" not in item.modifiers}
    for call, waits in bare_calls(new.body):
        name = callee(call)
        checks = _CHECKING.find(name) is not None or name in sides.refusing
        if not waits and checks and name not in plain and spelled(call) in awaited - still:
            what = f"`{name}` is called in `{new.name}` and not awaited, so it does not run."
            yield Disarmed("guard-unreached", what, sides.after.path, call.line, new.name)


def _always_true(old: Function | None, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A method behind an operator answers yes whatever it is asked."""
    if not new.owner or new.short_name not in _ALWAYS or not _says_yes(new) or (old is not None and _says_yes(old)):
        return
    what = f"`{new.name}` always answers yes, so every comparison with it holds."
    yield Disarmed("guard-replaced", what, sides.after.path, new.line, new.name)


def _says_yes(function: Function) -> bool:
    answers = Counter(
        statement.exprs[0].text if statement.exprs else ""
        for statement in walk(function.body)
        if statement.kind is StmtKind.RETURN
    )
    return set(answers) == {"true"}
