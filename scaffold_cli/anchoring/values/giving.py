"""Who gives a value: what the caller gave and the input now overwrites, copies that are no longer put back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.paths import Path, statements_with_path
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_LOOKING_UP = frozenset({"get", "getParameter", "getHeader", "getAttribute", "getProperty", "pop", "getlist"})


def overwritten_parameters(versions: Versions) -> Iterator[Shift]:
    """What came in stood in for a parameter that was not given; now it takes the place of one that was."""
    old, new = _filled(versions.before), _filled(versions.after)
    for key, paths in old.items():
        now = new.get(key, [])
        only_if_absent = all(_asks_absence(key[0], path) for path in paths)
        if now and only_if_absent and not any(_asks_absence(key[0], path) for path in now):
            because, how = f"{key[0]} is the caller's to give", f"{key[1]} now takes its place"
            yield shift(f"{key[0]} = {key[1]}", versions.before.unit.line, because, how, entry="authentication")


def _filled(item: Mined) -> dict[tuple[str, str], list[Path]]:
    """Where a parameter is given something looked up by a key, by its name and the value."""
    function = item.unit.function
    params = {param.name for param in function.params} if function is not None else set()
    found: dict[tuple[str, str], list[Path]] = defaultdict(list)
    for statement, path in statements_with_path(item.unit.block) if params else ():
        if statement.kind is StmtKind.ASSIGN and statement.text == "=" and _is_looked_up(statement.exprs[0]):
            for target in statement.exprs[1:]:
                if target.kind is ExprKind.NAME and target.text in params:
                    found[target.text, plain(statement.exprs[0])].append(path)
    return found


def _is_looked_up(value: Expr) -> bool:
    if value.kind is ExprKind.CALL:
        return callee(value) in _LOOKING_UP and len(value.parts) > 1
    return value.kind is ExprKind.SUBSCRIPT


def _asks_absence(name: str, path: Path) -> bool:
    return any(_is_absent(name, test, holds) for test, holds in path)


def _is_absent(name: str, test: Expr, holds: bool) -> bool:
    """True when `test`, held or failed, says that nothing was given by that name."""
    if test.kind is ExprKind.NOT:
        return _is_absent(name, test.parts[0], not holds)
    if test.kind is (ExprKind.AND if holds else ExprKind.OR):
        return any(_is_absent(name, part, holds) for part in test.parts)
    if test.kind is ExprKind.COMPARE and test.text in ("==", "is", "!=", "is not"):
        spelled = {plain(part) for part in test.parts}
        return bool(spelled & {"null", "''"}) and name in spelled and (test.text in ("==", "is")) is holds
    return test.kind is ExprKind.NAME and test.text == name and not holds


def unstored_copies(versions: Versions) -> Iterator[Shift]:
    """``p = o.getX(); p.setSafe(…); o.setX(p)`` without its end: where `getX` answers a copy, nothing is set."""
    around = versions.around
    for name, getter, line in _set_on_gotten(versions.after):
        entry = versions.catalogue.protective(name)
        setter = f"set{getter.removeprefix('get')}"
        if entry is not None and around.calls_before[name] and around.calls_before[setter] > around.calls_after[setter]:
            because, how = f"`{setter}()` puts back what `{name}()` changed", "the changed copy is dropped"
            yield lost(f"{setter}()", line, because, how, entry)


def _set_on_gotten(item: Mined) -> Iterator[tuple[str, str, int]]:
    """Setters called right on what a getter answers, with the getter."""
    for node in item.reading.nodes:
        function = node.parts[0] if node.kind is ExprKind.CALL else None
        if function is None or function.kind is not ExprKind.ATTRIBUTE or not function.text.startswith("set"):
            continue
        owner = function.parts[0]
        if owner.kind is ExprKind.CALL and callee(owner).startswith("get") and len(owner.parts) == 1:
            yield function.text, callee(owner), node.line
