"""What holds when nothing is known: a default, a first value or a fallback that now lets in."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.implication import number
from scaffold_cli.anchoring.swaps.polarity import leaves, refuses_on
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_LOOKUPS = frozenset({"get", "getattr", "getOrDefault", "getenv", "pop", "getBoolean", "getProperty", "setdefault"})
_TRUTHS = {"true": True, "false": False, "null": False}
_HIGH = frozenset({"admin", "administrator", "root", "superuser", "owner", "sudo", "staff", "system"})
_MORE = {"<": 1, "<=": 1, ">": -1, ">=": -1}


def open_defaults(versions: Versions) -> Iterator[Shift]:
    """The default of a lookup, or the first value of a name, that a refusing condition asks was turned to let in."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or is_told(edit):
            continue
        call = edit.around_new[-1] if edit.around_new else None
        is_default = call is not None and _has_default(call)
        if is_default and _names_the_high(edit.old, edit.new):
            how = f"now {edit.new.text}"
            yield shift(
                plain(edit.old), edit.old.line, "it is the role of somebody unknown", how, entry="authorization"
            )
        old, new = _TRUTHS.get(edit.old.text), _TRUTHS.get(edit.new.text)
        if not edit.old.kind is ExprKind.CONSTANT is edit.new.kind or old is None or new is None or old is new:
            continue
        target = _target(edit)
        if target is not None and (not edit.around_new or (is_default and len(edit.around_new) == 1)):
            refuses = _asked(target.text, versions.after)
        elif is_default and call is not None:
            refuses = refuses_on(call, versions.after)
        else:
            continue
        if refuses is not None and new is not refuses:
            because, how = "it refuses where nothing is known", f"now {edit.new.text} lets in"
            yield shift(f"{edit.old.text} by default", edit.old.line, because, how, entry="validation")


def _has_default(node: Expr) -> bool:
    """True for a lookup that may be given a default, and for ``x or y``, ``x ?? y``."""
    if node.kind is ExprKind.CALL:
        return callee(node) in _LOOKUPS
    return node.kind is ExprKind.OR or (node.kind is ExprKind.BINARY and node.text == "??")


def _names_the_high(old: Expr, new: Expr) -> bool:
    texts = [node.text for node in (old, new)]
    is_named = all(node.kind in (ExprKind.STRING, ExprKind.ATTRIBUTE, ExprKind.NAME) for node in (old, new))
    return is_named and not _HIGH & set(words(texts[0])) and bool(_HIGH & set(words(texts[1])))


def _asked(name: str, item: Mined) -> bool | None:
    """The truth of a plain name on which a condition refuses; None where none asks just that."""
    found = {refuses for test, refuses in leaves(item) if test.kind is ExprKind.NAME and test.text == name}
    return found.pop() if len(found) == 1 else None


def lower_bars(versions: Versions) -> Iterator[Shift]:
    """A number that a parameter or name stands for by default was moved so that a refusing comparison refuses less."""
    for name, (old, new, line) in _moved(versions).items():
        for test, refuses in leaves(versions.after):
            if test.kind is not ExprKind.COMPARE or test.text not in _MORE:
                continue
            sides = [part.text if part.kind is ExprKind.NAME else "" for part in test.parts]
            if name not in sides:
                continue
            grows = _MORE[test.text] * (1 if sides[0] == name else -1) * (1 if refuses else -1)
            if (new - old) * grows > 0:
                because, how = f"`{plain(test)}` refuses by it", f"now {name} = {new:g}"
                yield shift(f"{name} = {old:g}", line, because, how, entry="validation")
                break


def _moved(versions: Versions) -> dict[str, tuple[float, float, int]]:
    found: dict[str, tuple[float, float, int]] = {}
    one, other = versions.before.unit.function, versions.after.unit.function
    if one is not None and other is not None:
        now = {param.name: param.default for param in other.params}
        for param in one.params:
            default = now.get(param.name)
            if param.default is not None and default is not None:
                _note(found, param.name, param.default, default)
    for edit in versions.edits.edits:
        target = _target(edit)
        if target is not None and not edit.around and edit.old is not None and edit.new is not None:
            _note(found, target.text, edit.old, edit.new)
    return found


def _target(edit: Edit) -> Expr | None:
    """What the edited statement gives a value, on the after side."""
    statement = edit.statement_new
    return statement.exprs[1] if statement.kind is StmtKind.ASSIGN and len(statement.exprs) > 1 else None


def _note(found: dict[str, tuple[float, float, int]], name: str, old: Expr, new: Expr) -> None:
    if old.kind is ExprKind.NUMBER is new.kind:
        one, other = number(old.text), number(new.text)
        if one is not None and other is not None and one != other:
            found[name] = (one, other, old.line)
