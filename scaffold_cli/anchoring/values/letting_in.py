"""Ways in that are new: what only refused now works, what had to be looked up arrives as it came."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.refusing import only_refusal
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, is_null_check
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_CHECKS = frozenset({"authentication", "authorization", "cryptography", "validation", "csrf"})
"""Entries of functions that look at what came and give it back, or what it stands for."""


def refusing_functions(versions: Versions) -> Iterator[Shift]:
    """A function that did nothing but refuse now does something, unless it only stood for what was not written yet."""
    if versions.before.unit.function is None or versions.before.unit.short_name.startswith("<"):
        return  # unnamed ones are told apart by their order alone
    text = only_refusal(versions.before.unit.block)
    if text and not only_refusal(versions.after.unit.block) and _refusals(versions.after) < 1:
        because, how = f"it refuses whatever comes, by {text}", "it now lets in"
        yield lost(text, versions.before.unit.line, because, how, "validation")


def _refusals(item: Mined) -> int:
    return sum(statement.kind is StmtKind.RAISE for statement in item.reading.statements)


def no_longer_looked_up(versions: Versions) -> Iterator[Shift]:
    """``known = find(x)``, refused where nothing was found, and `known` used: now `x` is used as it came."""
    missing = _refused_where_missing(versions.before) - _refused_where_missing(versions.after)
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.NAME or edit.old.text not in missing:
            continue
        value = versions.values_before.get(edit.old.text)
        if value is not None and value.kind is ExprKind.CALL and _is_given(value, edit.new):
            name = callee(value)
            because, how = f"only what `{name}()` finds is used", f"now {plain(edit.new)} as it came"
            yield shift(plain(value), edit.old.line, because, how, entry="validation")


def _is_given(call: Expr, value: Expr) -> bool:
    return value.kind is not ExprKind.CONSTANT and any(plain(part) == plain(value) for part in call.parts[1:])


def _refused_where_missing(item: Mined) -> set[str]:
    """Names for which a body leaves when there is nothing behind them."""
    return {
        node.text
        for statement in item.reading.statements
        if statement.kind is StmtKind.IF
        for test, branch in zip(statement.exprs, statement.blocks, strict=False)
        if is_null_check(test) or test.kind is ExprKind.NOT
        if refusal_of(branch) is not None
        for node in test.walk()
        if node.kind is ExprKind.NAME
    }


def other_sources(versions: Versions) -> Iterator[Shift]:
    """What came from a check only (``who = verify(code)``) now also comes from something that checks nothing."""
    if versions.before.unit.function is None:
        return
    old, new = _sources(versions.before), _sources(versions.after)
    for target, calls in old.items():
        checks = {name for name in calls if versions.catalogue.protective(name) in _CHECKS}
        now = new.get(target, {})
        come = {name for name in now if name not in versions.before.calls and name not in checks}
        come = {name for name in come if versions.catalogue.protective(name) is None}
        if checks and checks == calls.keys() and checks & now.keys() and come:
            name, other = min(checks), min(come)
            because, how = f"`{target}` comes from `{name}()` only", f"now also from `{other}()`"
            yield shift(f"{target} = {name}()", calls[name], because, how, entry="authentication")


def _sources(item: Mined) -> dict[str, dict[str, int]]:
    """For each plain name, the functions whose answer it is given, with the line."""
    found: dict[str, dict[str, int]] = {}
    for statement in item.reading.statements:
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2 or not statement.exprs[1].text:
            continue
        value = statement.exprs[0]
        while value.kind is ExprKind.UNARY and value.parts:
            value = value.parts[0]
        name = callee(value) if value.kind is ExprKind.CALL else f"{value.kind}"
        if statement.exprs[1].kind is ExprKind.NAME:
            found.setdefault(statement.exprs[1].text, {})[name] = statement.line
    return found
