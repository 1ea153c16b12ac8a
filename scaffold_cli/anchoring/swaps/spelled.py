"""Secrets written into the code, and names looked up in a table of allowed ones that are now used as they come."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_SECRETS = WordList("secrets-kept")
_GIVEN = frozenset({"get", "getenv", "pop", "setdefault", "getProperty", "getOrDefault", "config", "env"})
_READ = frozenset({ExprKind.SUBSCRIPT, ExprKind.CALL})
_CALL_WITH_DEFAULT = 3


def spelled_secrets(versions: Versions) -> Iterator[Shift]:
    """``key = environ["KEY"]`` became ``key = "dev"``, or ``environ.get("KEY", "dev")``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or old.kind not in _READ:
            continue
        is_named = any(_SECRETS.find(name) is not None for name in _names(edit.statement, old))
        if is_named and (_is_fixed(new) or (_is_fixed(_default(new)) and not _is_fixed(_default(old)))):
            yield shift(
                plain(old), old.line, "the secret comes from outside the code", "now it is written there",
                entry="cryptography",
            )  # fmt: skip


def _names(statement: Stmt, value: Expr) -> Iterator[str]:
    """What says that a value is a secret: the name it is given, the name it is read by."""
    if statement.kind is StmtKind.ASSIGN and statement.exprs[0] is value:
        yield from (target.text for target in statement.exprs[1:])
    yield from (part.text for part in value.parts[1:2] if part.kind is ExprKind.STRING)


def _default(node: Expr) -> Expr | None:
    is_read = node.kind is ExprKind.CALL and callee(node) in _GIVEN and len(node.parts) == _CALL_WITH_DEFAULT
    return node.parts[2] if is_read else None


def _is_fixed(node: Expr | None) -> bool:
    return node is not None and node.kind is ExprKind.STRING and node.text.strip() != ""


def unlisted_names(versions: Versions) -> Iterator[Shift]:
    """``order_by(COLUMNS[name])`` became ``order_by(name)``; ``HANDLERS[name]`` became ``getattr(self, name)``."""
    bare = {plain(edit.old): edit.new for edit in versions.edits.edits if edit.old is not None}
    known = {plain(node) for _, node in nodes(versions.before) if _looks_up(node)}
    come = {plain(node.parts[2]): node for _, node in nodes(versions.after) if _looks_up(node)}
    left = {plain(node) for _, node in nodes(versions.after) if _is_table(node)}
    for _, old in nodes(versions.before):
        if not _is_table(old) or plain(old) in left:
            continue
        table, key = plain(old.parts[0]), plain(old.parts[1])
        looked_up, now = come.get(key), bare.get(plain(old))
        is_bare = now is not None and plain(now) == key
        if is_bare or (looked_up is not None and plain(looked_up) not in known):
            yield shift(plain(old), old.line, f"only what `{table}` lists is used", "now any", entry="validation")


def _is_table(node: Expr) -> bool:
    """True for a value looked up in a constant by a name that is none."""
    if node.kind is not ExprKind.SUBSCRIPT or len(node.parts) < 2:
        return False
    table, key = node.parts[:2]
    is_constant = table.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and table.text.isupper()
    return is_constant and key.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and not key.text.isupper()


def _looks_up(node: Expr) -> bool:
    """True for an attribute taken by a name that is no literal."""
    is_lookup = node.kind is ExprKind.CALL and callee(node) == "getattr" and len(node.parts) > 2
    return is_lookup and node.parts[2].kind is not ExprKind.STRING
