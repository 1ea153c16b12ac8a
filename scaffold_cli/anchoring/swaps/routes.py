"""Handlers and parameters that stood behind a guard by where it was given: in a route, in a default, in order."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_ROUTING = frozenset(
    {"get", "post", "put", "delete", "patch", "all", "use", "route", "add_url_rule", "add_route", "path"}
)
_INJECTING = frozenset({"Depends", "Security", "Inject", "Provide"})
_GUARDING = WordList("guards-of-routes")


def _guards(node: Expr) -> bool:
    text = callee(node) if node.kind is ExprKind.CALL else node.text
    return _GUARDING.find(text) is not None


def unguarded_routes(versions: Versions) -> Iterator[Shift]:
    """``router.post(path, requireAdmin, drop)`` became ``router.post(path, drop)``."""
    for edit in versions.edits.edits:
        call = edit.around[-1] if edit.around else None
        if edit.old is None or edit.new is not None or call is None or call.kind is not ExprKind.CALL:
            continue
        is_handler = edit.old.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.CALL) and len(call.parts) > 2
        if is_handler and callee(call) in _ROUTING and _guards(edit.old):
            name = plain(edit.old)
            used = any(_is_guard(given) and plain(given.parts[1]) == name for given in _order(versions.after).values())
            if edit.old.text not in versions.around.names_come and not used:
                yield lost(
                    name, edit.old.line, f"`{name}` stands before the handler", "it is left out", "authorization"
                )


def later_middleware(versions: Versions) -> Iterator[Shift]:
    """``app.use(auth)`` stands behind a route it stood before."""
    if versions.before.unit.function is not None:
        return
    old, new = _order(versions.before), _order(versions.after)
    for guard in old:
        if guard not in new or not _is_guard(old[guard]):
            continue
        behind = [*old][[*old].index(guard) + 1 :]
        passed = next((other for other in behind if other in new and [*new].index(other) < [*new].index(guard)), None)
        if passed is not None and old[passed].parts[1].kind is ExprKind.STRING:
            line = old[guard].line
            yield shift(guard, line, f"it stands before `{passed}`", "it comes after it now", entry="authorization")


def _is_guard(call: Expr) -> bool:
    """True for a guard in front of everything that follows, on no path of its own."""
    return len(call.parts) == 2 and _guards(call.parts[1])


def _order(item: Mined) -> dict[str, Expr]:
    """Routing statements of a module by their text, in order."""
    found: dict[str, Expr] = {}
    for statement in item.reading.statements:
        call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
        if call is not None and call.kind is ExprKind.CALL and callee(call) in _ROUTING and len(call.parts) > 1:
            found[plain(call)] = call
    return found


def dropped_dependencies(versions: Versions) -> Iterator[Shift]:
    """``user=Depends(current_admin)`` became ``user=None``."""
    one, other = versions.before.unit.function, versions.after.unit.function
    if one is None or other is None:
        return
    now = {param.name: param.default for param in other.params}
    for param in one.params:
        guard = _injected(param.default)
        if guard is None or not _guards(guard) or guard.text in versions.around.names_come:
            continue
        given = _injected(now.get(param.name))
        if given is None or not (_guards(given) or plain(given) == plain(guard)):
            name = plain(guard)
            yield lost(f"{param.name}={name}", one.line, f"`{name}` runs before", "it no longer runs", "authorization")


def _injected(default: Expr | None) -> Expr | None:
    if default is None or default.kind is not ExprKind.CALL or callee(default) not in _INJECTING:
        return None
    return default.parts[1] if len(default.parts) > 1 else None
