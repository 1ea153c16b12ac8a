"""Queries made of calls: a filter by owner or state gives way to all, and-ed conditions to or-ed ones."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.swaps.query_text import WHOSE
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.syntax.outline import Expr, ExprKind

_ASKING = frozenset(
    {"filter", "filter_by", "exclude", "where", "get", "get_object_or_404", "get_list_or_404", "first_or_404"}
)


def looser_objects(versions: Versions) -> Iterator[Shift]:
    """``filter(owner=user)`` became ``all()``; ``Q(a) & Q(b)`` became ``Q(a) | Q(b)``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None:
            continue
        if old.kind is ExprKind.CALL is new.kind and callee(old) in _ASKING and callee(new) in ("all", callee(old)):
            asked, now = _whose(old), _whose(new)
            if asked - now and not any(_is_spread(part) for part in new.parts):
                name = min(asked - now)
                yield lost(
                    plain(old), old.line, f"`{name}` says whose it is", f"{name} is no longer asked", "authorization"
                )
        elif old.kind is ExprKind.CALL is new.kind and _asks_less(callee(old), callee(new)):
            because, how = f"`{callee(old)}()` says whose it is", f"now `{callee(new)}()`"
            yield lost(plain(old), old.line, because, how, "authorization")
        elif _is_joined(old, "&") and _is_joined(new, "|") and _is_asked(old, new, edit.around_new):
            yield shift(plain(old), old.line, "both must hold", "now one is enough", entry="authorization")


def unfiltered(versions: Versions) -> Iterator[Shift]:
    """``Item.objects.filter(owner=user)`` is gone, and ``Item.objects.all()`` has come."""
    left = {plain(node) for _, node in nodes(versions.after) if _is_query(node)}
    everything = {plain(node.parts[0].parts[0]) for _, node in nodes(versions.after) if _takes_all(node)}
    for _, node in nodes(versions.before):
        whose = _whose(node) if _is_query(node) else set()
        if whose and plain(node) not in left and plain(node.parts[0].parts[0]) in everything:
            name = min(whose)
            yield lost(plain(node), node.line, f"`{name}` says whose it is", "now all of them", "authorization")


def other_columns(versions: Versions) -> Iterator[Shift]:
    """``Item.query.filter(Item.owner_id == user.id)`` became ``Item.query.filter(Owner.id == user.id)``."""
    now = {plain(side): (column, is_own) for side, column, is_own in _columns(versions.after)}
    left = {plain(column) for column, _ in now.values()}
    for side, column, is_own in _columns(versions.before):
        other, is_still = now.get(plain(side), (None, True))
        if other is not None and is_own and not is_still and plain(column) not in left:
            text = plain(column)
            yield shift(text, column.line, f"`{text}` is asked for", f"now {plain(other)}", entry="authorization")


def _columns(item: Mined) -> Iterator[tuple[Expr, Expr, bool]]:
    """What is compared with a column in a query: the other side, the column, is it a column of what is queried."""
    for _, node in nodes(item):
        if _is_query(node):
            for test in node.parts[1:]:
                if test.kind is ExprKind.COMPARE and test.text == "==" and len(test.parts) == 2:
                    column, side = test.parts
                    if column.kind is ExprKind.ATTRIBUTE and column.parts[0].text[:1].isupper():
                        yield side, column, column.parts[0].text in names_in(node.parts[0])


def _asks_less(old: str, new: str) -> bool:
    """``findByIdAndOwner`` became ``findById``."""
    rest = old.removeprefix(new).lstrip("_")
    return old != new != "" and old.startswith(new) and rest.lower().startswith("and") and WHOSE.find(rest) is not None


def _is_query(node: Expr) -> bool:
    is_method = node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE
    return is_method and callee(node) in _ASKING


def _takes_all(node: Expr) -> bool:
    is_method = node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE
    return is_method and callee(node) == "all" and len(node.parts) == 1


def _is_asked(old: Expr, new: Expr, around: tuple[Expr, ...]) -> bool:
    same = [*map(plain, old.parts)] == [*map(plain, new.parts)]
    return same and any(callee(node) in _ASKING for node in around if node.kind is ExprKind.CALL)


def _is_joined(node: Expr, operator: str) -> bool:
    return node.kind is ExprKind.BINARY and node.text == operator


def _is_spread(part: Expr) -> bool:
    return part.kind is ExprKind.UNARY and part.text in ("*", "**")


def _whose(call: Expr) -> set[str]:
    """The fields asked by name that say whose a row is, or whether it may be seen."""
    keywords = (part.text for part in call.parts[1:] if part.kind is ExprKind.KEYWORD)
    compared = (name for part in call.parts[1:] if part.kind is ExprKind.COMPARE for name in names_in(part.parts[0]))
    return {name for name in (*keywords, *compared) if WHOSE.find(name) is not None}
