"""What is asked for under one key and put down under another; what counted from now and does not."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, spelled
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind, walk

_PUTTING = frozenset({"add", "put", "set", "Store", "append", "push", "setdefault", "putIfAbsent", "setex", "insert"})
_CLOCKS = frozenset({"now", "time", "Now", "currentTimeMillis", "nanoTime", "utcnow", "monotonic", "clock", "instant"})
_FIXED = frozenset({ExprKind.NUMBER, ExprKind.BINARY, ExprKind.UNARY, ExprKind.STRING, ExprKind.CONSTANT})


def recorded(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        for line, what in (*_under_another_key(old, function), *_without_clock(old, function)):
            yield Disarmed("guard-weakened", what, sides.after.path, line, function.name)


def _under_another_key(old: Function, new: Function) -> Iterator[tuple[int, str]]:
    """``if seen[k]: return … seen[k] = 1`` became ``… seen[k + x] = 1``: the question stands, and is never true."""
    was, now = dict(_puts(old.body)), dict(_puts(new.body))
    asked = _asked(old.body) & _asked(new.body)
    for owner, key in was.keys() & asked:
        others = [place for place in now if place[0] == owner and place not in was]
        if (owner, key) not in now and others:
            name = owner.rpartition(":")[2].rstrip(")")
            yield now[others[0]], f"`{new.name}` asks for one key, and puts down another one in its place ({name})."


def _puts(block: Block) -> Iterator[tuple[tuple[str, str], int]]:
    """Containers and keys that something is put down under."""
    for statement in walk(block):
        if statement.kind is StmtKind.ASSIGN:
            for target in statement.exprs[1:]:
                if target.kind is ExprKind.SUBSCRIPT:
                    yield (spelled(target.parts[0]), spelled(target.parts[1])), statement.line
    for call in calls(block):
        if callee(call) in _PUTTING and call.parts[0].parts and len(call.parts) > 1:
            yield (spelled(call.parts[0].parts[0]), spelled(call.parts[1])), call.line


def _asked(block: Block) -> frozenset[tuple[str, str]]:
    """Containers and keys that tests look for."""
    return frozenset(pair for statement in walk(block) for test in _tests(statement) for pair in _lookups(test))


def _tests(statement: Stmt) -> tuple[Expr, ...]:
    return statement.exprs if statement.kind is StmtKind.IF else ()


def _lookups(test: Expr) -> Iterator[tuple[str, str]]:
    for node in test.walk():
        if node.kind is ExprKind.SUBSCRIPT:
            yield spelled(node.parts[0]), spelled(node.parts[1])
        elif node.kind is ExprKind.COMPARE and node.text in ("in", "not in"):
            yield spelled(node.parts[1]), spelled(node.parts[0])
        elif node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE and len(node.parts) > 1:
            yield spelled(node.parts[0].parts[0]), spelled(node.parts[1])


def _without_clock(old: Function, new: Function) -> Iterator[tuple[int, str]]:
    """``until = now() + MINUTES`` became ``until = MINUTES``: long ago, or for ever."""
    was, still = (
        {spelled(target) for target, value, _ in _given(side.body) if target.text and _counts_from_now(value)}
        for side in (old, new)
    )
    known = {(spelled(target), spelled(value)) for target, value, _ in _given(old.body)}
    for target, value, line in _given(new.body):
        is_new = spelled(target) in was - still and (spelled(target), spelled(value)) not in known
        if is_new and all(node.kind in _FIXED or node.text.isupper() for node in value.walk()):
            yield line, f"`{target.text}` in `{new.name}` counted from now, and is a fixed number."


def _given(block: Block) -> Iterator[tuple[Expr, Expr, int]]:
    for statement in walk(block):
        if statement.kind is StmtKind.ASSIGN:
            yield from ((target, statement.exprs[0], statement.line) for target in statement.exprs[1:])


def _counts_from_now(value: Expr) -> bool:
    sums = (node for node in value.walk() if node.kind is ExprKind.BINARY and node.text in "+-")
    return any(callee(call) in _CLOCKS for node in sums for call in node.walk() if call.kind is ExprKind.CALL)
