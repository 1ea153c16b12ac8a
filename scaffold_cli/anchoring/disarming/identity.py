"""What tells one from another: levels that become equal or change places, fields that equality no longer asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, dotted
from scaffold_cli.anchoring.implication import number
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Class, Expr, ExprKind, Function, Outline, StmtKind, walk

_EQUAL = frozenset({"equals", "__eq__", "Equals", "Equal", "equal", "isEqual", "eq"})
_WHOLE = frozenset({"super", "astuple", "asdict", "vars", "reflectionEquals", "DeepEqual", "isEqual", "deepEqual"})
_TELLING = WordPatterns(
    (word, "tells apart")
    for word in ("id", "ids", "uid", "uuid", "guid", "key", "owner*", "tenant*", "user*", "account*", "hash", "digest")
)
"""Fields that say who or what something is."""
_SELVES = frozenset({"self", "this", "cls"})
_ORDER = frozenset({"<", "<=", ">", ">="})
_OTHERS = frozenset({"that", "other", "rhs", "o"})
"""Names of the other side in a language that gives it one where it asks for its type."""


def identity(sides: Sides) -> Iterator[Disarmed]:
    """One for each class and each equality that was there before."""
    classes = {item.name: item for item in sides.before.classes}
    for owner in sides.after.classes:
        old = classes.get(owner.name)
        if old is not None and old.body != owner.body and _is_enum(owner):
            yield from _levels(old, owner, sides)
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        was = known.get(function.name)
        if was is not None and was.body != function.body and function.short_name in _EQUAL:
            yield from _equality(was, function, sides)


def _is_enum(owner: Class) -> bool:
    bases = {dotted(base).rpartition(".")[2] for base in owner.bases}
    return owner.kind == "enum" or any(base.endswith(("Enum", "Flag")) for base in bases)


def _levels(old: Class, new: Class, sides: Sides) -> Iterator[Disarmed]:
    """Two members that stood apart are one, or stand the other way round."""
    before, after = _numbers(old), _numbers(new)
    shared = sorted((name for name in before if name in after), key=lambda name: (before[name], after[name]))
    ordered = _is_ordered(new, sides.after)
    highest: dict[float, str] = {}
    top = ""
    for name in shared:
        one = highest.get(after[name], "")
        one = one if one and before[one] != before[name] else ""
        if not one and ordered and top and before[top] < before[name] and after[top] > after[name]:
            one = top
        if one:
            what = f"`{new.name}.{one}` and `{new.name}.{name}` no longer stand to each other as they did."
            yield Disarmed("guard-weakened", what, sides.after.path, new.line, new.name)
            return
        highest[after[name]] = name
        top = name if not top or after[name] > after[top] else top


def _is_ordered(owner: Class, source: Outline) -> bool:
    """True where members are held against each other by size: by their kind, or by a comparison of their values."""
    bases = {dotted(base).rpartition(".")[2] for base in owner.bases}
    if owner.kind == "enum" or any(base.endswith(("IntEnum", "Flag")) or base == "int" for base in bases):
        return True
    blocks = (source.body, *(item.body for item in source.functions))
    exprs = (value for block in blocks for statement in walk(block) for value in statement.exprs)
    sides = (
        side
        for value in exprs
        for node in value.walk()
        if node.kind is ExprKind.COMPARE and node.text in _ORDER
        for side in node.parts
    )
    return any(side.kind is ExprKind.ATTRIBUTE and side.text in {"value", "_value_"} for side in sides)


def _numbers(owner: Class) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for statement in owner.body:
        if statement.kind is StmtKind.ASSIGN and len(statement.exprs) == 2:
            value = number(statement.exprs[0].text) if statement.exprs[0].kind is ExprKind.NUMBER else None
            if value is not None:
                found[statement.exprs[1].text] = value
    return found


def _equality(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """Two that were told apart by a field are the same now."""
    lost, gained = _fields(old) - _fields(new), _fields(new) - _fields(old)
    lost = frozenset(name for name in lost if not name.startswith("__"))  # `__class__` gives way to `isinstance`
    lost -= _through_helpers(gained, sides)
    lost -= {name for name in lost if _is_gone(name, old, sides)}
    if gained:
        lost = frozenset(name for name in lost if _TELLING.find(name) is not None)
    whole = _WHOLE & {callee(call) for call in calls(new.body)}
    if lost and not whole:
        what = f"`{new.name}` no longer asks `{min(lost)}`, so that others may be taken for the one."
        yield Disarmed("guard-weakened", what, sides.after.path, new.line, new.name)


def _through_helpers(names: frozenset[str], sides: Sides) -> frozenset[str]:
    """What methods of the file read that are asked in place of fields: ``self._key() == other._key()``."""
    asked = (_fields(item) for item in sides.after.functions if item.short_name in names)
    return frozenset[str]().union(*asked)


def _is_gone(name: str, old: Function, sides: Sides) -> bool:
    """True for a field the file had outside the equality and has nowhere now: nothing is left to tell apart by."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    there = [number for number, line in enumerate(sides.before.text, 1) if word.search(line)]
    apart = any(not old.line <= number <= old.end_line for number in there)
    return apart and not any(word.search(line) for line in sides.after.text)


def _fields(function: Function) -> frozenset[str]:
    """Attributes that are read of both sides or of one."""
    names = {param.name for param in function.params}
    found = set[str]()
    for statement in walk(function.body):
        for node in (inner for value in statement.exprs for inner in value.walk()):
            if node.kind is ExprKind.ATTRIBUTE and _is_side(node.parts[0], names):
                found.add(node.text)
    return frozenset(found) - _EQUAL


def _is_side(value: Expr, names: set[str]) -> bool:
    return value.kind is ExprKind.NAME and (value.text in names | _SELVES | _OTHERS)
