"""A value stands bare beside a call that made it safe: ``escape(x)`` became ``escape(y) + x``."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind

_MAKING = frozenset({"escaping", "sql", "shell", "path-containment", "ldap", "control-characters", "cryptography"})
_JOINING = frozenset({ExprKind.BINARY, ExprKind.FORMAT, ExprKind.OR, ExprKind.AND})


def bare_beside(versions: Versions) -> Iterator[Shift]:
    """A protective call gave way to an expression that has its argument as it is, and that call elsewhere."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or old.kind is not ExprKind.CALL or len(old.parts) < 2 or is_told(edit):
            continue
        name, value = callee(old), plain(old.parts[1])
        if versions.catalogue.protective(name) not in _MAKING or old.parts[1].kind is ExprKind.STRING:
            continue
        if any(plain(part) == value for part in _ways(new)):
            because, how = f"`{name}()` makes it safe", f"{value} now stands there as it is"
            yield shift(plain(old), old.line, because, how, entry=versions.catalogue.protective(name) or "escaping")


def bare_instead(versions: Versions) -> Iterator[Shift]:
    """A statement that joined ``escape(x)`` joins `x` as it is, whatever else it escapes."""
    pairs = {(id(edit.statement), id(edit.statement_new)): edit for edit in versions.edits.edits if not is_told(edit)}
    for edit in pairs.values():
        now = [part for top in edit.statement_new.exprs for part in _joined(top)]
        bare = {plain(part) for part in now}
        left = {plain(node) for top in edit.statement_new.exprs for node in top.walk() if node.kind is ExprKind.CALL}
        before = {plain(part) for top in edit.statement.exprs for part in _joined(top)}
        for node in (inner for top in edit.statement.exprs for inner in top.walk() if inner.kind is ExprKind.CALL):
            if len(node.parts) < 2 or versions.catalogue.protective(callee(node)) not in _MAKING:
                continue
            value = plain(node.parts[1])
            if plain(node) not in left and value in bare - before and node.parts[1].kind is not ExprKind.STRING:
                because, how = f"`{callee(node)}()` makes it safe", f"{value} now stands there as it is"
                entry = versions.catalogue.protective(callee(node)) or "escaping"
                yield shift(plain(node), node.line, because, how, entry=entry)


def _joined(node: Expr) -> Iterator[Expr]:
    """What is joined to texts anywhere in an expression."""
    for inner in node.walk():
        if inner.kind in (ExprKind.BINARY, ExprKind.FORMAT):
            yield from inner.parts


def _ways(node: Expr) -> Iterator[Expr]:
    """What an expression may be, or is joined from."""
    parts = node.parts[1:] if node.kind is ExprKind.CONDITIONAL else node.parts if node.kind in _JOINING else ()
    for part in parts:
        yield part
        yield from _ways(part)
