"""How long a backtracking matcher may look at one text before it gives up.

The pattern becomes an automaton without empty moves, one state for each place of a character (Glushkov 1961). Two ways
round one loop on the same text double the work with each round; two loops in a row on the same text make it grow
with the square (Weber and Seidl 1991).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any

from scaffold_cli.anchoring.values.languages import Items, UnreadableError, charset, parsed

_MAX_PLACES = 60
_MAX_STEPS = 30_000
"""Moves tried for one pattern; what is not found by then is not told."""
_ENDLESS = 50
"""Repetitions beyond which a loop counts as endless."""


class Growth(IntEnum):
    """How the time grows with the length of the text."""

    LINEAR = 0
    POLYNOMIAL = 1
    EXPONENTIAL = 2


@lru_cache(maxsize=256)
def growth(pattern: str) -> Growth:
    """The growth a pattern allows; LINEAR also for patterns too large or too involved to say."""
    tree = parsed(pattern)
    if tree is None:
        return Growth.LINEAR
    try:
        places = _Places()
        places.sequence(tree)
    except (UnreadableError, RecursionError):
        return Growth.LINEAR
    if _within(_loops_twice, places):
        return Growth.EXPONENTIAL
    return Growth.POLYNOMIAL if _within(_loops_in_a_row, places) else Growth.LINEAR


def _within(asked: Callable[[_Places], bool], places: _Places) -> bool:
    """The answer to a question about a pattern; False when it takes too many steps."""
    places.steps = 0
    try:
        return asked(places)
    except UnreadableError:
        return False


@dataclass(slots=True)
class _Part:
    """A part of a pattern: places it may begin and end with, and whether it may be empty."""

    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    is_empty: bool = True


@dataclass(slots=True)
class _Places:
    """The characters each place reads, and which places may follow it."""

    letters: list[frozenset[int]] = field(default_factory=list)
    following: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    doubled: set[tuple[int, int]] = field(default_factory=set)
    """Moves that two loops make."""
    steps: int = 0

    def step(self) -> None:
        """Count one move; raises UnreadableError when a pattern takes too many."""
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise UnreadableError

    def sequence(self, items: Items) -> _Part:
        """Lay out the items one after the other."""
        whole = _Part()
        for kind, value in items:
            part = self._item(str(kind), value)
            self._join(whole, part)
            whole = _Part(
                whole.first | part.first if whole.is_empty else whole.first,
                part.last | whole.last if part.is_empty else part.last,
                whole.is_empty and part.is_empty,
            )
        return whole

    def _join(self, one: _Part, other: _Part) -> None:
        for place in one.last:
            self.doubled |= {(place, end) for end in other.first & self.following[place]}
            self.following[place] |= other.first

    def _item(self, kind: str, value: Any) -> _Part:
        if kind == "AT":
            return _Part()
        if kind == "SUBPATTERN":
            return self.sequence(value[3])
        if kind == "BRANCH":
            parts = [self.sequence(branch) for branch in value[1]]
            return _Part(
                frozenset().union(*(part.first for part in parts)),
                frozenset().union(*(part.last for part in parts)),
                any(part.is_empty for part in parts),
            )
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(int(value[0]), int(value[1]), value[2])
        letters = charset(kind, value)
        if len(self.letters) >= _MAX_PLACES:
            raise UnreadableError
        self.letters.append(letters)
        place = frozenset({len(self.letters) - 1})
        return _Part(place, place, False)

    def _repeat(self, least: int, most: int, body: Items) -> _Part:
        part = self.sequence(body)
        if most > _ENDLESS:
            self._join(part, part)
        return _Part(part.first, part.last, part.is_empty or least == 0)


_Pair = tuple[int, int]


def _loops_twice(places: _Places) -> bool:
    """True when a place is left and reached again on one text in two ways."""
    if any(start == end or start in _closed(end, places) for start, end in places.doubled):
        return True
    moves = _pairs(places)
    for place in range(len(places.letters)):
        start = (place, place)
        ahead = _reached(start, moves, places)
        if any(one != other and start in _reached((one, other), moves, places) for one, other in ahead):
            return True
    return False


def _loops_in_a_row(places: _Places) -> bool:
    """True when a text leads round one place, from it to another, and round that one."""
    loops = [place for place in range(len(places.letters)) if place in _closed(place, places)]
    for one in loops:
        for other in loops:
            if one != other and other in _closed(one, places) and _reads_alike(one, other, places):
                return True
    return False


def _closed(place: int, places: _Places) -> set[int]:
    """Places reached from `place` by one character or more."""
    seen: set[int] = set()
    stack = [place]
    while stack:
        for other in places.following.get(stack.pop(), ()):
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return seen


def _reads_alike(one: int, other: int, places: _Places) -> bool:
    """Search the triples for (one, one, other) leading to (one, other, other) on a common text."""
    start, goal = (one, one, other), (one, other, other)
    seen = {start}
    stack = [start]
    while stack:
        first, second, third = stack.pop()
        for a in places.following.get(first, ()):
            for b in places.following.get(second, ()):
                places.step()
                common = places.letters[a] & places.letters[b]
                if not common:
                    continue
                for c in places.following.get(third, ()):
                    places.step()
                    if common & places.letters[c] and (a, b, c) not in seen:
                        if (a, b, c) == goal:
                            return True
                        seen.add((a, b, c))
                        stack.append((a, b, c))
    return False


def _pairs(places: _Places) -> dict[_Pair, set[_Pair]]:
    moves: dict[_Pair, set[_Pair]] = {}
    stack = [(place, place) for place in range(len(places.letters))]
    while stack:
        pair = stack.pop()
        if pair in moves:
            continue
        ends = set()
        for a in places.following.get(pair[0], ()):
            for b in places.following.get(pair[1], ()):
                places.step()
                if places.letters[a] & places.letters[b]:
                    ends.add((a, b))
        moves[pair] = ends
        stack += ends
    return moves


def _reached(start: _Pair, moves: dict[_Pair, set[_Pair]], places: _Places) -> set[_Pair]:
    seen: set[_Pair] = set()
    stack = [start]
    while stack:
        for pair in moves.get(stack.pop(), ()):
            places.step()
            if pair not in seen:
                seen.add(pair)
                stack.append(pair)
    return seen
