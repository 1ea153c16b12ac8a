"""Ways round a definition that no name shows: through a decorator, by names worked out, off the base's method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

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
from scaffold_cli.syntax.outline import Block, Class, Expr, ExprKind, Function, Language, Outline, Stmt, StmtKind, walk

_CALLABLE = frozenset({ExprKind.LAMBDA, ExprKind.NAME, ExprKind.ATTRIBUTE})
_INNER = frozenset({"__code__", "__class__", "__bases__", "__call__"})
_TABLES = frozenset({"globals", "vars", "locals"})
_ROOTS = frozenset({"object", "Object", "ABC", "Generic", "Protocol", "Enum", "NamedTuple", "Exception"})


def dynamic(sides: Sides) -> Iterator[Disarmed]:
    """One for each new way; Python, but for renamed overrides."""
    if sides.after.language is Language.PYTHON:
        yield from _unwrapped(sides)
        yield from _set_by_name(sides)
        yield from _set_inside(sides)
    yield from _renamed_overrides(sides)


def _unwrapped(sides: Sides) -> Iterator[Disarmed]:
    """Newly, what a decorator wraps is called without it."""
    before = Counter(spelled(call.parts[0]) for call in _all_calls(sides.before) if _goes_inside(call))
    for call in _all_calls(sides.after):
        if not _goes_inside(call):
            continue
        if before[spelled(call.parts[0])] > 0:
            before[spelled(call.parts[0])] -= 1
            continue
        what = "A function is called without the decorators that stand before it."
        yield Disarmed("guard-bypassed", what, sides.after.path, call.line)


def _goes_inside(call: Expr) -> bool:
    function = call.parts[0]
    if function.kind is ExprKind.CALL:
        return callee(function) == "unwrap"
    return function.kind is ExprKind.ATTRIBUTE and function.text == "__wrapped__"


def _all_calls(source: Outline) -> Iterator[Expr]:
    for block in (source.body, *(function.body for function in source.functions)):
        yield from calls(block)


def _set_by_name(sides: Sides) -> Iterator[Disarmed]:
    """On import, functions are put in place under names that are worked out."""
    before = {spelled(expr) for statement in walk(sides.before.body) for expr in statement.exprs}
    for statement in _run_on_import(sides.after.body):
        target = _worked_out(statement)
        if target and not all(spelled(expr) in before for expr in statement.exprs):
            what = f"Importing {sides.after.path} replaces what `{target}` holds under names that are worked out."
            yield Disarmed("guard-replaced", what, sides.after.path, statement.line)


def _run_on_import(body: Block) -> Iterator[Stmt]:
    return (statement for statement in walk(body) if statement.kind in (StmtKind.ASSIGN, StmtKind.EXPR))


def _worked_out(statement: Stmt) -> str:
    """What a statement sets a function on, by a name that is not written out."""
    if not statement.exprs:
        return ""
    first = statement.exprs[0]
    if statement.kind is StmtKind.ASSIGN and first.kind in _CALLABLE:
        for target in statement.exprs[1:]:
            if target.kind is ExprKind.SUBSCRIPT and _is_table(target.parts[0]):
                return "globals()" if target.parts[0].kind is ExprKind.CALL else dotted(target.parts[0])
    if statement.kind is StmtKind.EXPR and first.kind is ExprKind.CALL and callee(first) == "setattr":
        given = first.parts[1:]
        if len(given) == 3 and given[1].kind is not ExprKind.STRING and given[2].kind in _CALLABLE:
            return dotted(given[0])
    return ""


def _is_table(expr: Expr) -> bool:
    is_namespace = expr.kind is ExprKind.CALL and callee(expr) in _TABLES
    return is_namespace or (expr.kind is ExprKind.ATTRIBUTE and expr.text == "__dict__")


def _set_inside(sides: Sides) -> Iterator[Disarmed]:
    """The code of a function, a module of the program, or a method that refuses is given another one."""
    guards = sides.refusing
    before = Counter(_assigned_inside(sides.before, guards))
    for target, line in _assignments_inside(sides.after, guards):
        if before[target] > 0:
            before[target] -= 1
            continue
        what = f"`{target}` is replaced while the program runs."
        yield Disarmed("guard-replaced", what, sides.after.path, line)


def _assigned_inside(source: Outline, guards: frozenset[str]) -> Iterator[str]:
    return (target for target, _ in _assignments_inside(source, guards))


def _assignments_inside(source: Outline, guards: frozenset[str]) -> Iterator[tuple[str, int]]:
    for block in (source.body, *(function.body for function in source.functions)):
        for statement in walk(block):
            if statement.kind is not StmtKind.ASSIGN:
                continue
            for target in statement.exprs[1:]:
                if target.kind is ExprKind.ATTRIBUTE and (
                    target.text in _INNER or (target.text in guards and statement.exprs[0].kind in _CALLABLE)
                ):
                    yield dotted(target) or target.text, statement.line
                elif _is_known_module(target):
                    yield "sys.modules", statement.line


def _is_known_module(target: Expr) -> bool:
    """True for ``sys.modules["shop.auth"]``; a module that is being loaded has its name from elsewhere."""
    is_entry = target.kind is ExprKind.SUBSCRIPT and dotted(target.parts[0]) == "sys.modules"
    return is_entry and target.parts[1].kind is ExprKind.STRING


def _renamed_overrides(sides: Sides) -> Iterator[Disarmed]:
    """A method that took the place of its base's has another name, so the base's runs."""
    new = {item.name: item for item in sides.after.functions}
    old = {item.name for item in sides.before.functions}
    classes = {item.name: item for item in sides.after.classes}
    for function in sides.before.functions:
        owner = classes.get(function.owner)
        if owner is None or function.name in new or not _overrides(function, owner, sides):
            continue
        kept = {item.key for item in refusals(function.body)}
        for name, other in new.items():
            is_new = other.owner == owner.name and name not in old and not _is_expected(other, sides)
            if is_new and kept & {item.key for item in refusals(other.body)}:
                what = f"`{function.name}` is now `{other.short_name}`, so what it overrode runs instead."
                yield Disarmed("guard-overridden", what, sides.after.path, other.line, other.name)


def _overrides(function: Function, owner: Class, sides: Sides) -> bool:
    """True for a refusing method that passes on to its base, or that nothing but an unseen base can call."""
    bases = [dotted(base).rpartition(".")[2] for base in owner.bases]
    if not [base for base in bases if base not in _ROOTS] or not refuses(function):
        return False
    own = {item.name: item for item in sides.before.functions}
    if any(f"{base}.{function.short_name}" in own for base in bases):
        return f"{bases[0]}.{function.short_name}" in sides.functions
    named = [call for call in _all_calls(sides.before) if callee(call) == function.short_name]
    passed_on = [
        call for call in named if call.parts[0].kind is ExprKind.ATTRIBUTE and _is_super(call.parts[0].parts[0])
    ]
    local = {item.name for item in sides.before.classes}
    return bool(passed_on) or (not named and not function.decorators and not local & set(bases))


def _is_super(owner: Expr) -> bool:
    return (callee(owner) if owner.kind is ExprKind.CALL else owner.text) == "super"


def _is_expected(function: Function, sides: Sides) -> bool:
    """True when the new name is called in the file, or is a method of another class of the change."""
    called = any(callee(call) == function.short_name for call in _all_calls(sides.after))
    elsewhere = any(
        name.rpartition(".")[2] == function.short_name and name != function.name for name in sides.functions
    )
    return called or elsewhere
