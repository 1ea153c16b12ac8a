"""How often something may be tried: rates in texts, numbers of attempts, periods; in statements and decorators."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.amounts import LAXER, bare, names_of
from scaffold_cli.anchoring.swaps.durations import rate_of, size_of
from scaffold_cli.anchoring.swaps.looking import number_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_LIMITING = WordList("limits-by-text")
"""Names of limits whose value is a rate or a size by its text."""
_TRYING = WordList("limits-of-tries")
"""Names of limits of how often something is tried, whose value may be a plain number."""
_PERIOD = WordList("periods")


def laxer_rates(versions: Versions) -> Iterator[Shift]:
    """A limit of tries became a multiple of what it was."""
    for edit in versions.edits.edits:
        if edit.old is not None and edit.new is not None:
            because = _laxer(bare(edit.old), bare(edit.new), tuple(names_of(edit)), versions)
            if because:
                yield shift(plain(edit.old), edit.old.line, because, f"now {plain(edit.new)}", entry="limits")


def laxer_decorators(versions: Versions) -> Iterator[Shift]:
    """``@limit("5/minute")`` became ``@limit("500/minute")``."""
    one, other = versions.before.unit.function, versions.after.unit.function
    if one is None or other is None:
        return
    new = {_mark(item): item for item in other.decorators}
    for mark in one.decorators:
        now = new.get(_mark(mark))
        if now is None or mark.kind is not ExprKind.CALL or len(mark.parts) != len(now.parts):
            continue
        for old_part, new_part in zip(mark.parts[1:], now.parts[1:], strict=True):
            named = (old_part.text,) if old_part.kind is ExprKind.KEYWORD else ()
            because = _laxer(bare(old_part), bare(new_part), (*named, *names_in(mark.parts[0])), versions)
            if because:
                yield shift(plain(mark), mark.line, because, f"now {plain(now)}", entry="limits")


def _mark(decorator: Expr) -> str:
    return callee(decorator) if decorator.kind is ExprKind.CALL else decorator.text


def _laxer(old: Expr, new: Expr, names: tuple[str, ...], versions: Versions) -> str:
    is_text = old.kind is ExprKind.STRING and new.kind is ExprKind.STRING
    known = _LIMITING if is_text else _TRYING
    name = next((name for name in names if known.find(name) is not None), None)
    if name is None:
        return ""
    if is_text:
        one, other = (rate_of(text.text) or size_of(text.text) for text in (old, new))
    else:
        one, other = number_of(old, versions.before), number_of(new, versions.after)
        if _PERIOD.find(names[0]) is not None:
            one, other = other, one
    if one is None or other is None or other <= LAXER * one:
        return ""
    return f"`{name}` limits how often, or how much"
