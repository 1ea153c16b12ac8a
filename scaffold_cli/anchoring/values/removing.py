"""What a change only takes away: a refusal, or the call that throws leftovers away, with nothing in its place."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost
from scaffold_cli.anchoring.views import callee, is_null_check, names_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_CLEARING = frozenset({"clear", "purge", "wipe", "drain", "erase", "zeroize", "shred"})
_MAKING = frozenset({"__init__", "__new__", "__enter__", "setUp", "<init>"})
_HELD = WordPatterns(
    (word, "held")
    for word in ("buffer", "buf", "session", "auth*", "credential*", "token", "pending", "user", "username")
)
"""Names of what is kept from one message or user to the next."""
_SECRET = WordPatterns((word, "secret") for word in ("password*", "passwd", "secret", "token", "key", "signature"))


def only_removed(versions: Versions) -> Iterator[Shift]:
    """A refusal or a clearing call that is gone from a function in which nothing came or changed."""
    edits = versions.edits
    if versions.before.unit.function is None or edits.come or any(edit.new is not None for edit in edits.edits):
        return
    for statement in edits.gone:
        if statement.kind is StmtKind.IF and _turns_away(statement) and not _has_moved(statement, versions):
            form = " or ".join(map(plain, statement.exprs))
            yield lost(form, statement.line, "it turns away, and nothing takes its place", "removed", "validation")
        elif statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.CALL:
            call = statement.exprs[0]
            if callee(call) in _CLEARING and len(call.parts) == 1 and not versions.around.is_kept(callee(call)):
                because, how = f"`{callee(call)}()` throws away what is left over", "it is kept now"
                yield lost(plain(call), statement.line, because, how, "validation")


def dropped_resets(versions: Versions) -> Iterator[Shift]:
    """``self.buffer = b""`` is gone from a function in which nothing came or changed: what was left over stays."""
    edits = versions.edits
    if versions.before.unit.function is None or edits.come or any(edit.new is not None for edit in edits.edits):
        return
    if versions.before.unit.short_name in _MAKING:
        return
    for statement in edits.gone:
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2 or statement.text != "=":
            continue
        value, target = statement.exprs
        if target.kind is ExprKind.ATTRIBUTE and _HELD.find(target.text) is not None and _is_empty(value):
            because, how = f"`{target.text}` starts anew", "what was left over stays"
            yield lost(f"{plain(target)} = {plain(value)}", statement.line, because, how, "session-life")


def _is_empty(value: Expr) -> bool:
    if value.kind is ExprKind.CALL:
        return len(value.parts) == 1
    if value.kind is ExprKind.CONSTANT:
        return value.text in ("null", "false")
    return (value.kind is ExprKind.STRING and not value.text) or (value.kind is ExprKind.COLLECTION and not value.parts)


def _turns_away(statement: Stmt) -> bool:
    """True for ``if held: return False``, whatever it asks but whether something is there."""
    if len(statement.exprs) != 1 or statement.blocks[-1]:
        return False
    refusal = refusal_of(statement.blocks[0])
    if refusal is None or refusal.kind != "refuse" or len(statement.blocks[0]) > 1:
        return False
    test = statement.exprs[0]
    while test.kind is ExprKind.NOT:
        test = test.parts[0]
    if test.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        return _SECRET.find(test.text) is not None
    return not is_null_check(test)


def _has_moved(statement: Stmt, versions: Versions) -> bool:
    names = {name for test in statement.exprs for name in names_in(test)}
    return bool(names) and names <= versions.around.names_come
