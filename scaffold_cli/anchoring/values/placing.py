"""What protects by standing somewhere: base classes, careful functions put in place, patterns asked, safe branches."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.values.wrapping import care
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_NAMES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})
_PLACES = frozenset({ExprKind.SUBSCRIPT, ExprKind.ATTRIBUTE})
_MODE = WordPatterns(
    (word, "mode") for word in ("unsafe", "insecure", "sandboxed", "untrusted", "trusted", "safe mode", "secure mode")
)
_MATCHING = frozenset({"match", "fullmatch", "search", "matches", "matcher", "test", "lookingAt"})


def dropped_bases(versions: Versions) -> Iterator[Shift]:
    """A class is no longer derived from one that protects by its name."""
    old, new = ({base.text for base in unit.bases} for unit in (versions.before.unit, versions.after.unit))
    if (new - old) & versions.around.classes_come:
        return
    for name in sorted(old - new):
        entry = versions.catalogue.decorators.find(name) or care(name, versions)
        if entry is not None:
            because = f"`{name}` says that it protects"
            line = versions.before.unit.line
            yield lost(f"derived from {name}", line, because, "its protection is no longer inherited", entry)


def kept_characters(versions: Versions) -> Iterator[Shift]:
    """A replacement that now leaves in the text what it took out: ``replace("\\0", "\\\\\0")``."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.STRING is not edit.new.kind:
            continue
        call = next(iter(edit.calls_around()), None)
        if call is None or callee(call) not in ("replace", "replaceAll") or call.parts[-1] is not edit.new:
            continue
        taken = call.parts[-2].text
        if taken in versions.catalogue.literals and taken in edit.new.text and taken not in edit.old.text:
            because, how = f"it takes {taken!r} out of the text", f"{taken!r} now stays in it"
            yield shift(plain(call), edit.statement.line, because, how, entry=versions.catalogue.literals[taken])


def dropped_placings(versions: Versions) -> Iterator[Shift]:
    """A careful function, or a list of what is allowed or refused, that is no longer put in its place."""
    for statement in versions.edits.gone:
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2:
            continue
        value, target = statement.exprs
        if value.kind not in _NAMES or value.text in versions.after.names | versions.around.names_come:
            continue
        entry = care(value.text, versions) if target.kind in _PLACES else None
        if entry is None and versions.before.unit.function is None:
            entry = versions.catalogue.collections.find(value.text) or versions.catalogue.calls.find(value.text)
        if entry is not None:
            because = f"`{value.text}` says that it protects"
            yield lost(f"{plain(target)} = {value.text}", statement.line, because, "it is no longer put there", entry)


def dropped_safe_branches(versions: Versions) -> Iterator[Shift]:
    """A branch that ran only where the caller did not ask for the unsafe way."""
    for statement in versions.edits.gone:
        if statement.kind is not StmtKind.IF:
            continue
        names = [node.text for test in statement.exprs for node in test.walk() if node.kind in _NAMES]
        name = next((name for name in names if _MODE.find(name) is not None), None)
        if name is not None and name in versions.after.names | versions.after.defined:
            because, how = f"it asks `{name}`", "what it did for the safe way is gone"
            yield lost(plain(statement.exprs[0]), statement.line, because, how, "validation")


def dropped_pattern_tests(versions: Versions) -> Iterator[Shift]:
    """A condition no longer holds a value against a pattern, and nothing else of the unit does."""
    left = versions.after.names | versions.around.names_come
    for edit in versions.edits.edits:
        if edit.old is None or edit.statement.kind not in (StmtKind.IF, StmtKind.ASSERT, StmtKind.RETURN):
            continue
        for node in edit.old.walk():
            name = _pattern_asked(node)
            if name and name not in left and not (edit.new is not None and any(map(_pattern_asked, edit.new.walk()))):
                because = f"the value must match `{name}`"
                yield lost(plain(node), node.line, because, "it is no longer asked", "regex-strictness")


def _pattern_asked(node: Expr) -> str:
    """The constant pattern a call asks, or ""."""
    if node.kind is not ExprKind.CALL or callee(node) not in _MATCHING or node.parts[0].kind is not ExprKind.ATTRIBUTE:
        return ""
    owner = node.parts[0].parts[0]
    is_constant = owner.kind in _NAMES and owner.text.isupper()
    return owner.text if is_constant and "ignor" not in owner.text.lower() else ""


def dropped_handovers(versions: Versions) -> Iterator[Shift]:
    """A careful function of a module that was handed to a call, and is named nowhere any more."""
    left = versions.after.names | versions.around.names_come
    come = {word for name in versions.after.calls.keys() - versions.before.calls.keys() for word in words(name)}
    for call in versions.before.reading.of(ExprKind.CALL):
        if is_logging(call):
            continue
        for part in call.parts[1:]:
            given = part.parts[0] if part.kind is ExprKind.KEYWORD else part
            if given.kind is not ExprKind.ATTRIBUTE or given.parts[0].kind is not ExprKind.NAME:
                continue
            entry = versions.catalogue.handed.find(given.text)
            is_in_name = not come.isdisjoint(words(given.text)) and not come.isdisjoint(words(callee(call)))
            if is_in_name:  # ``load(text, SafeLoader)`` to ``safe_load(text)``
                continue
            if entry is not None and given.text not in left and given.parts[0].text not in versions.before.defined:
                because = f"`{given.text}` says that it protects"
                how = "it is no longer handed over"
                yield lost(f"{callee(call)}({plain(given)})", call.line, because, how, entry)


_SAYING = WordPatterns(
    (word, "authorization")
    for word in ("read only*", "readonly*", "write only*", "throttle*", "permission*", "authentication*", "exclude*")
)
"""Fields of a class by which it says what may be done with it."""


def dropped_declarations(versions: Versions) -> Iterator[Shift]:
    """A class no longer says who may use it: ``permission_required = "edit"`` is gone from its body."""
    unit = versions.before.unit
    if unit.function is not None or not unit.symbol:
        return
    for statement in versions.edits.gone:
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2:
            continue
        value, target = statement.exprs
        known = versions.catalogue.decorators.find(target.text) or _SAYING.find(target.text)
        is_said_by_a_method = any(target.text in name for name in versions.around.calls_of)
        entry = known if target.kind is ExprKind.NAME and not is_said_by_a_method else None
        if entry is not None and value.text not in ("null", "false") and target.text not in versions.around.names_come:
            because = f"`{target.text}` says who may use it"
            yield lost(f"{target.text} = {plain(value)}", statement.line, because, "it is no longer said", entry)
