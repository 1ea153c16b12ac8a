"""A second way to a deed: a new function does, without asking, what every function of the file asks before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, is_protective, spelled
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, Outline, StmtKind, walk

_DEEDS = WordPatterns(
    (word, "deed")
    for word in (
        "^delete*", "^remove*", "^destroy*", "^write*", "^send*", "^execute*", "^update*", "^insert*", "^transfer*",
        "^withdraw*", "^grant*", "^set password", "^reset password", "^publish*", "^drop*", "^pay*", "^charge*",
        "^refund*", "^unlink", "^rmtree", "^purge*", "^wipe*", "^exec*", "^run*", "^spawn*", "^popen", "^deploy*",
        "^approve*", "^set role*", "^open", "^read file*", "^urlopen", "^fetch", "^query",
    )
)  # fmt: skip
"""Verbs of what a function asks for before it does it."""
_CHOSEN = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.CALL})
_GUARDING = WordPatterns(
    (word, "guards")
    for word in ("*required", "require*", "auth*", "admin*", "permission*", "protect*", "guard*", "csrf*", "login*",
                 "is admin*", "check*", "verify*", "validat*", "ensure*", "limit*", "throttle*", "rate limit*", "jwt*",
                 "only*", "restrict*", "owner*", "secured", "roles*", "pre authorize")
)  # fmt: skip


def second_way(sides: Sides) -> Iterator[Disarmed]:
    """One for each new function that is open to others and goes round what all others of the file pass."""
    fresh = list(_fresh(sides))
    if not fresh or not sides.before.functions:
        return
    routes, called = (
        _routes(sides.after),
        Counter(callee(call) for item in sides.after.functions for call in calls(item.body)),
    )
    old = _others(sides.before, sides)
    for function in fresh:
        if called[function.short_name] or _asks(function, sides, routes):
            continue
        for deed, line in _deeds(function):
            guarded = old.get(deed, ())
            if guarded and all(guarded):
                what = f"`{function.name}` does `{deed}` without the checks that all others of this file make before."
                yield Disarmed("guard-bypassed", what, sides.after.path, line, function.name)
                break


def _fresh(sides: Sides) -> Iterator[Function]:
    """Functions that others can call and that were not there, under this name or with this body."""
    names = {item.name for item in sides.before.functions}
    bodies = {_text(item) for item in sides.before.functions}
    gone = names - {item.name for item in sides.after.functions}
    more = _lambdas(sides.after) - _lambdas(sides.before)
    for function in sides.after.functions:
        unnamed = function.short_name.startswith("<lambda")
        is_new = more > 0 if unnamed else function.name not in names and not gone
        if is_new and _text(function) not in bodies and (unnamed or _is_open(function)):
            yield function


def _is_open(function: Function) -> bool:
    """True for what others can call: in Java also what only the package sees."""
    return function.is_public or (
        bool(function.owner) and not function.modifiers & {"private", "#"} and not function.short_name.startswith("_")
    )


def _lambdas(source: Outline) -> int:
    return sum(item.short_name.startswith("<lambda") for item in source.functions)


def _text(function: Function) -> str:
    return repr([(item.kind, item.text, [spelled(value) for value in item.exprs]) for item in walk(function.body)])


def _others(source: Outline, sides: Sides) -> dict[str, list[bool]]:
    """For each deed whether each function of the file that does it asks before."""
    routes, found = _routes(source), dict[str, list[bool]]()
    for function in source.functions:
        asks = _asks(function, sides, routes)
        for deed in {deed for deed, _ in _deeds(function)}:
            found.setdefault(deed, []).append(asks)
    return found


def _asks(function: Function, sides: Sides, routes: dict[str, list[str]]) -> bool:
    """True for a function with a guard in it, around it, or before it in its route."""
    marks = [callee(mark) if mark.kind is ExprKind.CALL else mark.text for mark in function.decorators]
    marks += routes.get(function.name, []) + routes.get(function.short_name, [])
    if any(_GUARDING.find(mark) is not None for mark in marks):
        return True
    for statement in walk(function.body):
        if statement.kind is StmtKind.IF:
            endings = map(refusal_of, statement.blocks)
            if any(ending is not None and ending.is_refusing for ending in endings):
                return True
    return any(is_protective(call, sides) for call in calls(function.body))


def _routes(source: Outline) -> dict[str, list[str]]:
    """What stands beside each function in the calls that it is handed to: ``app.get(path, admin, handler)``."""
    found: dict[str, list[str]] = {}
    for statement in walk(source.body):
        for node in (inner for value in statement.exprs for inner in value.walk()):
            if node.kind is ExprKind.CALL:
                words_of = [callee(part) if part.kind is ExprKind.CALL else part.text for part in node.parts[1:]]
                for part in node.parts[1:]:
                    if part.kind in (ExprKind.LAMBDA, ExprKind.NAME):
                        found.setdefault(part.text, []).extend(word for word in words_of if word != part.text)
    return found


def _deeds(function: Function) -> Iterator[tuple[str, int]]:
    for call in calls(function.body):
        chain = _chain(call.parts[0])
        is_deed = _DEEDS.find(callee(call)) is not None and ("." in chain or (chain and len(call.parts) > 1))
        if is_deed and not _is_fixed(call):
            yield chain, call.line


def _is_fixed(call: Expr) -> bool:
    """True for a deed with written-out arguments only: nobody chooses what it is done to."""
    given = call.parts[1:]
    return bool(given) and not any(node.kind in _CHOSEN for part in given for node in part.walk())


def _chain(value: Expr) -> str:
    """``a.b.c`` with calls on the way left out of their arguments; "" for what is neither."""
    if value.kind is ExprKind.NAME:
        return value.text
    if value.kind is ExprKind.ATTRIBUTE:
        head = _chain(value.parts[0])
        return f"{head}.{value.text}" if head else ""
    return _chain(value.parts[0]) if value.kind is ExprKind.CALL else ""
