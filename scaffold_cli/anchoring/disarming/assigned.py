"""Fields that were named one by one when something was written, and are whatever comes now (CWE-915)."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.chosen import made_of
from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, dotted
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, StmtKind, walk

_WRITING = WordPatterns(
    (word, "writes")
    for word in ("update*", "create*", "insert*", "save*", "set*", "assign*", "patch*", "merge*", "upsert*", "build",
                 "values", "store", "add", "replace*")
)  # fmt: skip
_WHOLE = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.SUBSCRIPT})


def assigned(sides: Sides) -> Iterator[Disarmed]:
    """One for each call of a function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        named = {dotted(call.parts[0]) for call in calls(old.body) if _writes(call) and _names_fields(call, old)}
        whole = {dotted(call.parts[0]) for call in calls(old.body) if _takes_all(call, old)}
        for call in calls(function.body):
            name = dotted(call.parts[0])
            if name in named - whole and _takes_all(call, function):
                what = f"`{name}` in `{function.name}` writes whichever fields come; they were named one by one."
                yield Disarmed("guard-weakened", what, sides.after.path, call.line, function.name)


def _writes(call: Expr) -> bool:
    return callee(call)[:1].isupper() or _WRITING.find(callee(call)) is not None


def _names_fields(call: Expr, function: Function) -> bool:
    """True for ``update(id, {name: body.name})`` and ``update(name=body["name"])``: made of what the function gets."""
    written = [field for part in call.parts[1:] for field in _fields(part)]
    return bool(written) and any(made_of(field, function) for field in written)


def _fields(part: Expr) -> Iterator[Expr]:
    if part.kind is ExprKind.KEYWORD:
        yield part.parts[0]
    elif _is_literal(part):
        yield from (pair.parts[1] for pair in part.parts)


def _is_literal(value: Expr) -> bool:
    """True for a table whose keys are written out."""
    is_table = value.kind is ExprKind.COLLECTION and value.text == "dict" and bool(value.parts)
    return is_table and all(pair.kind is ExprKind.PAIR and len(pair.parts) == 2 for pair in value.parts)


def _takes_all(call: Expr, function: Function) -> bool:
    """True for ``update(id, body)``, ``update(id, {...body})``, ``update(**body)`` with what the function gets."""
    if not any(part.kind in _WHOLE or _spread(part) is not None for part in call.parts[1:]):
        return False
    return any(_is_whole(_spread(part), function) for part in call.parts[1:]) or (
        bool(call.parts[1:]) and _is_table_that_came(call.parts[-1], function)
    )


def _spread(part: Expr) -> Expr | None:
    """What is spread into a table or into arguments."""
    inner = part.parts if part.kind is ExprKind.COLLECTION else (part,)
    return next((item.parts[0] for item in inner if item.kind is ExprKind.UNARY and item.text == "**"), None)


def _is_whole(value: Expr | None, function: Function) -> bool:
    """True for a value that came from outside as it is, by whatever name."""
    if value is None or value.kind not in _WHOLE:
        return False
    given = [item for item in walk(function.body) if item.kind is StmtKind.ASSIGN]
    for item in given:
        for target in item.exprs[1:]:
            if target.kind is ExprKind.NAME and target.text == value.text:
                return item.exprs[0].kind in _WHOLE and bool(made_of(item.exprs[0], function))
            rest = _spread(target)
            if rest is not None and rest.text == value.text:
                return bool(made_of(item.exprs[0], function))
    return bool(made_of(value, function))


def _is_table_that_came(value: Expr, function: Function) -> bool:
    """True for the rest of a table that came, or a body as it is: ``const { id, ...fields } = req.body``."""
    if value.kind is ExprKind.ATTRIBUTE:
        return value.text in _BODIES and bool(made_of(value, function))
    spreads = (
        (target, item.exprs[0])
        for item in walk(function.body)
        if item.kind is StmtKind.ASSIGN
        for target in item.exprs[1:]
    )
    for target, given in spreads:
        rest = _spread(target)
        if value.kind is ExprKind.NAME and rest is not None and rest.text == value.text:
            return bool(made_of(given, function))
        if target.kind is value.kind is ExprKind.NAME and target.text == value.text:
            return given.kind is ExprKind.ATTRIBUTE and given.text in _BODIES and bool(made_of(given, function))
    return False


_BODIES = frozenset({"body", "data", "json", "form", "query", "params", "payload", "POST", "args", "values", "fields"})
"""Attributes of a request that hold a table of what was sent."""
