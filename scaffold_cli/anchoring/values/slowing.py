"""Patterns that take far longer than before on a crafted text, and slow ones that stand where none stood."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.ambiguity import Growth, growth
from scaffold_cli.anchoring.values.edits import Edit
from scaffold_cli.anchoring.values.pattern_texts import (
    ASKING,
    Asked,
    asked_patterns,
    is_pattern,
    is_searched_for,
    named_texts,
    with_flags,
)
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.model.protection import Doubt
from scaffold_cli.syntax.outline import ExprKind, StmtKind

_LIKE = 0.5
"""Least likeness of two patterns for one to be the other, edited."""
_SHOWN = 120
_NAMES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})


def slower_patterns(versions: Versions) -> Iterator[Shift]:
    """A pattern whose loops can now read one text in several ways."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or not edit.is_of(ExprKind.STRING):
            continue
        old, new = _with_flags(edit.old.text, edit), _with_flags(edit.new.text, edit)
        if not is_pattern(new) or not _is_like(old, new):
            continue
        searched = _is_searched(edit, versions)
        if _is_slower(old, new, is_searched=searched):
            yield _slower(repr(edit.old.text), edit.statement.line, new)


def _is_like(old: str, new: str) -> bool:
    return SequenceMatcher(None, old, new, autojunk=False).ratio() > _LIKE


def _is_slower(old: str, new: str, *, is_searched: bool) -> bool:
    """True when one match takes longer than before, or only the search for one does."""
    return any(growth(new, is_searched=way) > growth(old, is_searched=way) for way in {False, is_searched})


def _with_flags(text: str, edit: Edit) -> str:
    call = next((call for call in edit.calls_around() if callee(call) in ASKING | {"compile"}), None)
    return text if call is None else with_flags(text, call.parts[2:])


def _is_searched(edit: Edit, versions: Versions) -> bool:
    calls = {callee(call) for call in edit.calls_around()}
    if calls & ASKING:
        return bool(calls & (ASKING - {"match", "fullmatch", "matches", "prefixmatch"}))
    if edit.statement.kind is not StmtKind.ASSIGN:
        return False
    return any(is_searched_for(target.text, versions.after) for target in edit.statement.exprs[1:] if target.text)


def slower_names(versions: Versions) -> Iterator[Shift]:
    """A name of a file or class that stands for a slower pattern than before, its constants put together."""
    if versions.before.unit.function is not None:
        return
    old = named_texts(versions.before.unit.block, versions.around.texts_before(versions.before))
    new = named_texts(versions.after.unit.block, versions.around.texts_after(versions.after))
    plain = _given_names(versions.before)
    for name, (text, _) in new.items():
        if not is_pattern(text) or (name not in old and name not in plain):
            continue
        was, line = old.get(name, ("", plain.get(name, 1)))
        searched = not was or is_searched_for(name, versions.after)
        if (not was or _is_like(was, text)) and _is_slower(was, text, is_searched=searched):
            yield _slower(repr(was) if was else name, line, text)


def _given_names(item: Mined) -> dict[str, int]:
    """Names that stand for another name, such as a class that is used like a pattern, with the line."""
    return {
        statement.exprs[1].text: statement.line
        for statement in item.reading.statements
        if statement.kind is StmtKind.ASSIGN and len(statement.exprs) == 2 and statement.exprs[0].kind in _NAMES
    }


def newly_slow(versions: Versions) -> Iterator[Shift]:
    """A function that did its work without a slow pattern, and now asks one in place of something."""
    if versions.before.unit.function is None or not versions.after.calls.keys() & ASKING or not _is_rewritten(versions):
        return
    old = list(asked_patterns(versions.before, versions.around.texts_before(versions.before)))
    known = {asked.text for asked in old}
    match, search = (max((_of(asked, way) for asked in old), default=Growth.LINEAR) for way in (False, True))
    for asked in asked_patterns(versions.after, versions.around.texts_after(versions.after)):
        if asked.text not in known and (_of(asked, False) > match or _of(asked, True) > search):
            yield _slower("text read in one way", versions.before.unit.line, asked.text)
            return


def _of(asked: Asked, way: bool) -> Growth:
    """The growth of one match, or with `way` of the search for one."""
    return growth(asked.text, is_searched=way and asked.is_searched)


def _is_rewritten(versions: Versions) -> bool:
    """True when something else went or was changed, for which the pattern may stand."""
    return bool(versions.edits.gone) or any(edit.old is not None for edit in versions.edits.edits)


def _slower(form: str, line: int, text: str) -> Shift:
    because, how = "a text can be read in one way only", f"{text[:_SHOWN]!r} may take very long on a crafted text"
    return shift(form, line, because, how, entry="regex-time", doubt=Doubt.SHAPE)
