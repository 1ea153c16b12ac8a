"""A replacement that took out every dangerous piece takes out the first only."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.effects import dangerous
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, strings_in
from scaffold_cli.syntax.outline import Expr, ExprKind

_REPLACING = frozenset({"replace", "sub", "subn", "replaceAll", "replace_all", "ReplaceAll", "gsub"})
_FIRST = {"replaceAll": frozenset({"replaceFirst", "replace"}), "replace_all": frozenset({"replace"})}
_COUNTS = frozenset({"count", "maxsplit", "n"})


def first_only(versions: Versions) -> Iterator[Shift]:
    """``s.replace("<", "&lt;")`` became ``s.replace("<", "&lt;", 1)``, ``/</g`` became ``/</``."""
    for edit in versions.edits.edits:
        call = _replacement(edit)
        if call is None:
            continue
        is_pattern = callee(call) != "replace"
        texts = (text for part in call.parts[1:] for text in strings_in(part))
        entry = next((found for text in texts if (found := dangerous(text, is_pattern, versions.catalogue))), None)
        if entry is not None:
            because, how = "it replaces every one", "now only the first"
            yield shift(plain(call), call.line, because, how, entry=entry)


def _replacement(edit: Edit) -> Expr | None:
    """The call that replaced everything, where it now stops after some."""
    old, new = edit.old, edit.new
    if old is not None and new is not None and old.kind is ExprKind.CALL is new.kind:
        return old if callee(new) in _FIRST.get(callee(old), ()) and _same_arguments(old, new) else None
    calls = [node for node in reversed(edit.around) if node.kind is ExprKind.CALL]
    call = next((node for node in calls if callee(node) in _REPLACING), None)
    if call is None:
        return None
    if old is None and new is not None and calls[0] is call and _is_count(new):
        now = edit.around_new[-1]
        return call if [plain(part) for part in now.parts if part is not new] == [*map(plain, call.parts)] else None
    is_flag = old is not None and old.kind is ExprKind.STRING and "g" in old.text
    loses = new is None or (new.kind is ExprKind.STRING and "g" not in new.text)
    return call if is_flag and loses and callee(calls[0]) == "RegExp" and calls[0].parts[-1] is old else None


def _same_arguments(old: Expr, new: Expr) -> bool:
    given = [tuple(part for part in call.parts[1:]) for call in (old, new)]
    return callee(new) == "replaceFirst" or (
        [plain(part) for part in given[0]] == [plain(part) for part in given[1]]
        and all(part.kind is ExprKind.STRING for part in given[1][:1])
        and old.parts[0].kind is ExprKind.ATTRIBUTE
    )


def _is_count(node: Expr) -> bool:
    value = node.parts[0] if node.kind is ExprKind.KEYWORD and node.text in _COUNTS else node
    return value.kind is ExprKind.NUMBER and value.text not in ("0", "-1")
