"""Limits whose count no longer counts."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, spelled
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Outline, Stmt, StmtKind, walk

_ORDER = frozenset({"<", "<=", ">", ">="})
_COUNTING = frozenset(
    {"increment", "incr", "incrementAndGet", "getAndIncrement", "addAndGet", "hit", "inc", "Add", "Incr", "Inc",
     "acquire", "consume", "tick", "next", "record"}
)  # fmt: skip


def counted(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    raised = set(_raised_everywhere(sides.after))
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        bounds = limits(old.body) & limits(function.body)
        for text, line in _raised(old.body):
            if text in bounds and text not in raised and not _counts(function, old):
                what = f"`{function.name}` still refuses above a number, and nothing counts it up any more."
                yield Disarmed("guard-unreached", what, sides.after.path, function.line or line, function.name)


def _raised_everywhere(source: Outline) -> Iterator[str]:
    for block in (source.body, *(item.body for item in source.functions)):
        yield from (text for text, _ in _raised(block))


def _raised(block: Block) -> Iterator[tuple[str, int]]:
    """What is counted up: ``x += 1``, ``x = x + 1``, ``x++``."""
    for statement in walk(block):
        yield from ((text, statement.line) for text in _steps(statement))


def _steps(statement: Stmt) -> Iterator[str]:
    if statement.kind is StmtKind.ASSIGN and len(statement.exprs) == 2:
        value, target = statement.exprs
        sums = (node for node in value.walk() if node.kind is ExprKind.BINARY and node.text == "+")
        adds = any(spelled(target) in map(spelled, node.parts) for node in sums)
        if statement.text == "+=" or adds or _is_one_more(value):
            yield spelled(target)
    for node in (inner for value in statement.exprs for inner in value.walk()):
        if (node.kind is ExprKind.UNARY and "++" in node.text) or (node.kind is ExprKind.ASSIGN and node.text == "+="):
            yield spelled(node.parts[0])


def _is_one_more(value: Expr) -> bool:
    """``counts.get(user, 0) + 1``: one more than what is kept somewhere."""
    if value.kind is not ExprKind.BINARY or value.text != "+" or value.parts[-1].text != "1":
        return False
    return any(node.kind in (ExprKind.CALL, ExprKind.SUBSCRIPT) for part in value.parts[:-1] for node in part.walk())


def limits(block: Block) -> frozenset[str]:
    """What refusing tests hold against a limit."""
    found = set[str]()
    for statement in walk(block):
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                if _refuses(branch):
                    found |= {spelled(side) for node in test.walk() if _is_order(node) for side in node.parts}
    return frozenset(found)


def _refuses(branch: Block) -> bool:
    ending = refusal_of(branch)
    return ending is not None and (ending.is_refusing or ending.kind == "return")


def _is_order(node: Expr) -> bool:
    return node.kind is ExprKind.COMPARE and node.text in _ORDER


def _counts(new: Function, old: Function) -> bool:
    """True when something is called now that counts, by its name."""
    return bool(({callee(call) for call in calls(new.body)} - {callee(call) for call in calls(old.body)}) & _COUNTING)
