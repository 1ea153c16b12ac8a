"""What a signature, a cipher or a password check covers: a part left out or cut, its key written out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.agreeing import is_cut
from scaffold_cli.anchoring.swaps.looking import assigned, nodes
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_KEYED = WordList("keyed-functions")
_FINISHING = frozenset({"doFinal", "digest", "hexdigest", "finalize", "sign", "verify"})
_VALUES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.CALL, ExprKind.SUBSCRIPT})


def covers_less(versions: Versions) -> Iterator[Shift]:
    """An argument of a keyed function is a piece of what it was, leaves out a part, or is written out."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or not _is_keyed(edit):
            continue
        how = ""
        if (edit.old.kind is ExprKind.BINARY and edit.old.text == "+" and _is_part(edit.new, edit.old)) or (
            is_cut(edit.new) and any(plain(node) == plain(edit.old) for node in edit.new.walk())
        ):
            how = f"now only {plain(edit.new)}"
        elif edit.old.kind in _VALUES and edit.new.kind is ExprKind.STRING and not _is_name(edit.old):
            how = "now it is written out"
        if how:
            yield shift(plain(edit.old), edit.old.line, "it is what is proved", how, entry="cryptography")


def fewer_parts(versions: Versions) -> Iterator[Shift]:
    """``mac.update(stamp)`` is gone where other parts are still put in."""
    old, new = _put_in(versions.before), _put_in(versions.after)
    for owner, parts in old.items():
        left = new.get(owner, {})
        gone = [text for text in parts if text not in left]
        if left and gone and len(left) < len(parts):
            how = f"{gone[0]} is left out"
            yield shift(f"{owner}.update({gone[0]})", parts[gone[0]], "it is what is proved", how, entry="cryptography")


def shorter_messages(versions: Versions) -> Iterator[Shift]:
    """``text = f"{user}|{total}"``, which is then signed, became ``text = f"{user}"``."""
    old, new = _messages(versions.before), _messages(versions.after)
    for name, value in old.items():
        now = new.get(name)
        had, has = _joined(value), frozenset[str]() if now is None else _joined(now)
        if now is not None and has and has < had:
            how = f"{min(had - has)} is left out"
            yield shift(plain(value), value.line, "it is what is proved", how, entry="cryptography")


def _messages(item: Mined) -> dict[str, Expr]:
    """Names that are given one joined text or tuple, and read in a call with a key."""
    keyed = (node for _, node in nodes(item) if node.kind is ExprKind.CALL and _KEYED.find(_called(node)) is not None)
    read = {name for node in keyed for part in node.parts[1:] for name in names_in(part)}
    return {name: values[0] for name, values in assigned(item).items() if name in read and len(values) == 1}


def _called(call: Expr) -> str:
    function = call.parts[0]
    return f"{function.parts[0].text}_{function.text}" if function.kind is ExprKind.ATTRIBUTE else function.text


def _joined(value: Expr) -> frozenset[str]:
    is_joined = value.kind in (ExprKind.FORMAT, ExprKind.COLLECTION) or (value.kind, value.text) == (
        ExprKind.BINARY,
        "+",
    )
    parts = value.parts if is_joined else ()
    return frozenset(plain(part) for part in parts if part.kind is not ExprKind.STRING)


def _put_in(item: Mined) -> dict[str, dict[str, int]]:
    """What is put into each digest, cipher or signature by statements of their own, with lines."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    if not item.calls.keys() & _FINISHING:
        return found
    for statement in item.reading.statements:
        call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
        if call is None or call.kind is not ExprKind.CALL or callee(call) != "update" or len(call.parts) != 2:
            continue
        if call.parts[0].kind is ExprKind.ATTRIBUTE:
            found[plain(call.parts[0].parts[0])][plain(call.parts[1])] = call.line
    return found


def _is_name(node: Expr) -> bool:
    """True for a choice by name, an algorithm most often."""
    return node.kind is ExprKind.ATTRIBUTE and node.text[:1].islower() and node.parts[0].text in ("hashlib", "hashes")


def _is_part(new: Expr, old: Expr) -> bool:
    parts = {plain(part) for part in old.parts if part.kind is not ExprKind.STRING}
    left = {plain(part) for part in new.parts} if new.kind is ExprKind.BINARY and new.text == "+" else {plain(new)}
    return left < parts


def _is_keyed(edit: Edit) -> bool:
    call = next((node for node in reversed(edit.around_new) if node.kind is ExprKind.CALL), None)
    if call is None or "compare" in words(callee(call)):
        return False
    function = call.parts[0]
    owner = function.parts[0].text if function.kind is ExprKind.ATTRIBUTE else ""
    return _KEYED.find(callee(call)) is not None or _KEYED.find(owner) is not None
