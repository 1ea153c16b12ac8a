"""Signs in edits: the smallest expressions that became others, by how the one relates to the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping

from scaffold_cli.anchoring.suspicion.vocabulary import Vocabulary
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_SPECIAL = re.compile(r"[\\^$*+?\[\]]")
_JOINED = (ExprKind.AND, ExprKind.OR)
_UNWRAPPED = frozenset({"value unwrapped", "method no longer called on it"})
_SAME = {
    ExprKind.CALL: "another function called",
    ExprKind.NAME: "another variable",
    ExprKind.ATTRIBUTE: "another attribute",
}


def count_edit(edit: Edit, vocabulary: Vocabulary, signs: Counter[str]) -> None:
    """Add what one edit does, and the words that it takes away or brings."""
    place = "test" if _is_test(edit) else "value"
    if edit.old is None or edit.new is None:
        _count_part(edit, place, vocabulary, signs)
        return
    vocabulary.count(edit.old, "-", signs)
    vocabulary.count(edit.new, "+", signs)
    sign = _relation(edit.old, edit.new, place)
    signs[sign] += 1
    signs[f"edit of a {place}"] += 1
    if sign in _UNWRAPPED:
        signs["protective wrapper gone" if vocabulary.is_protective(callee(edit.old)) else "plain wrapper gone"] += 1


def _is_test(edit: Edit) -> bool:
    item = edit.statement
    return item.kind in (StmtKind.IF, StmtKind.ASSERT) or (item.kind is StmtKind.LOOP and item.text != "for")


def _count_part(edit: Edit, place: str, vocabulary: Vocabulary, signs: Counter[str]) -> None:
    """An argument, item or operand that came or went."""
    node, side = (edit.old, "-") if edit.old is not None else (edit.new, "+")
    assert node is not None
    vocabulary.count(node, side, signs)
    around = edit.around[-1].kind if edit.around else None
    if around in _JOINED:
        signs[f"{side}{around} operand in a {place}"] += 1
    elif node.kind is ExprKind.KEYWORD:
        signs[f"{side}named argument"] += 1
    elif around is ExprKind.CALL:
        signs[f"{side}argument"] += 1
    else:
        signs[f"{side}item"] += 1


def _relation(old: Expr, new: Expr, place: str) -> str:
    """How the new expression relates to the old one, in words."""
    was, now = plain(old), plain(new)
    found = _part_of(old, now, _SHRUNK) or _part_of(new, was, _GROWN)
    if found:
        return f"{found} in a {place}" if found.endswith(("and", "or")) else found
    return _of_one_kind(old, new) if old.kind is new.kind else _of_two_kinds(old, new)


_SHRUNK = {
    "argument": "value unwrapped",
    "owner": "method no longer called on it",
    ExprKind.AND: "fewer operands of and",
    ExprKind.OR: "fewer operands of or",
    ExprKind.NOT: "negation",
    ExprKind.CONDITIONAL: "choice gone",
    ExprKind.BINARY: "sum cut",
}
_GROWN = {
    "argument": "value wrapped",
    "owner": "method newly called on it",
    ExprKind.AND: "more operands of and",
    ExprKind.OR: "more operands of or",
    ExprKind.NOT: "negation",
    ExprKind.CONDITIONAL: "choice new",
    ExprKind.BINARY: "sum grown",
}


def _part_of(whole: Expr, text: str, said: Mapping[str, str]) -> str:
    """What `said` says when the expression spelled `text` is a part of `whole`; empty when it is none."""
    parts = [plain(part) for part in whole.parts]
    if whole.kind is not ExprKind.CALL:
        return said.get(whole.kind, "") if text in parts else ""
    if text in parts[1:]:
        return said["argument"]
    function = whole.parts[0]
    return said["owner"] if function.kind is ExprKind.ATTRIBUTE and plain(function.parts[0]) == text else ""


def _of_one_kind(old: Expr, new: Expr) -> str:
    return _SAME_KIND.get(old.kind, _as_named)(old, new)


def _as_named(old: Expr, new: Expr) -> str:
    return _SAME.get(old.kind, "same frame")


def _text(old: Expr, new: Expr) -> str:
    what = "pattern" if _SPECIAL.search(old.text) else "text"
    return f"{what} shorter" if len(new.text) < len(old.text) else f"{what} longer"


def _number(old: Expr, new: Expr) -> str:
    try:
        return "number less" if float(new.text) < float(old.text) else "number more"
    except ValueError:
        return "another number"


def _constant(old: Expr, new: Expr) -> str:
    return f"{old.text} to {new.text}"


def _compared(old: Expr, new: Expr) -> str:
    return "another comparison" if old.text == new.text else "another operator"


_SAME_KIND: dict[ExprKind, Callable[[Expr, Expr], str]] = {
    ExprKind.STRING: _text,
    ExprKind.NUMBER: _number,
    ExprKind.CONSTANT: _constant,
    ExprKind.COMPARE: _compared,
}


def _of_two_kinds(old: Expr, new: Expr) -> str:
    size, size_new = (sum(1 for _ in node.walk()) for node in (old, new))
    how = "simpler" if size_new < size else "less simple"
    if old.kind is ExprKind.CALL:
        return f"call to something {how}"
    return f"something {how} by a call" if new.kind is ExprKind.CALL else f"something {how}"
