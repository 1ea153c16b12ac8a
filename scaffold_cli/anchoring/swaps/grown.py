"""A list of what is let in that is added to where it was fixed."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import PLAIN, nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_ADDING = frozenset({"add", "update", "append", "extend", "insert", "push", "addAll", "put", "__ior__"})


def grown_lists(versions: Versions) -> Iterator[Shift]:
    """``ALLOWED.add(x)`` is new, and a condition asks whether something is in `ALLOWED`."""
    known = {plain(call) for call in _additions(versions.before)}
    for call in _additions(versions.after):
        owner = call.parts[0].parts[0]
        if plain(call) in known or versions.catalogue.collections.find(owner.text) != "validation":
            continue
        if any(owner.text in _asked(item) for item in versions.around.before):
            because, how = f"`{owner.text}` says what is let in", f"now also by {plain(call)}"
            line = versions.before.unit.line
            yield shift(owner.text, line, because, how, entry="validation")


def _additions(item: Mined) -> Iterator[Expr]:
    for statement in item.reading.statements:
        call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
        if call is None or call.kind is not ExprKind.CALL or callee(call) not in _ADDING:
            continue
        if call.parts[0].kind is ExprKind.ATTRIBUTE and call.parts[0].parts[0].kind in PLAIN:
            yield call


def _asked(item: Mined) -> set[str]:
    """Names of lists a unit asks for membership."""
    asked = (
        node.parts[1] for _, node in nodes(item) if node.kind is ExprKind.COMPARE and node.text in ("in", "not in")
    )
    return {node.text for node in asked if node.kind in PLAIN}
