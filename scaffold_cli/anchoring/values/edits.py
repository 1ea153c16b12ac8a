"""Edits: the smallest expressions in which two versions of a unit differ, statement by statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_MAX_STATEMENTS = 1500
"""Larger units (in statements, of either side) are not aligned."""
_MAX_BLOCK = 80
"""Larger runs of changed statements are not paired; they are rewritten, not edited."""
_LIKE = 0.34
"""Least share of common words (Jaccard) for two changed statements to be the same one, edited."""
plain = Normaliser(Scope.of((), ()), inline=False).render
"""How an expression is spelled, all names kept."""
_WORDED = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.KEYWORD, ExprKind.STRING, ExprKind.NUMBER})


@dataclass(frozen=True, slots=True)
class Edit:
    """One expression that became another. `old` or `new` is None where an argument or item came or went.

    `around` and `around_new` are the expressions it stands in on either side, outermost first.
    """

    old: Expr | None
    new: Expr | None
    around: tuple[Expr, ...]
    around_new: tuple[Expr, ...]
    statement: Stmt
    statement_new: Stmt

    def is_of(self, kind: ExprKind) -> bool:
        """True when both sides are there and of this kind."""
        return self.old is not None and self.new is not None and self.old.kind is kind is self.new.kind

    def calls_around(self) -> Iterator[Expr]:
        """Calls on the after side in which the edited place is an argument, innermost first."""
        inner: Expr | None = self.new
        for node in reversed(self.around_new):
            if node.kind is ExprKind.CALL and (inner is None or node.parts[0] is not inner):
                yield node
            inner = node


@dataclass(frozen=True, slots=True)
class UnitEdits:
    """Everything that differs between two versions of a unit, and the statements that are on one side only."""

    before: Mined
    after: Mined
    edits: tuple[Edit, ...]
    gone: tuple[Stmt, ...]
    come: tuple[Stmt, ...]


def edits_of(before: Mined, after: Mined) -> UnitEdits:
    """Align the statements of both versions and compare those that correspond."""
    old, new = _Side(before), _Side(after)
    if len(old.statements) > _MAX_STATEMENTS or len(new.statements) > _MAX_STATEMENTS:
        return UnitEdits(before, after, (), (), ())
    pairs: list[tuple[Stmt, Stmt]] = []
    swaps: list[tuple[Stmt, Stmt]] = []
    gone: list[Stmt] = []
    come: list[Stmt] = []
    matcher = SequenceMatcher(None, old.keys, new.keys, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            swaps += zip(old.statements[start:end], new.statements[new_start:new_end], strict=True)
            continue
        found = _paired(old.statements[start:end], new.statements[new_start:new_end])
        pairs += found
        taken, taken_new = {id(one) for one, _ in found}, {id(other) for _, other in found}
        gone += [item for item in old.statements[start:end] if id(item) not in taken]
        come += [item for item in new.statements[new_start:new_end] if id(item) not in taken_new]
    edits = [edit for one, other in pairs for edit in _statement_edits(one, other, old, new)]
    known = before.names | before.defined
    edits += [
        edit for one, other in swaps for edit in _swaps(one, other) if edit.new is not None and edit.new.text in known
    ]
    return UnitEdits(before, after, tuple(edits), tuple(gone), tuple(come))


def _swaps(one: Stmt, other: Stmt) -> Iterator[Edit]:
    """Local names that differ in statements that are equal but for them."""
    stack: list[tuple[Expr, Expr, tuple[Expr, ...], tuple[Expr, ...]]] = [
        (left, right, (), ()) for left, right in zip(one.exprs, other.exprs, strict=False)
    ]
    while stack:
        left, right, around, around_new = stack.pop()
        if left.kind is ExprKind.NAME and right.kind is ExprKind.NAME:
            if left.text != right.text:
                yield Edit(left, right, around, around_new, one, other)
        elif len(left.parts) == len(right.parts):
            inner, inner_new = (*around, left), (*around_new, right)
            stack += [
                (part, part_new, inner, inner_new) for part, part_new in zip(left.parts, right.parts, strict=True)
            ]


class _Side:
    """One version: its statements and how they are spelled, local names blanked."""

    def __init__(self, item: Mined) -> None:
        self.render = Normaliser(item.scope, shape=True, inline=False).render
        self.statements = [statement for statement in item.reading.statements if statement.exprs]
        self.keys = [(item.kind, *map(self.render, item.exprs)) for item in self.statements]


def _paired(old: Sequence[Stmt], new: Sequence[Stmt]) -> list[tuple[Stmt, Stmt]]:
    """Statements of a changed run that are the same one edited, best likeness first."""
    if not old or not new or len(old) > _MAX_BLOCK or len(new) > _MAX_BLOCK:
        return []
    spoken, spoken_new = [_words(item) for item in old], [_words(item) for item in new]
    scored = sorted(
        (-score, abs(i - j), i, j)
        for i, one in enumerate(old)
        for j, other in enumerate(new)
        if (score := _likeness(one, other, spoken[i], spoken_new[j])) >= _LIKE
    )
    used: set[int] = set()
    used_new: set[int] = set()
    pairs = []
    for _, _, i, j in scored:
        if i not in used and j not in used_new:
            used.add(i)
            used_new.add(j)
            pairs.append((i, j))
    return [(old[i], new[j]) for i, j in sorted(pairs)]


def _likeness(one: Stmt, other: Stmt, spoken: frozenset[str], spoken_new: frozenset[str]) -> float:
    if _sort(one) != _sort(other):
        return 0.0
    shared = len(spoken & spoken_new) / (len(spoken | spoken_new) or 1)
    return shared + 0.5 * (_head(one) == _head(other))


def _sort(statement: Stmt) -> StmtKind:
    """Statements that do something with a value may become one another; those that test one may not."""
    return StmtKind.EXPR if statement.kind in (StmtKind.ASSIGN, StmtKind.RETURN) else statement.kind


def _head(statement: Stmt) -> str:
    first = statement.exprs[0]
    if statement.kind is StmtKind.ASSIGN:
        return statement.exprs[-1].text
    return callee(first) if first.kind is ExprKind.CALL else f"{statement.kind}"


def _words(statement: Stmt) -> frozenset[str]:
    texts = (node.text for part in statement.exprs for node in part.walk() if node.kind in _WORDED)
    return frozenset(word for text in texts for word in words(text) or (text,))


def _statement_edits(one: Stmt, other: Stmt, old: _Side, new: _Side) -> Iterator[Edit]:
    for left, right in _aligned(one.exprs, other.exprs, old, new):
        yield from _edits(left, right, (), (), (one, other), (old, new))


_Sides = tuple[_Side, _Side]


def _edits(
    left: Expr | None,
    right: Expr | None,
    around: tuple[Expr, ...],
    around_new: tuple[Expr, ...],
    statements: tuple[Stmt, Stmt],
    sides: _Sides,
) -> Iterator[Edit]:
    if left is not None and right is not None:
        if sides[0].render(left) == sides[1].render(right):
            return
        if _is_same_frame(left, right):
            inner, inner_new = (*around, left), (*around_new, right)
            for one, other in _aligned(left.parts, right.parts, *sides):
                yield from _edits(one, other, inner, inner_new, statements, sides)
            return
    yield Edit(left, right, around, around_new, *statements)


def _is_same_frame(left: Expr, right: Expr) -> bool:
    """True when two expressions differ only in their parts."""
    if left.kind is not right.kind or left.text != right.text or not left.parts or not right.parts:
        return False
    return left.kind is not ExprKind.CALL or callee(left) == callee(right)


def _aligned(
    old: Sequence[Expr], new: Sequence[Expr], side: _Side, side_new: _Side
) -> Iterator[tuple[Expr | None, Expr | None]]:
    """Parts that correspond: by position where there are as many, else by what stays equal around them."""
    if len(old) == len(new):
        yield from zip(old, new, strict=True)
        return
    keys, keys_new = [_label(part, side) for part in old], [_label(part, side_new) for part in new]
    for tag, start, end, new_start, new_end in SequenceMatcher(None, keys, keys_new, autojunk=False).get_opcodes():
        lefts, rights = old[start:end], new[new_start:new_end]
        if tag == "equal":
            yield from zip(lefts, rights, strict=True)
            continue
        shared = min(len(lefts), len(rights))
        yield from zip(lefts[:shared], rights[:shared], strict=True)
        yield from ((left, None) for left in lefts[shared:])
        yield from ((None, right) for right in rights[shared:])


def _label(part: Expr, side: _Side) -> str:
    return f"{part.text}=" if part.kind is ExprKind.KEYWORD else side.render(part)
