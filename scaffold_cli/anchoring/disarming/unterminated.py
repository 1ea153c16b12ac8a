"""Texts of C that lose their end: the NUL behind a copy is gone, or is written behind the last place there is."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, spelled
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Language, StmtKind, walk

_COPYING = {"strncpy": 0, "stpncpy": 0, "wcsncpy": 0, "memcpy": 0, "memmove": 0, "read": 1, "recv": 1, "recvfrom": 1,
            "fread": 0, "readlink": 1, "readlinkat": 2, "pread": 1}  # fmt: skip
"""Functions that write and end nothing, and which of their arguments they write to."""
_ENDING = frozenset({"memset", "bzero", "explicit_bzero", "calloc", "kzalloc", "snprintf", "strlcpy", "strscpy"})
_ZERO = frozenset({"0", "\0", "null", "NUL", "false"})


def unterminated(sides: Sides) -> Iterator[Disarmed]:
    """One for each text of a function that was there before."""
    if sides.after.language not in (Language.C, Language.CPP):
        return
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is not None and old.body != function.body:
            yield from _ends(old, function, sides)


def _ends(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    before, after = _ended(old.body), _ended(new.body)
    copied, cleared = _copied(new.body), _cleared(new.body)
    for text, places in before.items():
        if text in copied and text not in after and text not in cleared:
            what = f"`{text}` no longer ends in `{new.name}`, where as much is copied into it as fits."
            yield Disarmed("guard-lost", what, sides.after.path, copied[text], new.name)
        further = {spelled(place.parts[0]): place.line for place in places if _is_last(place)}
        for place in after.get(text, ()):
            if spelled(place) in further and not any(spelled(place) == spelled(other) for other in places):
                what = f"The end of `{text}` is written behind the last place of `{new.name}`."
                yield Disarmed("guard-weakened", what, sides.after.path, place.line, new.name)


def _is_last(index: Expr) -> bool:
    """True for ``n - 1``."""
    return index.kind is ExprKind.BINARY and index.text == "-" and len(index.parts) == 2 and index.parts[1].text == "1"


def _ended(block: Block) -> dict[str, list[Expr]]:
    """Texts into which a zero is written, with the indexes."""
    found: dict[str, list[Expr]] = {}
    for statement in walk(block):
        if statement.kind is StmtKind.ASSIGN and statement.exprs[0].text in _ZERO:
            for target in statement.exprs[1:]:
                if target.kind is ExprKind.SUBSCRIPT:
                    found.setdefault(_name(target.parts[0]), []).append(target.parts[1])
                elif target.kind is ExprKind.UNARY and target.text == "*":
                    found.setdefault(_name(target.parts[0]), []).append(target)
    return found


def _copied(block: Block) -> dict[str, int]:
    found = {}
    for call in calls(block):
        place = _COPYING.get(callee(call))
        if place is not None and len(call.parts) > place + 1:
            found[_name(call.parts[place + 1])] = call.line
    return found


def _cleared(block: Block) -> set[str]:
    """Texts that are filled with zeros, or written by what ends them."""
    given = {_name(part) for call in calls(block) if callee(call) in _ENDING for part in call.parts[1:2]}
    for statement in walk(block):
        if statement.kind is StmtKind.ASSIGN and any(_makes_zeros(node) for node in statement.exprs[0].walk()):
            given |= {_name(target) for target in statement.exprs[1:]}
    return given


def _makes_zeros(value: Expr) -> bool:
    return value.kind is ExprKind.COLLECTION or (value.kind is ExprKind.CALL and callee(value) in _ENDING)


def _name(value: Expr) -> str:
    """``out`` of ``out``, ``out + n``, ``&out[n]`` and ``(char *)out``."""
    while value.kind not in (ExprKind.NAME, ExprKind.ATTRIBUTE) and value.parts:
        value = value.parts[0]
    return value.text
