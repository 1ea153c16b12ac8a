"""Guards and checks that stand as they did and look at something else: another value, or a name of their own."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, spelled
from scaffold_cli.anchoring.disarming.provenance import Look, Reader, is_piece, part_of
from scaffold_cli.anchoring.views import names_in
from scaffold_cli.syntax.outline import ExprKind, Function, StmtKind, walk

_SELVES = frozenset({"self", "this", "cls"})


def diverted(sides: Sides) -> Iterator[Disarmed]:
    """One for each look of a function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or (old.body == function.body and old.params == function.params):
            continue
        was, now = Reader(old, sides).looks, Reader(function, sides).looks
        yield from _elsewhere(was, now, old, function, sides)
        yield from _shadowed(was, now, function, sides)


def _elsewhere(was: list[Look], now: list[Look], old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """Nothing of the shape looks at a parameter any more that is still one."""
    kept = ({param.name for param in old.params} & {param.name for param in new.params}) - _SELVES
    alike = _by_shape(now)
    for shape, before in _by_shape(was).items():
        after = alike.get(shape, [])
        if not after or len(after) < len(before):
            continue
        asked = frozenset().union(*(look.roots for look in before)) & kept
        found = frozenset().union(*(look.roots for look in after))
        lost = {name for name in asked - found if part_of(name) not in found or _is_used_whole(name, new)}
        lost -= {name for name in lost if not _is_named(name, before) and _is_asked_less(name, old, sides)}
        if lost:
            what = f"A check of `{new.name}` no longer looks at `{min(lost)}`, which it was for."
            yield Disarmed("guard-on-another-value", what, sides.after.path, after[0].line, new.name)


def _by_shape(looks: list[Look]) -> dict[str, list[Look]]:
    found: dict[str, list[Look]] = {}
    for look in looks:
        found.setdefault(look.shape, []).append(look)
    return found


def _is_named(name: str, looks: list[Look]) -> bool:
    return any(name in look.names for look in looks)


def _is_asked_less(name: str, old: Function, sides: Sides) -> bool:
    """True when a parameter was only handed to a function of the file that takes other arguments now."""
    takes = {item.short_name: len(item.params) for item in sides.after.functions}
    changed = {item.short_name for item in sides.before.functions if takes.get(item.short_name) != len(item.params)}
    handed = (call for call in calls(old.body) if callee(call) in changed)
    return any(name in names_in(part) for call in handed for part in call.parts[1:])


def _is_used_whole(name: str, function: Function) -> bool:
    """True when a call outside tests takes the value of a parameter as it came."""
    if any(
        target.text == name for item in walk(function.body) if item.kind is StmtKind.ASSIGN for target in item.exprs[1:]
    ):
        return False
    values = (value for item in walk(function.body) if item.kind is not StmtKind.IF for value in item.exprs)
    taken = (call for value in values for call in value.walk() if call.kind is ExprKind.CALL and not is_piece(call))
    return any(part.kind is ExprKind.NAME and part.text == name for call in taken for part in call.parts[1:])


def _shadowed(was: list[Look], now: list[Look], new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A name of the module that a check reads is one of the function's own, and says something else."""
    shared = _module_names(sides)
    alike = _by_shape(was)
    for look in now:
        before = [other for other in alike.get(look.shape, ()) if look.own & (other.names - other.own)]
        names = {name for other in before for name in look.own & (other.names - other.own)} & shared.keys()
        for name in sorted(names):
            if not _given(name, new) <= {shared[name], f"{ExprKind.NAME}:{name}"}:
                what = f"`{name}`, which a check of `{new.name}` reads, is no longer that of the module."
                yield Disarmed("guard-on-another-value", what, sides.after.path, look.line, new.name)


def _module_names(sides: Sides) -> dict[str, str]:
    """What the module defines or imports, with the spelling of its value where that is one."""
    found = {function.name: "" for function in sides.before.functions if "." not in function.name}
    found |= {item.local: "" for item in sides.before.imports}
    for statement in sides.before.body:
        if statement.kind is StmtKind.ASSIGN:
            names = (target.text for target in statement.exprs[1:] if target.kind is ExprKind.NAME)
            found |= dict.fromkeys(names, spelled(statement.exprs[0]))
    return found


def _given(name: str, function: Function) -> set[str]:
    """Everything a function may give a name of its own; empty texts for what is not written out."""
    given = {
        spelled(param.default) if param.default is not None else "" for param in function.params if param.name == name
    }
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN and any(target.text == name for target in statement.exprs[1:]):
            given.add(spelled(statement.exprs[0]))
    return given or {"?"}
