"""Further ways in: an alternative beside what proves something, a switch outside in place of a fixed strict value."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.settings import rank_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import called_names, names_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_PROVING = WordList("proving")
_OUTSIDE = frozenset({"environ", "getenv", "getProperty", "env", "environb"})


def unproved_ways(versions: Versions) -> Iterator[Shift]:
    """``return verify(x)`` of a check became ``return verify(x) or y``."""
    name = versions.before.unit.short_name
    if polarity_of(name) is Polarity.NONE and versions.catalogue.protective(name) is None:
        return
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.statement_new.kind is not StmtKind.RETURN or edit.around_new:
            continue
        if edit.new.kind is not ExprKind.OR or not _proves(edit.old):
            continue
        others = [part for part in edit.new.parts if plain(part) != plain(edit.old)]
        if len(others) < len(edit.new.parts) and not any(map(_proves, others)):
            because, how = "only what is proved is let in", f"now also {plain(others[0])}"
            yield shift(plain(edit.old), edit.old.line, because, how, entry="authentication")


def _proves(node: Expr) -> bool:
    return any(_PROVING.find(name) is not None for name in called_names(node))


def switched_outside(versions: Versions) -> Iterator[Shift]:
    """``verify=True`` became ``verify=os.environ.get(...)``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or not edit.around or old.kind is not ExprKind.CONSTANT:
            continue
        setting = versions.catalogue.setting(edit.around[-1].text) if edit.around[-1].kind is ExprKind.KEYWORD else None
        if setting is not None and rank_of(setting, old.text) > 0 and _OUTSIDE & set(names_in(new)):
            because, how = f"`{edit.around[-1].text}` is fixed", f"now {plain(new)}"
            yield shift(plain(edit.around[-1]), old.line, because, how, entry=setting.entry)
