"""Containment in another place than before: a parent, the root of everything, the two sides exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.looking import PLAIN
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import called_names, callee, names_in
from scaffold_cli.syntax.outline import Expr, ExprKind

_ASKING = frozenset(
    {"is_relative_to", "relative_to", "startswith", "startsWith", "commonpath", "commonprefix", "is_subpath",
     "is_within", "isSubpath", "relpath", "is_inside"}
)  # fmt: skip
_WIDER = frozenset({"parent", "parents", "anchor", "root", "drive", "dirname", "getParent", "getParentFile", "getRoot"})


def contained_elsewhere(versions: Versions) -> Iterator[Shift]:
    """``path.is_relative_to(root)`` became ``path.is_relative_to(root.parent)``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None:
            continue
        place = next((index for index, node in reversed(list(enumerate(edit.around_new))) if _asks(node)), None)
        if place is None:
            continue
        if old.kind in PLAIN and _is_wider(new, old):
            how = f"now {plain(new)}"
        elif place < len(edit.around) and _is_exchanged(edit.around[place], edit.around_new[place]):
            how = f"now {plain(edit.around_new[place])}"
        else:
            continue
        yield shift(plain(old), old.line, "it is where a path must lie", how, entry="path-containment")


def _asks(node: Expr) -> bool:
    return node.kind is ExprKind.CALL and callee(node) in _ASKING


def _is_wider(new: Expr, old: Expr) -> bool:
    said = {node.text for node in new.walk() if node.kind is ExprKind.ATTRIBUTE} | {*called_names(new)}
    return bool((said - {*names_in(old)}) & _WIDER)


def _is_exchanged(before: Expr, after: Expr) -> bool:
    """True for ``a.f(b)`` and ``b.f(a)``, or ``b.f(b)``."""
    one, other = _operands(before), _operands(after)
    if len(one) == len(other) == len(set(one)) and len(set(other)) < len(other):
        return True
    return len(one) > 1 and one == other[::-1] and one != other


def _operands(node: Expr) -> list[str]:
    if not _asks(node) or node.parts[0].kind is not ExprKind.ATTRIBUTE:
        return []
    return [plain(node.parts[0].parts[0]), *map(plain, node.parts[1:2])]
