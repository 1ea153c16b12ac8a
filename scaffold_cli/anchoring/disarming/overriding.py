"""Classes that answer for a check they inherit without a method that says so: by a value, another base, a hook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, refuses
from scaffold_cli.syntax.outline import Class, ExprKind, Function, Outline, StmtKind, walk

_HOOK = "__getattribute__"


def overriding(sides: Sides) -> Iterator[Disarmed]:
    """One for each refusing method that a class which was there no longer has for its objects."""
    before = {item.name: item for item in sides.before.classes}
    classes = {item.name: item for item in sides.after.classes}
    methods = {item.name: item for item in sides.after.functions if item.owner}
    hooks = {item.name for item in sides.before.functions}
    for name, owner in classes.items():
        old = before.get(name)
        if old is None:
            continue
        for given, line in _given(owner).items():
            if given not in _given(old) and _refusing(owner, given, classes, methods):
                what = f"`{name}.{given}` is a plain value now, in the place of a method that refuses."
                yield _found(what, sides.after, line, f"{name}.{given}")
        yield from _by_base(old, owner, classes, methods, sides.after)
        hook = methods.get(f"{name}.{_HOOK}")
        has_guard = any(refuses(item) for item in methods.values() if item.owner in (name, *_bases(owner)))
        if hook is not None and hook.name not in hooks and has_guard:
            what = f"`{hook.name}` decides anew what every attribute of it is, its checks among them."
            yield _found(what, sides.after, hook.line, hook.name)


def _by_base(
    old: Class, new: Class, classes: Mapping[str, Class], methods: Mapping[str, Function], source: Outline
) -> Iterator[Disarmed]:
    """A base that comes in front of another and has a method of the same name which refuses nothing."""
    bases = _bases(new)
    for index, base in enumerate(bases):
        if base in _bases(old) or base not in classes:
            continue
        for method in (item for item in methods.values() if item.owner == base and not refuses(item)):
            behind = (methods.get(f"{later}.{method.short_name}") for later in bases[index + 1 :])
            if any(map(refuses, behind)) and f"{new.name}.{method.short_name}" not in methods:
                what = f"`{new.name}` takes `{method.short_name}` from {base} now, which refuses nothing."
                yield _found(what, source, new.line, f"{new.name}.{method.short_name}")


def _given(owner: Class) -> Mapping[str, int]:
    """Names that the body of a class gives a value that can be called, with their lines."""
    return {
        target.text: statement.line
        for statement in walk(owner.body)
        if statement.kind is StmtKind.ASSIGN
        and statement.exprs[0].kind in (ExprKind.LAMBDA, ExprKind.NAME, ExprKind.ATTRIBUTE)
        for target in statement.exprs[1:]
        if target.kind is ExprKind.NAME
    }


def _refusing(owner: Class, name: str, classes: Mapping[str, Class], methods: Mapping[str, Function]) -> bool:
    return any(refuses(methods.get(f"{each}.{name}")) for each in (owner.name, *_bases(owner)) if each in classes)


def _bases(owner: Class) -> tuple[str, ...]:
    return tuple(base.text for base in owner.bases)


def _found(what: str, source: Outline, line: int, symbol: str) -> Disarmed:
    return Disarmed("guard-overridden", what, source.path, line, symbol)
