"""What must come first: the canonical form before the check, the check before the file is asked."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_CANONICAL = frozenset(
    {"normalize", "unquote", "unquote_plus", "unescape", "decode", "casefold", "realpath", "resolve", "expandvars"}
    | {"expanduser", "normpath", "abspath", "normalise", "url_unquote", "urldecode", "canonicalize"}
)
_PROBES = frozenset({"open", "isdir", "isfile", "exists", "stat", "getsize", "listdir", "is_dir", "is_file", "lstat"})
_CHECKS = frozenset({"validation", "path-containment"})


def late_canonical(versions: Versions) -> Iterator[Shift]:
    """``x = unquote(x)`` that stood before what checks or cleans `x` now stands behind it."""
    old, new = _canonical(versions.before), _canonical(versions.after)
    for key, (call, work) in old.items():
        behind = new.get(key)
        if behind is None or len(behind[1]) != len(work):
            continue
        passed = [item for item in work if item in behind[1]]
        if (
            call.line
            and passed
            and _comes_before(versions.before, key, passed)
            and _comes_behind(versions, key, passed)
        ):
            because, how = f"`{callee(call)}()` comes before what works on its value", "it now comes behind"
            yield shift(plain(call), call.line, because, how, entry="canonical-order")


_Key = tuple[str, str]


def _canonical(item: Mined) -> dict[_Key, tuple[Expr, list[str]]]:
    """Assignments ``x = canonical(x)`` that stand once, with the other statements that call something on `x`."""
    found: dict[_Key, tuple[Expr, list[str]]] = {}
    for statement in item.reading.statements:
        target = _refined(statement)
        if target:
            call = statement.exprs[0]
            others = [_spelled(other) for other in item.reading.statements if _works_on(other, target)]
            found[target, plain(call)] = (call, others)
    return found


def _refined(statement: Stmt) -> str:
    """`x` for ``x = canonical(…x…)``, else ""."""
    if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2:
        return ""
    value, target = statement.exprs
    if value.kind is not ExprKind.CALL or callee(value) not in _CANONICAL or target.kind is not ExprKind.NAME:
        return ""
    return target.text if any(node.text == target.text for node in value.walk()) else ""


def _works_on(statement: Stmt, name: str) -> bool:
    """True for another statement that hands `name` to a call."""
    if _refined(statement) == name:
        return False
    return any(
        part.kind is ExprKind.NAME and part.text == name
        for expression in statement.exprs
        for node in expression.walk()
        if node.kind is ExprKind.CALL
        for part in node.parts[1:]
    )


def _spelled(statement: Stmt) -> str:
    return f"{statement.kind} {' '.join(map(plain, statement.exprs))}"


def _order(item: Mined, key: _Key) -> list[str]:
    return [
        "here" if _refined(statement) == key[0] and plain(statement.exprs[0]) == key[1] else _spelled(statement)
        for statement in item.reading.statements
        if statement.exprs
    ]


def _comes_before(item: Mined, key: _Key, passed: list[str]) -> bool:
    order = _order(item, key)
    return all(order.index("here") < order.index(other) for other in passed)


def _comes_behind(versions: Versions, key: _Key, passed: list[str]) -> bool:
    order = _order(versions.after, key)
    return all(order.index("here") > order.index(other) for other in passed)


def late_checks(versions: Versions) -> Iterator[Shift]:
    """A check of a path that came before the file was asked now comes after."""
    if versions.before.unit.function is None:
        return
    old, new = _checks_and_probes(versions.before, versions), _checks_and_probes(versions.after, versions)
    for check, line, probes in old:
        now = next((found for found in new if found[0] == check), None)
        if now is None:
            continue
        overtaken = (probes - now[2]) & versions.after.calls.keys()
        if overtaken:
            because, how = f"it comes before `{min(overtaken)}()`", f"`{min(overtaken)}()` now comes first"
            yield shift(check, line, because, how, entry="path-containment")


def _checks_and_probes(item: Mined, versions: Versions) -> list[tuple[str, int, set[str]]]:
    """Calls the catalogue knows for paths or input, with line and the probes that come only after them."""
    calls = [
        (node, statement)
        for statement in item.reading.statements
        for expression in statement.exprs
        for node in expression.walk()
        if node.kind is ExprKind.CALL
    ]
    found = []
    for position, (call, statement) in enumerate(calls):
        entry = versions.catalogue.protective(callee(call))
        if entry in _CHECKS and len(call.parts) > 1:
            before = {callee(other) for other, _ in calls[:position]}
            is_last = statement.kind is StmtKind.RETURN  # what stands below is another way
            after = set() if is_last else {callee(other) for other, _ in calls[position + 1 :]} & _PROBES
            found.append((plain(call), call.line, after - before))
    return found
