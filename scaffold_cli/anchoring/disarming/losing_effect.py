"""Refusals that are still written down: swallowed, made conditional, turned to another value, or never reached."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import (
    Disarmed,
    Refusal,
    Sides,
    callee,
    is_broad,
    is_protective,
    refusals,
    refuses,
    spelled,
    suppressed,
    swallowed,
)
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind, walk

_OWNER = WordPatterns(
    (word, "owner")
    for word in (
        "owner*",
        "user*",
        "tenant*",
        "account*",
        "author*",
        "creator*",
        "created by",
        "organi*",
        "org",
        "customer*",
    )
)
"""Names of attributes that say whose something is."""


def losing_effect(sides: Sides) -> Iterator[Disarmed]:
    """One for each refusal or protective call that lost its effect inside the function that holds it."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is not None and _differ(old, function):
            yield from _refusals(old, function, sides)
            yield from _calls(old, function, sides)
            yield from _decorated(old, function, sides)
            yield from _unreached(old, function, sides)
            yield from _postponed(old, function, sides)


def _differ(old: Function, new: Function) -> bool:
    return old.body != new.body or old.decorators != new.decorators or old.modifiers != new.modifiers


def _refusals(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    now: dict[tuple[str, str], list[Refusal]] = {}
    for refusal in refusals(new.body):
        now.setdefault(refusal.key, []).append(refusal)
    for refusal in refusals(old.body):
        found = now.get(refusal.key, [])
        if refusal.caught:
            continue
        if found and all(item.caught for item in found):
            yield _told(
                "guard-swallowed",
                f"A refusal of `{new.name}` is swallowed where it is raised",
                sides,
                new,
                found[0].line,
            )
        elif found and refusal.depth == 0 and all(item.depth for item in found):
            yield _told(
                "guard-conditional",
                f"A refusal of `{new.name}` only happens under a further condition",
                sides,
                new,
                found[0].line,
            )
        elif not found:
            other = _on_another_value(refusal, now, new)
            if other is not None:
                yield _told(
                    "guard-on-another-value",
                    f"A refusal of `{new.name}` looks at another value than before",
                    sides,
                    new,
                    other.line,
                )


def _on_another_value(lost: Refusal, now: dict[tuple[str, str], list[Refusal]], new: Function) -> Refusal | None:
    """A refusal of the same shape in which a parameter gave way to another one, or an owner to something else."""
    parameters = {param.name for param in new.params}
    for refusal in (item for found in now.values() for item in found):
        if refusal.error == lost.error and _shape(refusal.test) == _shape(lost.test):
            gone = _names(lost.test) - _names(refusal.test)
            if gone & parameters and not _names(refusal.test) - _names(lost.test):
                return refusal
            owned, other = (_attributes(one) - _attributes(two) for one, two in _both_ways(lost.test, refusal.test))
            if any(map(_OWNER.find, owned)) and other and not any(map(_OWNER.find, other)) and not gone:
                return refusal
    return None


def _both_ways(one: Expr, other: Expr) -> tuple[tuple[Expr, Expr], tuple[Expr, Expr]]:
    return (one, other), (other, one)


def _attributes(expr: Expr) -> set[str]:
    return {node.text for node in expr.walk() if node.kind is ExprKind.ATTRIBUTE}


def _shape(expr: Expr) -> str:
    text = "" if expr.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) else expr.text
    return f"{expr.kind}:{text}({','.join(map(_shape, expr.parts))})"


def _names(expr: Expr) -> set[str]:
    return {node.text for node in expr.walk() if node.kind is ExprKind.NAME}


def _calls(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """Statements that call something protective and whose error is now swallowed, or that only name it now."""
    before = {
        spelled(call) for call, caught in _statements(old.body, False) if not caught and is_protective(call, sides)
    }
    after: dict[str, list[tuple[Expr, bool]]] = {}
    for call, caught in _statements(new.body, False):
        after.setdefault(spelled(call), []).append((call, caught))
    for text in before:
        found = after.get(text, [])
        if found and all(caught for _, caught in found):
            yield _told(
                "guard-swallowed", f"What a check in `{new.name}` raises is swallowed", sides, new, found[0][0].line
            )
        if not found and any(text in map(spelled, _below(item)) for item in _idle(new.body)):
            yield _told(
                "guard-unreached",
                f"A check in `{new.name}` stands in a function that is not called",
                sides,
                new,
                new.line,
            )


def _statements(block: Block, caught: bool) -> Iterator[tuple[Expr, bool]]:
    """Call statements, and whether errors of every kind, or of refusals, are swallowed around them."""
    for statement in block:
        if statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.CALL:
            yield statement.exprs[0], caught
        if statement.kind is StmtKind.TRY:
            names = swallowed(statement)
            yield from _statements(statement.blocks[0], caught or is_broad(names) or bool(names & _REFUSALS))
        elif statement.kind is StmtKind.WITH:
            names = suppressed(statement)
            yield from _statements(statement.blocks[0], caught or is_broad(names) or bool(names & _REFUSALS))
        else:
            for inner in statement.blocks:
                yield from _statements(inner, caught)


_REFUSALS = frozenset(
    [
        "PermissionError",
        "ValueError",
        "SecurityException",
        "AccessDeniedException",
        "AssertionError",
        "PermissionDenied",
        "Forbidden",
        "Unauthorized",
        "IllegalArgumentException",
        "ValidationError",
    ]
)
"""Errors with which code refuses."""


def _idle(block: Block) -> Iterator[Expr]:
    """Lambdas that are made and left lying."""
    for statement in walk(block):
        if statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.LAMBDA:
            yield statement.exprs[0]


def _below(expr: Expr) -> Iterator[Expr]:
    yield from (node for node in expr.walk() if node.kind is ExprKind.CALL)


def _decorated(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A new decorator, defined in the change, that swallows what the function raises."""
    known = {spelled(item) for item in old.decorators}
    if not refuses(new):
        return
    for mark in new.decorators:
        name = callee(mark) if mark.kind is ExprKind.CALL else mark.text
        inner = [item for full, item in sides.functions.items() if full == name or full.startswith(f"{name}.")]
        attempts = [statement for item in inner for statement in walk(item.body) if statement.kind is StmtKind.TRY]
        if spelled(mark) not in known and any(swallows_all(attempt) for attempt in attempts):
            yield _told(
                "guard-swallowed", f"The decorator `{name}` swallows what `{new.name}` raises", sides, new, new.line
            )


def swallows_all(attempt: Stmt) -> bool:
    """True for an attempt with a broad handler that does not raise, whether it returns or goes on."""
    for handler in attempt.blocks[1]:
        quiet = not any(item.kind is StmtKind.RAISE for item in walk(handler.blocks[0]))
        names = frozenset(node.text for expr in handler.exprs for node in expr.walk()) or frozenset({""})
        if quiet and (is_broad(names) or names & _REFUSALS):
            return True
    return False


def _unreached(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A refusal that moved into an inner function nobody calls."""
    kept = {item.key for item in refusals(new.body)}
    lost = {item.key for item in refusals(old.body)} - kept
    inner = [item for item in sides.after.functions if item.name.startswith(f"{new.name}.")]
    used = {node.text for statement in walk(new.body) for expr in statement.exprs for node in expr.walk()}
    for function in inner:
        if function.short_name not in used and any(item.key in lost for item in refusals(function.body)):
            yield _told(
                "guard-unreached",
                f"A refusal of `{new.name}` stands in `{function.short_name}`, which is not called",
                sides,
                new,
                function.line,
            )


def _postponed(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A function that refuses became a generator or a coroutine, and is still called as if it ran at once."""
    if not refuses(new) or _runs_later(old) or not _runs_later(new):
        return
    for function in sides.after.functions:
        for statement in walk(function.body):
            call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
            if call is None or call.kind is not ExprKind.CALL:
                continue
            if callee(call).rpartition(".")[2] == new.short_name:
                what = f"`{new.name}` only refuses once it is awaited or iterated, and it is called without"
                yield _told("guard-unreached", what, sides, function, statement.line)
                return


def _runs_later(function: Function) -> bool:
    yields = any(
        node.kind is ExprKind.UNARY and node.text.startswith("yield")
        for statement in walk(function.body)
        for expr in statement.exprs
        for node in expr.walk()
    )
    return yields or bool(function.modifiers & {"async", "generator"})


def _told(code: str, what: str, sides: Sides, function: Function, line: int) -> Disarmed:
    return Disarmed(code, f"{what}.", sides.after.path, line, function.name)
