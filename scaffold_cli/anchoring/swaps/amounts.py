"""What the rules about amounts share: numbers of an edit, the names of its place, how much more is laxer."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.looking import number_of
from scaffold_cli.anchoring.values.edits import Edit
from scaffold_cli.anchoring.values.shifts import Versions
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind

LAXER = 2.0
"""A window or rate is laxer once it grows to more than this many times what it was; smaller changes are tuning."""


def numbers(edit: Edit, versions: Versions) -> tuple[float, float] | None:
    """Both numbers of an edit that exchanges one for another; None for any other."""
    if edit.old is None or edit.new is None:
        return None
    one, other = number_of(bare(edit.old), versions.before), number_of(bare(edit.new), versions.after)
    return None if one is None or other is None or one == other else (one, other)


def bare(node: Expr) -> Expr:
    """The value of a named argument; anything else as it is."""
    return node.parts[0] if node.kind is ExprKind.KEYWORD else node


def calls_around(edit: Edit) -> Iterator[Expr]:
    """Calls of the before side the edit lies in, innermost first."""
    return (node for node in reversed(edit.around) if node.kind is ExprKind.CALL)


def names_of(edit: Edit) -> Iterator[str]:
    """Names of the place an edited value is in: its keyword, key, called function, target."""
    for node in (*reversed(edit.around), edit.old):
        if node is None:
            continue
        if node.kind is ExprKind.KEYWORD:
            yield node.text
        elif node.kind is ExprKind.PAIR:
            yield node.parts[0].text
        elif node.kind is ExprKind.CALL:
            yield callee(node)
            if node.parts[0].kind is ExprKind.ATTRIBUTE and node.parts[0].parts[0].kind is ExprKind.NAME:
                yield node.parts[0].parts[0].text
    for target in edit.statement.exprs[1:]:
        yield target.parts[1].text if target.kind is ExprKind.SUBSCRIPT else target.text
