"""A value of the program's own gives way to one that the other side sends."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.swaps.looking import conditions
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_OWN = WordList("proved-identity")
"""Where a program keeps who somebody is, once that is proved."""
_SENT = WordList("sent-by-others")
"""Parts of a request that the other side writes."""
_LOOKING = frozenset({ExprKind.SUBSCRIPT, ExprKind.ATTRIBUTE})
_ASKED = frozenset({"request", "req", "flask", "self", "ctx", "context"})
_CHOSEN = frozenset({"destination-check"})


def chosen_by_others(versions: Versions) -> Iterator[Shift]:
    """Who somebody is, or where they are sent, comes from the request now."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or is_told(edit) or edit.statement_new.kind is StmtKind.IF:
            continue
        old, new, around = edit.old, edit.new, edit.around_new
        if around and around[-1].kind in _LOOKING and around[-1].parts[0] is new:
            old, new, around = edit.around[-1], around[-1], around[:-1]
        if not _is_sent(new) or _is_sent(old):
            continue
        if _is_own(old):
            because, how = "the program itself keeps it", f"now {plain(new)}"
            yield shift(plain(old), old.line, because, how, entry="authentication")
        elif _is_sink(around, versions.catalogue) and old.kind in (ExprKind.STRING, ExprKind.CALL):
            because, how = "the program itself chooses it", f"now {plain(new)}"
            yield shift(plain(old), old.line, because, how, entry="destination-check")


def taken_again(versions: Versions) -> Iterator[Shift]:
    """What was checked gives way to what the request says, where it is used."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or old.kind is not ExprKind.NAME or is_told(edit):
            continue
        if edit.statement_new.kind is StmtKind.IF or not any(_is_sent(node) for node in new.walk()):
            continue
        checked = any(plain(node) == plain(old) for test, _ in conditions(versions.after) for node in test.walk())
        if checked and not any(plain(node) == plain(old) for node in new.walk()):
            because, how = "it is checked before it is used", f"now {plain(new)}, which is not"
            yield shift(plain(old), old.line, because, how, entry="validation")


def _is_sink(around: tuple[Expr, ...], catalogue: Catalogue) -> bool:
    call = around[-1] if around else None
    return call is not None and call.kind is ExprKind.CALL and catalogue.sinks.find(callee(call)) in _CHOSEN


def _container(node: Expr) -> Expr | None:
    """What a value is looked up in: ``d`` of ``d["k"]``, ``d.get("k")``."""
    if node.kind is ExprKind.SUBSCRIPT or (
        node.kind is ExprKind.ATTRIBUTE and node.parts[0].kind is ExprKind.ATTRIBUTE
    ):
        return node.parts[0]
    if node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE and len(node.parts) > 1:
        return node.parts[0].parts[0] if node.parts[0].text.startswith("get") else None
    return None


def _is_own(node: Expr) -> bool:
    held = _container(node) or (node.parts[0] if node.kind is ExprKind.ATTRIBUTE else None)
    return held is not None and held.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and _OWN.find(held.text) is not None


def _is_sent(node: Expr) -> bool:
    held = _container(node)
    if held is None or held.kind not in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        return False
    if held.kind is ExprKind.ATTRIBUTE:
        return _SENT.find(held.text) is not None and held.parts[0].text in _ASKED
    return held.text in ("request", "req", "params", "query", "form")
