"""Which of several are taken: filters, fixed names of a loop, all or any; what a call was given apart."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.swaps.polarity import refuses_on
from scaffold_cli.anchoring.values.accepting import STATES
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.values.templates import template
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind, walk

_HIDDEN = WordPatterns(
    (word, "hidden")
    for word in (
        "visible*", "private", "hidden", "secret*", "sensitive*", "allow*", "permit*", "can", "public", "internal",
        "owned*", "forbid*", "denied", "blocked", "safe", "unsafe", "trusted", "password*", "deleted",
    )
)  # fmt: skip
"""Words by which a filter says that it keeps things from somebody."""
_QUANTIFIERS = frozenset({"all", "any", "allMatch", "anyMatch", "every", "some"})
_TALKING = frozenset(
    {"format", "join", "print", "warn", "gettext", "_", "echo", "write", "info", "debug", "error", "log"}
)
_NAMES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})


def dropped_filters(versions: Versions) -> Iterator[Shift]:
    """``[x for x in xs if x.visible_to(user)]`` became ``xs``, or lost its condition."""
    for edit in versions.edits.edits:
        if edit.old is None:
            continue
        for condition in _conditions(edit):
            name = next((name for name in names_in(condition) if _keeps_back(name)), None)
            if name is not None and name not in versions.after.names | versions.around.names_come:
                because, how = f"it takes only what `{name}` lets through", f"{plain(condition)} is no longer asked"
                yield lost(plain(condition), condition.line, because, how, "authorization")


def gone_filters(versions: Versions) -> Iterator[Shift]:
    """The same where the whole statement is another now, what was filtered is still used, and no filter came."""
    if any(_filters(statement) for statement in versions.edits.come):
        return
    left = versions.after.names | versions.around.names_come
    for statement in versions.edits.gone:
        for clause in _filters(statement):
            source = next((node.text for node in clause.parts[1].walk() if node.kind is ExprKind.NAME), "")
            names = [name for condition in clause.parts[2:] for name in names_in(condition) if _keeps_back(name)]
            if source in left and names and not left & set(names):
                because, how = f"it takes only what `{names[0]}` lets through", "it is no longer asked"
                yield lost(plain(clause.parts[2]), clause.line, because, how, "authorization")


def _filters(statement: Stmt) -> list[Expr]:
    """The clauses of a statement's comprehensions that have a condition."""
    nodes = (node for part in statement.exprs for node in part.walk() if node.kind is ExprKind.CLAUSE)
    return [clause for clause in nodes if len(clause.parts) > 2]


def _keeps_back(name: str) -> bool:
    return _HIDDEN.find(name) is not None or STATES.find(name) is not None


def _conditions(edit: Edit) -> Iterator[Expr]:
    """Conditions of comprehensions that stand on the old side of an edit only."""
    old, new = edit.old, edit.new
    assert old is not None
    if edit.around and edit.around[-1].kind is ExprKind.CLAUSE and new is None:
        yield old
    elif old.kind is ExprKind.COMPREHENSION and new is not None and _is_whole(old, new):
        yield from (condition for clause in old.parts[1:] for condition in clause.parts[2:])


def _is_whole(old: Expr, new: Expr) -> bool:
    """True when `new` is what the comprehension `old` took some of, or a copy of it."""
    if new.kind is ExprKind.COMPREHENSION:
        return False
    sources = [plain(clause.parts[1]) for clause in old.parts[1:]]
    return any(source.startswith(plain(part)) for source in sources for part in new.walk())


def loops_over_anything(versions: Versions) -> Iterator[Shift]:
    """A loop that set fixed attributes or keys now sets whatever names came in."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.statement.kind is not StmtKind.LOOP:
            continue
        fixed = edit.old.kind is ExprKind.COLLECTION and all(part.kind is ExprKind.STRING for part in edit.old.parts)
        if not fixed or not edit.old.parts or edit.new.kind not in (*_NAMES, ExprKind.CALL) or edit.new.text.isupper():
            continue
        names = {node.text for node in edit.statement_new.exprs[0].walk() if node.kind is ExprKind.NAME}
        if any(_sets(statement.exprs, names) for statement in walk(edit.statement_new.blocks[0])):
            because, how = "only named fields are set", f"now whatever {plain(edit.new)} names"
            yield shift(plain(edit.old), edit.statement.line, because, how, entry="validation")


def _sets(parts: tuple[Expr, ...], names: set[str]) -> bool:
    """True when a statement sets an attribute whose name is one of `names`."""
    return any(
        node.kind is ExprKind.CALL
        and callee(node) == "setattr"
        and len(node.parts) == 4
        and node.parts[2].text in names
        for part in parts
        for node in part.walk()
    )


def other_quantifiers(versions: Versions) -> Iterator[Shift]:
    """``all(...)`` became ``any(...)`` of the same, or the other way round; in a refusing condition `swaps` decides."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or not edit.is_of(ExprKind.CALL):
            continue
        both = callee(old) in _QUANTIFIERS and callee(new) in _QUANTIFIERS and callee(old) != callee(new)
        if (
            both
            and refuses_on(new, versions.after) is None
            and [plain(part) for part in old.parts[1:]] == [plain(part) for part in new.parts[1:]]
        ):
            because, how = f"it asks whether {callee(old)} of them hold", f"now {callee(new)}()"
            yield shift(plain(old), old.line, because, how, entry="validation")


def pasted_beside(versions: Versions) -> Iterator[Shift]:
    """A value that a call was given beside its fixed text is now pasted into that text."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.STRING or is_told(edit):
            continue
        call, call_new = (around[-1] if around else None for around in (edit.around, edit.around_new))
        if call is None or call_new is None or call.kind is not ExprKind.CALL or callee(call) in _TALKING:
            continue
        found = template(edit.new)
        if found is None or not found.holes or is_logging(call):
            continue
        apart, still = _given(call) - {plain(edit.old)}, _given(call_new)
        pasted = {plain(hole) for hole in found.holes} & (apart - still)
        if pasted:
            because, how = "the value is given apart from the text", f"{min(pasted)} is now pasted into it"
            yield shift(plain(call), call.line, because, how, entry="validation")


def _given(call: Expr) -> set[str]:
    """What a call is given, named values and items of collections included, as it is spelled."""
    found: set[str] = set()
    for part in call.parts[1:]:
        value = part.parts[0] if part.kind is ExprKind.KEYWORD else part
        items = value.parts if value.kind is ExprKind.COLLECTION else (value,)
        found |= {plain(item.parts[1] if item.kind is ExprKind.PAIR else item) for item in items}
    return found
