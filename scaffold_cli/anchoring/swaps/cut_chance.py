"""What nobody can guess is cut short: ``token_hex(16)`` became ``token_hex(16)[:4]``."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.looking import number_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_CHANCE = WordList("chance")
_CUTTING = frozenset({"slice", "substring", "substr", "subarray", "copyOf", "copyOfRange"})
_ENOUGH = 32
"""Characters that leave enough: 128 bits in hexadecimal digits."""


def cut_chance(versions: Versions) -> Iterator[Shift]:
    """A random or signed value of which only a short piece is left."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None:
            continue
        source = next((name for name in _called(edit.old) if _CHANCE.find(name) is not None), None)
        if source is None or not _is_short(edit.new, plain(edit.old), versions):
            continue
        because, how = f"`{source}()` makes what nobody can guess", f"now only {plain(edit.new)}"
        yield shift(plain(edit.old), edit.old.line, because, how, entry="randomness")


def _called(node: Expr) -> Iterator[str]:
    return (callee(part) for part in node.walk() if part.kind is ExprKind.CALL)


def _is_short(new: Expr, whole: str, versions: Versions) -> bool:
    """True for a piece of what is spelled `whole`, of fewer characters than are enough."""
    if new.kind is ExprKind.SUBSCRIPT and new.parts[1].kind is ExprKind.SLICE and plain(new.parts[0]) == whole:
        upper = number_of(new.parts[1].parts[1], versions.after)
        return upper is not None and 0 < upper < _ENOUGH
    if new.kind is ExprKind.CALL and callee(new) in _CUTTING and any(plain(part) == whole for part in new.walk()):
        upper = number_of(new.parts[-1], versions.after)
        return upper is not None and 0 < upper < _ENOUGH
    return False
