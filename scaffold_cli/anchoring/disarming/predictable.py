"""Values that came from a secure generator kept in a field, and come from one that can be predicted now (CWE-338)."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, calls
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, Outline, StmtKind

_SECURE = frozenset({"SecureRandom", "SystemRandom"})
_PLAIN = frozenset({"Random", "ThreadLocalRandom", "SplittableRandom", "Math.random"})


def predictable(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    secure = _generators(sides.before)
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body or not secure & _asked(old) - _asked(function):
            continue
        for call in calls(function.body):
            if _made(call) in _PLAIN and _made(call) not in {_made(other) for other in calls(old.body)}:
                what = f"`{function.name}` takes values from `{_made(call)}`, which can be predicted."
                yield Disarmed("guard-weakened", what, sides.after.path, call.line, function.name)


def _generators(source: Outline) -> frozenset[str]:
    """Names of the module and fields that hold a secure generator."""
    found = set[str]()
    for block in (source.body, *(item.body for item in source.classes), *(item.body for item in source.functions)):
        for statement in block:
            value = statement.exprs[0] if statement.kind is StmtKind.ASSIGN else None
            if value is not None and value.kind is ExprKind.CALL and _made(value) in _SECURE:
                found |= {target.text for target in statement.exprs[1:]}
    return frozenset(found)


def _asked(function: Function) -> frozenset[str]:
    """What the methods called in a function are called on."""
    heads = (call.parts[0] for call in calls(function.body))
    return frozenset(head.parts[0].text for head in heads if head.kind is ExprKind.ATTRIBUTE)


def _made(call: Expr) -> str:
    return call.parts[0].text.rpartition(".")[2]
