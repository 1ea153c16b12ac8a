"""What newly switches a protection off: a marker of safe text, a verifier that accepts all, a wider file mode."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import Edit
from scaffold_cli.anchoring.values.pasting import items_of_list
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.templates import is_value, template
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_MODED = frozenset({"open", "chmod", "fchmod", "lchmod", "mkdir", "makedirs", "mknod", "mkfifo", "creat", "OpenFile"})
_MODED_NAMES = frozenset({"mode", "perm", "perms", "permissions", "umask"})
_HERE = frozenset({"getcwd", "cwd", "getcwdu"})
_OTHERS = 0o077
"""Permission bits of everybody but the owner."""


def opened(versions: Versions) -> Iterator[Shift]:
    """A name that switches a protection off, in a unit that did without it."""
    if versions.before.unit.function is None and not versions.before.unit.symbol:
        known = versions.before.names
    else:
        known = versions.before.names | versions.before.defined
    come = _names(versions.after) - _names(versions.before) - known - versions.around.names_lost
    for name in sorted(come & versions.catalogue.unsafe.keys()):
        line = versions.before.unit.line
        how = f"{name} now switches the protection off"
        yield shift(f"no {name}", line, f"it does without `{name}`", how, entry=versions.catalogue.unsafe[name])


def _names(item: Mined) -> frozenset[str]:
    decorators = item.unit.function.decorators if item.unit.function is not None else ()
    return item.names | item.calls.keys() | {node.text for part in decorators for node in part.walk() if node.text}


def marked_raw(versions: Versions) -> Iterator[Shift]:
    """A mark of safe text that was put on fixed text and is now put on text that holds values."""
    for edit in versions.edits.edits:
        for node in (*edit.around_new, *((edit.new,) if edit.new is not None else ())):
            entry = versions.catalogue.unsafe.get(callee(node)) if node.kind is ExprKind.CALL else None
            if entry is None or len(node.parts) != 2 or not _holds_values(node.parts[1]):
                continue
            marks = [
                part for part in _all(edit.statement) if part.kind is ExprKind.CALL and callee(part) == callee(node)
            ]
            if marks and not any(_holds_values(part) for mark in marks for part in mark.parts[1:]):
                because = f"`{callee(node)}()` marks fixed text only"
                how = "it now marks text that holds values"
                yield shift(f"{callee(node)}() of fixed text", edit.statement.line, because, how, entry=entry)
                return


def _holds_values(node: Expr) -> bool:
    found = template(node)
    return found is not None and any(is_value(hole) for hole in found.holes)


def _all(statement: Stmt) -> Iterator[Expr]:
    for expression in statement.exprs:
        yield from expression.walk()


def searched_here(versions: Versions) -> Iterator[Shift]:
    """A list of places to look in that newly holds the current directory, where anybody may have put a file."""
    for node in versions.after.reading.nodes:
        listed = versions.after.names & _HERE - versions.before.names and any(map(_names_here, items_of_list(node)))
        if listed or any(_names_here(part) or _is_here(part, node) for part in _inserted(node)):
            because, how = "only places of the program's own are searched", "the current directory is now searched"
            line = versions.before.unit.line
            yield shift("places searched", line, because, how, entry="path-containment")
            return


def _names_here(node: Expr) -> bool:
    return node.kind is ExprKind.CALL and callee(node) in _HERE


def _is_here(part: Expr, call: Expr) -> bool:
    """``sys.path.insert(0, "")``."""
    owner = call.parts[0].parts[0] if call.parts[0].kind is ExprKind.ATTRIBUTE else call.parts[0]
    return part.kind is ExprKind.STRING and part.text in ("", ".") and owner.text == "path"


def _inserted(node: Expr) -> tuple[Expr, ...]:
    is_insertion = node.kind is ExprKind.CALL and callee(node) == "insert" and len(node.parts) == 3
    return node.parts[2:] if is_insertion else ()


def wider_modes(versions: Versions) -> Iterator[Shift]:
    """A file mode that gives others more than it gave: 0o600 to 0o644."""
    for edit in versions.edits.edits:
        old, new = _mode(edit.old), _mode(edit.new)
        if old is None or new is None or not (_is_mode(edit.around_new) or _gives_mode(edit, old)):
            continue
        if new & ~old & _OTHERS:
            yield shift(
                f"mode {old:#o}", edit.statement.line, "others get no more", f"now {new:#o}", entry="file-permissions"
            )


def dropped_modes(versions: Versions) -> Iterator[Shift]:
    """A file or folder made for its owner only is made without a mode of its own."""
    for edit in versions.edits.edits:
        call = edit.around[-1] if edit.around else None
        if edit.old is None or edit.new is not None or call is None or callee(call) not in _MODED:
            continue
        given = edit.old.parts[0] if edit.old.kind is ExprKind.KEYWORD and edit.old.text in _MODED_NAMES else edit.old
        mode = _mode(given)
        if mode is not None and not mode & _OTHERS and mode > _OTHERS:
            how = "now made as the surroundings say"
            yield shift(f"mode {mode:#o}", edit.statement.line, "others get nothing", how, entry="file-permissions")


def wider_default_modes(versions: Versions) -> Iterator[Shift]:
    """The same for the default of a parameter."""
    old, new = _default_modes(versions.before), _default_modes(versions.after)
    for name in old.keys() & new.keys():
        if new[name] & ~old[name] & _OTHERS:
            line, how = versions.before.unit.line, f"now {new[name]:#o}"
            yield shift(f"{name} = {old[name]:#o}", line, "others get no more", how, entry="file-permissions")


def _default_modes(item: Mined) -> dict[str, int]:
    params = item.unit.function.params if item.unit.function is not None else ()
    modes = {param.name: _mode(param.default) for param in params if param.name in _MODED_NAMES}
    return {name: mode for name, mode in modes.items() if mode is not None}


def _mode(node: Expr | None) -> int | None:
    if node is None or node.kind is not ExprKind.NUMBER or not node.text.isdigit():
        return None
    return int(node.text)


def _is_mode(around: tuple[Expr, ...]) -> bool:
    for node in reversed(around):
        if node.kind is ExprKind.KEYWORD:
            return node.text in _MODED_NAMES
        if node.kind is ExprKind.CALL:
            return callee(node) in _MODED
    return False


def _gives_mode(edit: Edit, old: int) -> bool:
    """True for ``mode = 0o600``: a name of modes is given what lets the owner do something."""
    targets = edit.statement_new.exprs[1:] if edit.statement_new.kind is StmtKind.ASSIGN else ()
    return not edit.around_new and old > _OTHERS and any(target.text in _MODED_NAMES for target in targets)


def plainly_created(versions: Versions) -> Iterator[Shift]:
    """A file that was made by ``os.open`` with flags and a mode of its own is now made by a plain ``open``."""
    old, new = _opened_by(versions.before), _opened_by(versions.after)
    if old["os"] and not new["os"] and len(new[""]) > len(old[""]):
        because, how = "the file is made with flags and a mode of its own", "now a plain open()"
        yield shift("os.open()", old["os"][0], because, how, entry="file-permissions")


def _opened_by(item: Mined) -> dict[str, list[int]]:
    """Lines of ``os.open`` and of the plain ``open``."""
    found: dict[str, list[int]] = {"os": [], "": []}
    for node in item.reading.of(ExprKind.CALL):
        if callee(node) == "open":
            function = node.parts[0]
            owner = function.parts[0].text.lstrip("_") if function.kind is ExprKind.ATTRIBUTE else ""
            if owner in found:
                found[owner].append(node.line)
    return found


def opened_to_all(versions: Versions) -> Iterator[Shift]:
    """A decorator or annotation that lets everybody in, on a function that stood without it."""
    if versions.before.unit.function is None or versions.after.unit.function is None:
        return
    old, new = (
        {node.text for part in unit.function.decorators for node in part.walk() if node.text}
        for unit in (versions.before.unit, versions.after.unit)
        if unit.function is not None
    )
    for name in sorted(new - old):
        entry = versions.catalogue.openers.find(name)
        if entry is not None:
            because, how = "it is not open to everybody", f"now @{name}"
            yield shift(f"no @{name}", versions.before.unit.line, because, how, entry=entry)
