"""Protections that are defined, and replaced: by a second definition, a patch at import, an override, another route."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scaffold_cli.anchoring.disarming.interface import (
    Disarmed,
    Sides,
    callee,
    calls,
    dotted,
    refusals,
    refuses,
    spelled,
)
from scaffold_cli.syntax.outline import Class, Expr, ExprKind, Function, Language, Outline, Stmt, StmtKind

_CALLABLE = frozenset({ExprKind.LAMBDA, ExprKind.NAME, ExprKind.ATTRIBUTE})


def replacing(sides: Sides) -> Iterator[Disarmed]:
    """What takes the place of a definition that refuses something. Python, but for overriding."""
    if sides.after.language is Language.PYTHON:
        yield from _defined_again(sides)
        yield from _patched(sides)
    yield from _overridden(sides)
    yield from _other_route(sides)


def _defined_again(sides: Sides) -> Iterator[Disarmed]:
    """A name of the module or of a class that is bound once more after a definition that refuses."""
    before = dict(_doubles(sides.before))
    for name, line in _doubles(sides.after):
        if name not in before:
            what = f"`{name}` is defined, and then replaced by another definition."
            yield Disarmed("guard-replaced", what, sides.after.path, line, name)


def _doubles(found: Outline) -> Iterator[tuple[str, int]]:
    firsts: dict[str, Function] = {}
    for function in found.functions:
        first = firsts.setdefault(function.name, function)
        plain = not first.decorators and not function.decorators
        if first is not function and plain and refuses(first) and first.end_line < function.line:
            yield function.name, function.line
    guards = {name: item for name, item in firsts.items() if refuses(item) and "." not in name}
    for statement in found.body:
        if statement.kind is StmtKind.ASSIGN and statement.text == "=":
            for target in statement.exprs[1:]:
                guard = guards.get(target.text) if target.kind is ExprKind.NAME else None
                mentions = any(node.text == target.text for node in statement.exprs[0].walk())
                if guard is not None and guard.end_line < statement.line and not mentions:
                    yield target.text, statement.line
    for item in found.imports:
        shadowed = [first for name, first in guards.items() if item.local in (name, "*") or item.name == "*"]
        if any(first.end_line < item.line for first in shadowed):
            yield f"import of {item.module or '.'}", item.line


def _patched(sides: Sides) -> Iterator[Disarmed]:
    """At the module level, a function of something imported is replaced."""
    before = {spelled(expr) for statement in sides.before.body for expr in statement.exprs}
    imported = {item.local for item in sides.after.imports}
    for statement in sides.after.body:
        name = _patch(statement, imported)
        if name and not all(spelled(expr) in before for expr in statement.exprs):
            what = f"Importing {sides.after.path} replaces `{name}` for everybody."
            yield Disarmed("guard-replaced", what, sides.after.path, statement.line, name)


def _patch(statement: Stmt, imported: set[str]) -> str:
    if statement.kind is StmtKind.ASSIGN and statement.text == "=" and statement.exprs[0].kind in _CALLABLE:
        targets = (item for item in statement.exprs[1:] if item.kind is ExprKind.ATTRIBUTE)
        return next((dotted(item) for item in targets if _root(item) in imported), "")
    if statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.CALL:
        call = statement.exprs[0]
        given = call.parts[1:]
        enough = callee(call) == "setattr" and len(given) > 2 and given[2].kind in _CALLABLE
        if enough and _root(given[0]) in imported:
            return f"{dotted(given[0])}.{given[1].text}"
    return ""


def _root(expr: Expr) -> str:
    return dotted(expr).partition(".")[0]


def _overridden(sides: Sides) -> Iterator[Disarmed]:
    """A class that was there gains a method that, unlike the one it inherits in this file, refuses nothing."""
    before = {item.name for item in sides.before.functions}
    classes = {item.name: item for item in sides.after.classes}
    known = {item.name for item in sides.before.classes}
    for function in sides.after.functions:
        owner = classes.get(function.owner)
        if owner is None or function.name in before or owner.name not in known or refuses(function):
            continue
        inherited = _inherited(owner, function.short_name, classes, sides.after)
        passed_on = any(callee(call) == function.short_name for call in calls(function.body))
        if inherited is not None and not passed_on:
            what = f"`{function.name}` overrides `{inherited.name}` and leaves out what that refuses."
            yield Disarmed("guard-overridden", what, sides.after.path, function.line, function.name)


def _inherited(owner: Class, name: str, classes: Mapping[str, Class], found: Outline) -> Function | None:
    functions = {item.name: item for item in found.functions}
    for base in owner.bases:
        parent = classes.get(dotted(base))
        inherited = functions.get(f"{parent.name}.{name}") if parent is not None else None
        if refuses(inherited):
            return inherited
    return None


def _other_route(sides: Sides) -> Iterator[Disarmed]:
    """A function called one that refuses; now it calls by itself what lies behind that one."""
    guards = {item.short_name: item for item in sides.before.functions if refuses(item)}
    known = {item.name: item for item in sides.before.functions}
    fresh = [item for item in sides.after.functions if item.name not in known and refuses(item)]
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body or refuses(function):
            continue
        if any(_calls(function, item) for item in fresh):  # the one that refuses has another name now
            continue
        had, has = ({callee(call) for call in calls(item.body)} for item in (old, function))
        has |= {callee(call) for name in has for item in _inside(sides, name) for call in calls(item.body)}
        dropped = {name for name, item in guards.items() if _calls(old, item) and not _calls(function, item)}
        for name in sorted(dropped):
            behind = {callee(call) for call in calls(guards[name].body)} - _in_tests(guards[name])
            if name != function.short_name and (has - had) & behind:
                what = f"`{function.name}` called `{name}`, which refuses, and now goes round it."
                yield Disarmed("guard-bypassed", what, sides.after.path, function.line, function.name)


def _inside(sides: Sides, name: str) -> Iterator[Function]:
    """Functions of the file called `name` that refuse nothing: a way of more than one step."""
    yield from (item for item in sides.after.functions if item.short_name == name and not refuses(item))


def _calls(function: Function, other: Function) -> bool:
    """True when a call may mean `other`: a method is called on something, a function is not."""
    kind = ExprKind.ATTRIBUTE if other.owner else ExprKind.NAME
    named = (call for call in calls(function.body) if callee(call) == other.short_name)
    return any(call.parts[0].kind is kind for call in named)


def _in_tests(function: Function) -> set[str]:
    found = (node for item in refusals(function.body) for node in item.test.walk() if node.kind is ExprKind.CALL)
    return {callee(node) for node in found}
