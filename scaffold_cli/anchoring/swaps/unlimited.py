"""A limit that is a number no longer: ``MAX_AGE = 300`` became ``MAX_AGE = float("inf")``."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.amounts import bare, names_of
from scaffold_cli.anchoring.swaps.looking import number_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_LIMIT = WordList("limits")
_ENDLESS = frozenset(
    {
        "inf",
        "maxsize",
        "INFINITY",
        "POSITIVE_INFINITY",
        "Infinity",
        "MAX_VALUE",
        "MAX_SAFE_INTEGER",
        "MaxInt",
        "MaxInt64",
    }
)


def unlimited(versions: Versions) -> Iterator[Shift]:
    """A number that limits by the name of its place is endless now."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or number_of(bare(edit.old), versions.before) is None:
            continue
        name = next((name for name in names_of(edit) if _LIMIT.find(name) is not None), None)
        if name is not None and _is_endless(bare(edit.new)):
            yield shift(
                plain(edit.old), edit.old.line, f"`{name}` is a limit", f"now {plain(edit.new)}", entry="limits"
            )


def _is_endless(node: Expr) -> bool:
    if node.kind is ExprKind.CALL and len(node.parts) == 2 and node.parts[0].text in ("float", "Decimal"):
        return node.parts[1].text.lower().lstrip("+").startswith("inf")
    return node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and node.text in _ENDLESS
