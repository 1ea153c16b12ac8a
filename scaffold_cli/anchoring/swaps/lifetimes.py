"""How long something is good for: lifetimes of what proves who somebody is, windows in which it is accepted."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.amounts import LAXER, bare, calls_around, names_of, numbers
from scaffold_cli.anchoring.swaps.durations import seconds_of
from scaffold_cli.anchoring.swaps.looking import conditions, nodes
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import ExprKind

_LIFETIME = WordList("lifetimes")
_CREDENTIAL = WordList("credentials")
_CLOCK = WordList("clock-readings")
_CACHING = WordList("caching")


def longer_lives(versions: Versions) -> Iterator[Shift]:
    """A lifetime or window grew to a multiple of what it was."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None:
            continue
        both = _spans(edit, versions) or numbers(edit, versions)
        because = _lifetime(edit, versions) if both is not None and both[1] > LAXER * both[0] else ""
        if because:
            yield shift(plain(edit.old), edit.old.line, because, f"now {plain(edit.new)}", entry="session-life")


def dropped_lifetimes(versions: Versions) -> Iterator[Shift]:
    """What is signed or issued no longer says until when it is good."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is not None or edit.old.kind not in (ExprKind.PAIR, ExprKind.KEYWORD):
            continue
        name = edit.old.parts[0].text if edit.old.kind is ExprKind.PAIR else edit.old.text
        around = [name for node in calls_around(edit) for name in names_in(node.parts[0])]
        if _LIFETIME.find(name) is not None and any(_CREDENTIAL.find(call) is not None for call in around):
            because = f"`{name}` says how long it is good for"
            yield lost(plain(edit.old), edit.old.line, because, "it never ends", "session-life")


def dropped_settings(versions: Versions) -> Iterator[Shift]:
    """A builder of what proves somebody is no longer told until when that is good."""
    before, after = versions.before, versions.after
    speaks = any(_CREDENTIAL.find(name) is not None for name in before.names & after.names)
    for name in sorted(before.calls.keys() - after.calls.keys()):
        tells = name.startswith(("set", "with", "expir")) and _LIFETIME.find(name) is not None
        if tells and speaks and not versions.around.is_kept(name, after.calls) and len(after.calls) > 1:
            line = next(
                (node.line for _, node in nodes(before) if node.kind is ExprKind.CALL and callee(node) == name), 1
            )
            yield lost(f"{name}()", line, f"`{name}()` says how long it is good for", "it never ends", "session-life")


def _lifetime(edit: Edit, versions: Versions) -> str:
    names = list(names_of(edit))
    if any(_CACHING.find(name) is not None for name in names):
        return ""
    around = [name for expression in edit.statement.exprs for name in names_in(expression)]
    speaks = any(_CREDENTIAL.find(name) is not None for name in (*names, *around, versions.before.unit.short_name))
    named = next((name for name in names if _LIFETIME.find(name) is not None), None)
    if named is not None and speaks:
        return f"`{named}` says how long it is good for"
    return "it says how old it may be" if _is_window(edit, versions) else ""


def _spans(edit: Edit, versions: Versions) -> tuple[float, float] | None:
    """The spans of time an edit is about, in seconds: its own, or the innermost it lies in."""
    pairs = [(edit.old, edit.new), *zip(reversed(edit.around), reversed(edit.around_new), strict=False)]
    for old, new in pairs:
        if old is not None and new is not None:
            one, other = seconds_of(bare(old), versions.before), seconds_of(bare(new), versions.after)
            if one is not None and other is not None:
                return one, other
    return None


def _is_window(edit: Edit, versions: Versions) -> bool:
    """True where a refusing condition, or a function that checks, holds a time against a span."""
    around = (node for node in (*edit.around_new, edit.new) if node is not None)
    compared = next((node for node in around if node.kind in (ExprKind.COMPARE, ExprKind.CALL)), None)
    if compared is None:
        return False
    names = list(names_in(compared))
    if not any(_CLOCK.find(name) is not None for name in names) or any(map(_CACHING.find, names)):
        return False
    return any(any(node is compared for node in test.walk()) for test, _ in conditions(versions.after))
