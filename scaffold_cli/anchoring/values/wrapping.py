"""Values that arrive as they are, where a function stood between, and careful functions that gave way to lax ones."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.transforming import CONVERSIONS, transforms
from scaffold_cli.anchoring.views import brings_back, called_names, callee
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.model.protection import Doubt, Outcome
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_NAMED = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.CALL})
_MASKING = WordPatterns(
    (word, "masks") for word in ("mask*", "redact*", "sanitiz*", "sanitis*", "scrub*", "censor*", "obfuscat*", "escap*")
)
"""Functions that matter for what is only written to a log as well."""
_REPLACING = frozenset(
    {"replace", "replaceAll", "translate", "resolve", "normalize", "absolute", "realpath", "toRealPath"}
    | {"getCanonicalPath", "getCanonicalFile", "hashCode", "hexdigest", "strip_tags", "toASCIIString"}
)
"""Methods that answer their object in a safer form."""


def unwrapped(versions: Versions) -> Iterator[Shift]:
    """``send(clean(x))`` became ``send(x)``, however deep `x` lay and whatever else changed in the statement."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.statement.kind is StmtKind.RAISE:
            continue
        told = is_told(edit)
        for call, inner in _unwrappings(_followed(edit.old, versions)):
            name = callee(call)
            if (
                (told and _MASKING.find(name) is None)
                or not _is_same(inner, edit.new, versions)
                or name in versions.catalogue.unsafe
                or brings_back(call)
            ):
                continue
            if _is_idle(edit.old, versions) or not versions.around.is_kept(name, called_now(edit)):
                yield _dropped(name, call, inner, versions)
                break


def _followed(node: Expr, versions: Versions) -> Expr:
    """What a name stood for before, or `node` itself."""
    return versions.values_before.get(node.text, node) if node.kind is ExprKind.NAME else node


def _is_same(old: Expr, new: Expr, versions: Versions) -> bool:
    """True for the same value, a local name that was changed throughout included."""
    if plain(old) == plain(new):
        return True
    if old.kind is not ExprKind.NAME or new.kind is not ExprKind.NAME:
        return False
    before, after = versions.before, versions.after
    return old.text not in after.names | after.defined and new.text not in before.names | before.defined


def _is_idle(node: Expr, versions: Versions) -> bool:
    """True for a name that is still given a value, which this place no longer takes."""
    return node.kind is ExprKind.NAME and node.text in versions.values_after


def dropped_refinements(versions: Versions) -> Iterator[Shift]:
    """``x = clean(x)`` is gone, and `x` is still used."""
    for statement in versions.edits.gone:
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2:
            continue
        target, wanted = statement.exprs[1], plain(statement.exprs[1])
        if target.text not in versions.after.names:
            continue
        for call, inner in _unwrappings(statement.exprs[0]):
            name = callee(call)
            if plain(inner) == wanted and name not in versions.after.calls and not versions.around.is_kept(name):
                yield _dropped(name, call, inner, versions)
                break


def called_now(edit: Edit) -> set[str]:
    """Names called in the statement as it is now: where a call may have moved to."""
    return {name for expression in edit.statement_new.exprs for name in called_names(expression)}


def is_told(edit: Edit) -> bool:
    """True for what only goes to a log or into an error's text."""
    around = (*edit.around, *edit.around_new)
    return edit.statement.kind is StmtKind.RAISE or any(
        node.kind is ExprKind.CALL and is_logging(node) for node in around
    )


def _unwrappings(node: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Calls around a value with the value, outermost first; once a call transforms, those around it count as well."""
    outer: Expr | None = None
    while node.kind is ExprKind.CALL:
        inner, changes = _inside(node)
        if inner is None:
            return
        outer = node if changes else outer
        if outer is not None:
            yield outer, inner
        node = inner


def _inside(call: Expr) -> tuple[Expr | None, bool]:
    """The value a call is about, and whether the call answers it in another form."""
    name = callee(call)
    function = call.parts[0]
    if function.kind is ExprKind.ATTRIBUTE and (name in _REPLACING or len(call.parts) == 1):
        return function.parts[0], name in _REPLACING
    if len(call.parts) > 1 and call.parts[1].kind is not ExprKind.KEYWORD:
        return call.parts[1], name not in CONVERSIONS and transforms(name)
    return None, False


def _dropped(name: str, call: Expr, inner: Expr, versions: Versions) -> Shift:
    entry = versions.catalogue.protective(name) or versions.catalogue.careful.find(name) or "validation"
    because = f"the value no longer passes through `{name}()`"
    how = f"{plain(inner)} now arrives as it is"
    return shift(plain(call), call.line, because, how, entry=entry, outcome=Outcome.LOST, doubt=Doubt.SHAPE)


def laxer_namesakes(versions: Versions) -> Iterator[Shift]:
    """A function that says it takes care gave way to one that does not: ``safe_join(a, b)`` to ``join(a, b)``."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.CALL or edit.new.kind not in _NAMED:
            continue
        one, other = callee(edit.old), callee(edit.new) if edit.new.kind is ExprKind.CALL else edit.new.text
        entry = care(one, versions)
        if not other or entry is None or care(other, versions) is not None or is_told(edit):
            continue
        if versions.around.is_kept(one, called_now(edit)):
            continue
        if set(words(one)) & set(words(other)) or _shared_values(edit.old, edit.new):
            how = f"now {other}" + ("()" if edit.new.kind is ExprKind.CALL else "")
            yield shift(plain(edit.old), edit.old.line, f"`{one}()` says that it takes care", how, entry=entry)


def care(name: str, versions: Versions) -> str | None:
    """The entry of a function or class that says it takes care, or None."""
    return versions.catalogue.protective(name) or versions.catalogue.careful.find(name)


def _shared_values(old: Expr, new: Expr) -> bool:
    """True when a value given to the old call is given to the new one, too, or is what it is called on."""
    if len(old.parts) < 2 or new.kind is ExprKind.NAME:
        return False
    given = {plain(part) for part in old.parts[1:] if part.kind in _NAMED}
    owner = new.parts[0].parts[0] if new.kind is ExprKind.CALL and new.parts[0].kind is ExprKind.ATTRIBUTE else None
    taken = {plain(part) for part in (*new.parts[1:], *((owner,) if owner is not None else ()))}
    return bool(given & taken)
