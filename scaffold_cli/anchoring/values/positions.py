"""Where a text is looked for, and what is cut off before it is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_AT_AN_END = frozenset({"startswith", "startsWith", "endswith", "endsWith", "hasPrefix", "hasSuffix"})
_FINDING = frozenset({"find", "indexOf", "index"})
_ANYWHERE = frozenset({("!=", "-1"), (">", "-1"), (">=", "0")})
_BOTH_SIDES = frozenset({"strip", "trim"})
_ONE_SIDE = frozenset({"lstrip", "rstrip", "stripLeading", "stripTrailing"})


class _Place(NamedTuple):
    """Where `text` must stand in `subject`: at an end of it, or anywhere."""

    subject: str
    text: str
    at_an_end: bool


def looser_positions(versions: Versions) -> Iterator[Shift]:
    """A text that had to stand at the start or end, and lets pass now wherever it stands."""
    for edit in versions.edits.edits:
        old, new = _place(edit.old), _place(edit.new)
        if old is None or new is None or not old.at_an_end or new.at_an_end or old[:2] != new[:2]:
            continue
        if edit.old is not None and _lets_pass(edit, versions.before):
            because, how = f"{old.text} must stand at an end of {old.subject}", "it may now stand anywhere"
            yield shift(plain(edit.old), edit.old.line, because, how, entry="validation")


def _place(node: Expr | None) -> _Place | None:
    if node is None or len(node.parts) != 2:
        return None
    if node.kind is ExprKind.CALL:
        return _called_place(node)
    return _compared_place(node) if node.kind is ExprKind.COMPARE else None


def _called_place(call: Expr) -> _Place | None:
    """``subject.startswith(text)``, ``subject.contains(text)``."""
    function, text = call.parts
    if function.kind is not ExprKind.ATTRIBUTE or function.text not in _AT_AN_END | {"contains"}:
        return None
    return _Place(plain(function.parts[0]), plain(text), function.text in _AT_AN_END)


def _compared_place(node: Expr) -> _Place | None:
    """``text in subject``, ``subject.find(text) == 0``, ``subject.indexOf(text) != -1``."""
    one, other = node.parts
    if node.text == "in":
        return _Place(plain(other), plain(one), at_an_end=False)
    is_start = (node.text, other.text) == ("==", "0")
    if not is_start and (node.text, other.text) not in _ANYWHERE:
        return None
    if one.kind is not ExprKind.CALL or len(one.parts) != 2 or callee(one) not in _FINDING or not one.parts[0].parts:
        return None
    return _Place(plain(one.parts[0].parts[0]), plain(one.parts[1]), is_start)


def _lets_pass(edit: Edit, unit: Mined) -> bool:
    """True when work goes on, or an answer is yes, where the edited condition holds."""
    holds = sum(node.kind is ExprKind.NOT for node in edit.around) % 2 == 0
    statement = edit.statement
    if statement.kind is StmtKind.RETURN:
        wanted = Polarity.POSITIVE if holds else Polarity.NEGATIVE
        return polarity_of(unit.unit.short_name) is wanted
    if statement.kind is not StmtKind.IF:
        return False
    tops = [test for test in statement.exprs if test is edit.old or (edit.around and test is edit.around[0])]
    if not tops:
        return False
    refusal = refusal_of(statement.blocks[statement.exprs.index(tops[0])])
    return (refusal is not None and refusal.is_refusing) is not holds


def wider_trims(versions: Versions) -> Iterator[Shift]:
    """Only some characters or one side were cut off a value before it was checked; now all white space is."""
    old, new = dict(_trims(versions.before)), dict(_trims(versions.after))
    for name, call in old.items():
        other = new.get(name)
        if other is None or not _is_wider(other, call) or name not in _refused(versions.after):
            continue
        because, how = f"{name} is checked as it came", f"{callee(other)}() now cuts more off before the check"
        yield shift(plain(call), call.line, because, how, entry="validation")


def _trims(item: Mined) -> Iterator[tuple[str, Expr]]:
    """Names that are given a trimmed value, with the call that trims."""
    for statement in item.reading.statements:
        call = statement.exprs[0] if statement.kind is StmtKind.ASSIGN else None
        if call is not None and call.kind is ExprKind.CALL and callee(call) in _BOTH_SIDES | _ONE_SIDE:
            yield from ((target.text, call) for target in statement.exprs[1:] if target.kind is ExprKind.NAME)


def _is_wider(one: Expr, other: Expr) -> bool:
    sides = (callee(one) in _BOTH_SIDES) - (callee(other) in _BOTH_SIDES)
    characters = (len(one.parts) == 1) - (len(other.parts) == 1)
    return min(sides, characters) >= 0 and max(sides, characters) > 0


def _refused(item: Mined) -> set[str]:
    """Names that a condition asks about which ends in an error."""
    found: set[str] = set()
    for statement in item.reading.statements:
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                refusal = refusal_of(branch)
                if refusal is not None and refusal.kind == "raise":
                    found.update(names_in(test))
    return found
