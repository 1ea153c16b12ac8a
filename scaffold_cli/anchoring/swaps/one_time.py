"""What may be used once only stays where it is: ``session.pop("state")`` became ``session.get("state")``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_TAKING = WordList("taking-away")
"""Functions after which what they were asked for is there no more."""
_ONCE = WordList("good-once")
"""Words for what proves something once."""


def kept_tokens(versions: Versions) -> Iterator[Shift]:
    """Fewer statements take a one-time value out of where it is kept, and it is still looked up there."""
    if versions.before.unit.function is None:
        return
    old, new = _taken(versions.before), _taken(versions.after)
    left = Counter(name for name, _ in new)
    for name, node in old:
        if left[name] > 0:
            left[name] -= 1
        elif _is_looked_up(name, versions.after) and not _is_taken_elsewhere(node, versions):
            how = "it is still there after its use"
            yield lost(plain(node), node.line, f"`{name}` is good for one use", how, "session-life")


def _taken(item: Mined) -> list[tuple[str, Expr]]:
    """One-time values that are taken out: their name, and the call or target that takes them."""
    found = []
    for _, node in nodes(item):
        if node.kind is ExprKind.CALL and _TAKING.find(callee(node)) is not None:
            found += [(name, node) for name in _once(node)]
    for statement in item.reading.statements:
        if statement.kind is StmtKind.DELETE:
            found += [(name, target) for target in statement.exprs for name in _once(target)]
    return found


def _once(node: Expr) -> list[str]:
    """The first one-time word of a call or lookup: its key, its arguments, what it is on, its own name."""
    if node.kind is ExprKind.CALL:
        owner = node.parts[0].parts[:1] if node.parts[0].kind is ExprKind.ATTRIBUTE else ()
        parts = (*node.parts[1:2], *owner)
        texts = [part.text for part in parts if part.kind in _NAMED] + [callee(node)]
    elif node.kind is ExprKind.SUBSCRIPT:
        texts = [part.text for part in (node.parts[1], node.parts[0]) if part.kind in _NAMED]
    else:
        texts = [node.text]
    return [text for text in texts if _ONCE.find(text) is not None][:1]


_NAMED = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.STRING})


def _is_looked_up(name: str, item: Mined) -> bool:
    return any(node.kind in _NAMED and node.text == name for _, node in nodes(item))


def _is_taken_elsewhere(node: Expr, versions: Versions) -> bool:
    """True when the change calls what takes it out as often as before, only not here, or by a function called here."""
    name = callee(node) if node.kind is ExprKind.CALL else ""
    return name != "" and name not in versions.after.calls and versions.around.is_kept(name, versions.after.calls)
