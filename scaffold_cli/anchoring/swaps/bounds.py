"""A refusing comparison whose bound is moved by an amount: ``exp < now`` became ``exp < now - 86400``."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.durations import seconds_of
from scaffold_cli.anchoring.swaps.looking import number_of
from scaffold_cli.anchoring.swaps.polarity import leaves
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind

_CLOCK = frozenset({"now", "time", "utcnow", "monotonic", "today", "clock"})
_SIZES = frozenset({"len", "size", "length", "remaining", "position", "limit", "Len"})
_ROOM = frozenset({"cap", "capacity", "Cap", "max_size", "bufsize", "buffer_size", "allocated"})
_MORE = {"<": 1, "<=": 1, ">": -1, ">=": -1}


def moved_bounds(versions: Versions) -> Iterator[Shift]:
    """One side of a comparison is given, or loses, an amount so that it refuses less."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or not edit.around_new:
            continue
        step = _step(edit.new, edit.old, versions)
        node = edit.around_new[-1]
        if step is None or node.kind is not ExprKind.COMPARE or node.text not in _MORE:
            continue
        refuses = next((refuses for test, refuses in leaves(versions.after) if test is node), None)
        if refuses is None:
            continue
        # `left < right` holds more often when the left side shrinks or the right side grows
        holds_less = _MORE[node.text] * step * (1 if node.parts[0] is edit.new else -1) > 0
        if holds_less is refuses:
            how = f"now {plain(edit.new)}"
            yield shift(plain(edit.old), edit.old.line, "it is where refusing begins", how, entry="limits")


def roomier_bounds(versions: Versions) -> Iterator[Shift]:
    """``n > len(b)`` became ``n > cap(b)``: what there is room for is not what there is."""
    tests = {id(node) for test, _ in leaves(versions.after) for node in test.walk()}
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or not edit.around_new or id(edit.around_new[-1]) not in tests:
            continue
        was, now = (_measure(node) for node in (edit.old, edit.new))
        if was in _SIZES and now in _ROOM:
            yield shift(
                plain(edit.old), edit.old.line, "it says how much there is", f"now {plain(edit.new)}", entry="limits"
            )


def _measure(node: Expr) -> str:
    return callee(node) if node.kind is ExprKind.CALL else node.text


def exchanged_sides(versions: Versions) -> Iterator[Shift]:
    """``now - sent > MOST`` became ``sent - now > MOST``: a difference that is never large."""
    known = {plain(node) for test, _ in leaves(versions.before) for node in test.walk()}
    for test, _ in leaves(versions.after):
        for node in test.parts if test.kind is ExprKind.COMPARE else ():
            is_difference = node.kind is ExprKind.BINARY and node.text == "-" and len(node.parts) == 2
            is_difference = is_difference and _reads_clock(node.parts[1]) and not _reads_clock(node.parts[0])
            turned = plain(node._replace(parts=node.parts[::-1])) if is_difference else ""
            if turned in known and plain(node) not in known:
                yield shift(turned, node.line, "it is where refusing begins", f"now {plain(node)}", entry="limits")


def _reads_clock(node: Expr) -> bool:
    return any(_CLOCK & set(words(name)) for name in names_in(node))


def _step(new: Expr, old: Expr, versions: Versions) -> float | None:
    """By how much `new` lies above `old`, where it is `old` and an amount."""
    if new.kind is not ExprKind.BINARY or new.text not in ("+", "-") or plain(new.parts[0]) != plain(old):
        return None
    amounts = [number_of(part, versions.after) or seconds_of(part, versions.after) for part in new.parts[1:]]
    total = sum(amount for amount in amounts if amount is not None)
    return None if None in amounts or not total else total * (1 if new.text == "+" else -1)
