"""Statements that run in more cases, or without what was around them."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.paths import statements_with_path
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import ExprKind, Stmt, StmtKind

_RESOURCES = WordPatterns(
    (word, "resource")
    for word in (
        "open*", "file*", "session*", "connection*", "connect", "client*", "pool*", "executor*", "socket*", "suppress",
        "closing", "timer*", "timing*", "span*", "trace*", "measure*", "log*", "temporary*", "temp*", "stream*",
        "raises", "redirect*", "catch*", "test*", "cursor*", "transaction*", "nullcontext", "warnings", "urlopen",
    )
)  # fmt: skip
"""Contexts that hold a resource or observe, and protect nothing."""


def dropped_contexts(versions: Versions) -> Iterator[Shift]:
    """What ran inside a context (a lock, a changed environment) now runs without it."""
    kept = {_key(statement) for statement in versions.after.reading.statements}
    for statement in versions.edits.gone:
        if statement.kind is not StmtKind.WITH or not statement.blocks[0] or _key(statement.blocks[0][0]) not in kept:
            continue
        context = statement.exprs[0].parts[-1] if statement.exprs[0].kind is ExprKind.ASSIGN else statement.exprs[0]
        name = callee(context) if context.kind is ExprKind.CALL else context.text
        if _RESOURCES.find(name) is None and name not in versions.after.names | versions.around.names_come:
            because, how = "what it holds runs inside it", "it now runs without"
            form = f"with {plain(context)}"
            yield lost(form, statement.line, because, how, "validation")


def endless_loops(versions: Versions) -> Iterator[Shift]:
    """A loop that ended at the end of its input (an empty read) no longer does."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is not None or edit.statement.kind is not StmtKind.LOOP or len(edit.around) < 2:
            continue
        items, test = edit.around[-1], edit.around[-2]
        is_end = edit.old.text == "" if edit.old.kind is ExprKind.STRING else edit.old.text == "null"
        if is_end and items.kind is ExprKind.COLLECTION and test.text == "not in":
            because, how = "the loop ends with its input", "it now goes on at the end of the input"
            yield shift(plain(test), edit.statement.line, because, how, entry="limits")


def _key(statement: Stmt) -> tuple[str, ...]:
    return (str(statement.kind), *map(plain, statement.exprs))


def freer_secrets(versions: Versions) -> Iterator[Shift]:
    """A credential is set in more cases than before: conditions around the statement are gone."""
    old, new = _credentials(versions.before, versions), _credentials(versions.after, versions)
    for key, (line, conditions) in old.items():
        if key in new and new[key][1] < conditions:
            dropped = min(conditions - new[key][1])
            because, how = "a credential is set only under a condition", f"it is now set without: {dropped}"
            yield shift(" ".join(key[1:]), line, because, how, entry="credential-strip")


def _credentials(item: Mined, versions: Versions) -> dict[tuple[str, ...], tuple[int, frozenset[str]]]:
    """Assignments to a place that carries a credential, with their line and the tests around them."""
    found: dict[tuple[str, ...], tuple[int, frozenset[str]]] = {}
    for statement, path in statements_with_path(item.unit.block):
        if statement.kind is not StmtKind.ASSIGN or statement.exprs[0].kind is ExprKind.CONSTANT:
            continue
        for target in statement.exprs[1:]:
            key = target.parts[1].text if target.kind is ExprKind.SUBSCRIPT else ""
            if versions.catalogue.strings.get(key.lower()) == "credential-strip":
                conditions = frozenset(f"{plain(test)} is {holds}" for test, holds in path)
                found[_key(statement)] = (statement.line, conditions)
    return found
