"""Arguments with a security meaning that are no longer passed, and trusted objects filled from a request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.settings import rank_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.model.protection import Outcome
from scaffold_cli.syntax.outline import Expr, ExprKind

_MERGING = frozenset({"update", "putAll", "merge", "setdefault", "assign", "addAll"})
_ASKING = frozenset({"filter", "filter_by", "where", "having", "and_", "exclude", "find_one", "query"})
_TRUTH = frozenset({"true", "false"})


def dropped_arguments(versions: Versions) -> Iterator[Shift]:
    """A named argument that protects, a flag, or a condition of a query, no longer given to the same call."""
    for edit in versions.edits.edits:
        call = edit.around[-1] if edit.around else None
        if edit.old is None or edit.new is not None or call is None or call.kind is not ExprKind.CALL:
            continue
        if is_logging(call) or any(_spreads(part) for part in edit.around_new[-1].parts):
            continue
        name, entry = callee(call), _protects(edit.old, call, versions)
        if entry is not None:
            text = plain(edit.old)
            because = f"it narrows what `{name}()` does"
            yield shift(
                f"{name}({text})", edit.old.line, because, f"{text} is no longer given", entry=entry,
                outcome=Outcome.LOST,
            )  # fmt: skip


def _spreads(part: Expr) -> bool:
    return part.kind is ExprKind.UNARY and part.text in ("*", "**")


def _protects(argument: Expr, call: Expr, versions: Versions) -> str | None:
    if argument.kind is ExprKind.COMPARE:
        return "authorization" if callee(call) in _ASKING else None
    if argument.kind is ExprKind.NUMBER and argument.text == "0" and callee(call) in ("add", "insert"):
        owner = call.parts[0].parts[0].text if call.parts[0].kind is ExprKind.ATTRIBUTE else ""
        return versions.catalogue.collections.find(owner)
    if argument.kind is not ExprKind.KEYWORD:
        return None
    value = argument.parts[0]
    setting = versions.catalogue.setting(argument.text)
    if setting is not None and rank_of(setting, plain(value)) == 0:
        return None
    name = callee(value) if value.kind is ExprKind.CALL else value.text
    known = versions.catalogue.arguments.find(argument.text) or versions.catalogue.careful.find(name)
    if known is not None or callee(call)[:1].isupper():
        return known
    is_flag = argument.parts[0].kind is ExprKind.CONSTANT and argument.parts[0].text in _TRUTH
    return "validation" if is_flag else None


def merged_requests(versions: Versions) -> Iterator[Shift]:
    """A dictionary of the program's own that now takes every key a request brings."""
    if versions.before.unit.function is None or not versions.after.calls.keys() & _MERGING:
        return
    come = _merged(versions.after, versions) - _merged(versions.before, versions)
    for owner in sorted(come):
        line = versions.before.unit.line
        how = f"{owner} now takes every key of the request"
        yield shift(f"keys of {owner}", line, "a request cannot choose its keys", how, entry="validation")


def _merged(item: Mined, versions: Versions) -> Counter[str]:
    found: Counter[str] = Counter()
    known = versions.before.names | versions.before.defined
    for node in item.reading.of(ExprKind.CALL):
        if callee(node) not in _MERGING or len(node.parts) != 2:
            continue
        function, given = node.parts
        owner = function.parts[0].text if function.kind is ExprKind.ATTRIBUTE else ""
        if owner in known and any(versions.catalogue.requested.find(part.text) for part in given.walk() if part.text):
            found[owner] += 1
    return found
