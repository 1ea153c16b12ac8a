"""Text that a function escapes itself, character by character."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.implication import number
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost
from scaffold_cli.anchoring.views import expressions, strings_in
from scaffold_cli.syntax.outline import Expr, ExprKind

_ESCAPE = re.compile(r"\\[\\ux\"'0]?|&#?\w*;?|%\w*")
"""A text that is nothing but the beginning of an escape."""
_ORDERING = frozenset({"<", "<=", ">", ">="})
_EDGES = frozenset(map(float, (31, 32, 126, 127, 128, 159, 160, 255, 256)))
"""Codes at which control characters, ASCII or Latin-1 begin or end."""


def unescaped_ranges(versions: Versions) -> Iterator[Shift]:
    """A whole range of characters (all control characters) was escaped, and now only some listed ones are."""
    if not _writes_escapes(versions.before) or not _writes_escapes(versions.after):
        return
    old, new = list(_ranges(versions.before)), list(_ranges(versions.after))
    is_moved = any(
        name in versions.around.calls_of for name in versions.after.calls.keys() - versions.before.calls.keys()
    )
    if old and not new and not is_moved:
        because, how = "a range of characters is escaped", "only single characters are escaped now"
        yield lost(plain(old[0]), old[0].line, because, how, "escaping")


def _writes_escapes(item: Mined) -> bool:
    return any(_ESCAPE.fullmatch(text) for top in expressions(item.unit.block) for text in strings_in(top) if text)


def _ranges(item: Mined) -> Iterator[Expr]:
    """Comparisons by which a character is told to lie beyond such an edge."""
    for node in item.reading.of(ExprKind.COMPARE):
        if node.text in _ORDERING and any(map(_is_edge, node.parts)):
            yield node


def _is_edge(node: Expr) -> bool:
    if node.kind is ExprKind.STRING:
        return len(node.text) == 1 and float(ord(node.text)) in _EDGES
    return node.kind is ExprKind.NUMBER and number(node.text) in _EDGES
