"""Small changes of how a text is handled: taken apart by hand, trimmed at one end, shown without being quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_ONE_END = frozenset({"lstrip", "rstrip"})
_QUOTED = re.compile(r"%r|![ra]\b|%a")
_PLAIN = re.compile(r"%s|\{\}")


def trimmed_at_one_end(versions: Versions) -> Iterator[Shift]:
    """``path.strip("/")`` became ``path.rstrip("/")``: what stands at the other end stays."""
    old, new = _trimmed(versions.before), _trimmed(versions.after)
    for text, calls in old.items():
        both = [call for call in calls if callee(call) == "strip"]
        if not both or any(callee(call) == "strip" for call in new.get(text, ())):
            continue
        one_end = len([call for call in calls if callee(call) in _ONE_END])
        now = [call for call in new.get(text, ()) if callee(call) in _ONE_END]
        if len(now) == one_end + 1:
            because, how = f"it takes {text!r} off both ends", f"now {callee(now[-1])}()"
            yield shift(plain(both[0]), both[0].line, because, how, entry="validation")


def _trimmed(item: Mined) -> dict[str, list[Expr]]:
    found: dict[str, list[Expr]] = {}
    for node in item.reading.of(ExprKind.CALL):
        if len(node.parts) != 2 or callee(node) not in _ONE_END | {"strip"}:
            continue
        if node.parts[1].kind is ExprKind.STRING and node.parts[1].text.strip():
            found.setdefault(node.parts[1].text, []).append(node)
    return found


def logged_unquoted(versions: Versions) -> Iterator[Shift]:
    """A value that a log line showed quoted (``%r``), line ends escaped, is now shown as it is."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or not edit.is_of(ExprKind.STRING):
            continue
        if not any(node.kind is ExprKind.CALL and is_logging(node) for node in edit.around_new):
            continue
        old, new = edit.old.text, edit.new.text
        fewer = len(_QUOTED.findall(old)) > len(_QUOTED.findall(new))
        if fewer and len(_PLAIN.findall(new)) > len(_PLAIN.findall(old)):
            because, how = "line ends of the value are escaped", f"now {new!r}"
            yield shift(repr(old), edit.statement.line, because, how, entry="control-characters")


_PATHS = frozenset({"Path", "PurePath", "PurePosixPath", "PosixPath"})


def whole_names(versions: Versions) -> Iterator[Shift]:
    """``Path(member.name).name`` became ``member.name``: folders in the name are no longer dropped."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or not edit.around or edit.around[-1].text not in ("name", "stem"):
            continue
        is_path = old.kind is ExprKind.CALL and callee(old) in _PATHS and len(old.parts) == 2
        if is_path and edit.around[-1].parts[:1] == (old,) and plain(old.parts[1]) == plain(edit.around_new[-1]):
            because, how = "only the last part of the name is used", f"now all of {plain(old.parts[1])}"
            yield shift(f"{plain(old)}.name", old.line, because, how, entry="path-containment")


def kept_users(versions: Versions) -> Iterator[Shift]:
    """What stood before the ``@`` of an address was cut off (``rpartition("@")[2]``) and no longer is."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or old.kind is not ExprKind.SUBSCRIPT or old.parts[0].kind is not ExprKind.CALL:
            continue
        call = old.parts[0]
        cuts = callee(call) in ("rpartition", "partition", "split", "rsplit") and len(call.parts) > 1
        if cuts and call.parts[1].text == "@" and plain(call.parts[0].parts[0]) == plain(new):
            because, how = "what stands before the @ is cut off", f"now all of {plain(new)}"
            yield shift(plain(old), old.line, because, how, entry="destination-check")


def timed_comparisons(versions: Versions) -> Iterator[Shift]:
    """A comparison that looked at every character (``differ |= a ^ b``) stops at the first that differs."""
    old = list(_gathered(versions.before))
    if not old or any(_gathered(versions.after)):
        return
    if not any(versions.catalogue.protective(name) == "constant-time" for name in versions.after.calls):
        because, how = "it takes as long whatever differs", "the time now tells where they differ"
        yield shift("differences gathered", old[0], because, how, entry="constant-time")


def _gathered(item: Mined) -> Iterator[int]:
    for statement in item.reading.statements:
        if statement.kind is not StmtKind.ASSIGN or statement.text != "|=":
            continue
        if any(node.kind is ExprKind.BINARY and node.text == "^" for node in statement.exprs[0].walk()):
            yield statement.line
