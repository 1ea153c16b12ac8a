"""Protections that stand in a list or on a parameter: middleware, validators, marks of arguments."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.predicates import names_the_bad
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_PROTECTING = WordList("members-that-protect")
_LISTS = WordList("lists-that-run")
_MARKS = frozenset({"Valid", "Validated", "NotNull", "NotBlank", "NotEmpty", "Size", "Max", "Min", "Pattern", "Email",
                    "Positive", "PositiveOrZero", "Length", "Range", "Digits", "AuthenticationPrincipal"})  # fmt: skip


def dropped_members(versions: Versions) -> Iterator[Shift]:
    """A protection is taken off a list of what is run."""
    for edit in versions.edits.edits:
        if (
            edit.old is None
            or edit.new is not None
            or not edit.around
            or edit.around[-1].kind is not ExprKind.COLLECTION
        ):
            continue
        name = _last_name(edit.old)
        targets = [target.text for target in edit.statement.exprs[1:]]
        targets += [node.text for node in edit.around if node.kind is ExprKind.KEYWORD]
        runs = any(_LISTS.find(target) is not None and not names_the_bad(target) for target in targets)
        if runs and _PROTECTING.find(name) is not None and name not in versions.around.names_come:
            yield lost(plain(edit.old), edit.old.line, f"`{name}` protects", "it is no longer run", "validation")


def _last_name(node: Expr) -> str:
    node = node.parts[0] if node.kind is ExprKind.CALL else node
    return node.text.rpartition(".")[2]


def dropped_marks(versions: Versions) -> Iterator[Shift]:
    """``@Valid Form form`` became ``Form form``."""
    one, other = versions.before.unit.function, versions.after.unit.function
    if one is None or other is None:
        return
    now = {param.name: {_mark(item) for item in param.annotations} for param in other.params}
    for param in one.params:
        for mark in param.annotations:
            if _mark(mark) in _MARKS and param.name in now and not now[param.name] & _MARKS:
                name = _mark(mark)
                yield shift(
                    f"@{name} {param.name}",
                    one.line,
                    f"`@{name}` checks it",
                    "it is no longer checked",
                    entry="validation",
                )
                break


def _mark(annotation: Expr) -> str:
    return _last_name(annotation)
