"""A pattern laid out as an automaton without empty moves: one state for each place of a character (Glushkov 1961).

What looks ahead is a blind alley: it is tried where it stands, and what follows does not come after it. What looks
back, and a group referred to again, reads nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from scaffold_cli.anchoring.values.languages import ALL_LETTERS, Items, UnreadableError, charset

_MAX_PLACES = 70
_MAX_STEPS = 150_000
"""Moves tried for one pattern; what is not found by then is not told."""
_ENDLESS = 50
"""Repetitions beyond which a loop counts as endless."""
_READS_NOTHING = frozenset({"AT", "GROUPREF"})
_LOOKS = frozenset({"ASSERT", "ASSERT_NOT"})
_WORD = charset("CATEGORY", "CATEGORY_WORD")


@dataclass(slots=True)
class Part:
    """A part of a pattern: places it may begin and end with, and whether it may be empty."""

    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()
    is_empty: bool = True


@dataclass(slots=True)
class Places:
    """The places of a pattern and which may follow each."""

    letters: list[int] = field(default_factory=list)
    """For each place the characters it reads, as bits."""
    following: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    doubled: set[tuple[int, int]] = field(default_factory=set)
    """Moves that two loops make."""
    steps: int = 0

    def step(self) -> None:
        """Count one move; raises UnreadableError when a pattern takes too many."""
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise UnreadableError

    def closed(self, place: int) -> set[int]:
        """Places reached from `place` by one character or more."""
        seen: set[int] = set()
        stack = [place]
        while stack:
            for other in self.following.get(stack.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen

    def start_anywhere(self, whole: Part, tree: Items) -> int | None:
        """Put any text before the pattern; the place of that text, or None where the pattern is held to the start."""
        if not tree or str(tree[0][1]).startswith("AT_BEGINNING"):
            return None
        before = _letters_before(tree)
        text = self.place(before)
        self.following[text] |= {text, *whole.first}
        if before != ALL_LETTERS:
            other = self.place(ALL_LETTERS - before)
            self.following[other] |= {text, other}
            self.following[text].add(other)
        return text

    def place(self, letters: frozenset[int]) -> int:
        """A new place that reads one of `letters`; raises UnreadableError when there are too many."""
        if len(self.letters) >= _MAX_PLACES:
            raise UnreadableError
        self.letters.append(sum(1 << letter for letter in letters))
        return len(self.letters) - 1

    def sequence(self, items: Items) -> Part:
        """Lay out the items one after the other."""
        whole = Part()
        for kind, value in items:
            name = str(kind)
            if name in _READS_NOTHING:
                continue
            if name in _LOOKS:
                whole = self._looked_at(value, whole)
                continue
            part = self._item(name, value)
            self._join(whole, part)
            whole = Part(
                whole.first | part.first if whole.is_empty else whole.first,
                part.last | whole.last if part.is_empty else part.last,
                whole.is_empty and part.is_empty,
            )
        return whole

    def _looked_at(self, value: Any, whole: Part) -> Part:
        direction, items = value
        if direction < 0:
            return whole
        part = self.sequence(items)
        self._join(whole, part)
        return Part(whole.first | part.first if whole.is_empty else whole.first, whole.last, whole.is_empty)

    def _join(self, one: Part, other: Part) -> None:
        for place in one.last:
            self.doubled |= {(place, end) for end in other.first & self.following[place]}
            self.following[place] |= other.first

    def _item(self, kind: str, value: Any) -> Part:
        if kind == "SUBPATTERN":
            return self.sequence(value[3])
        if kind == "BRANCH":
            parts = [self.sequence(branch) for branch in value[1]]
            return Part(
                frozenset().union(*(part.first for part in parts)),
                frozenset().union(*(part.last for part in parts)),
                any(part.is_empty for part in parts),
            )
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            return self._repeat(int(value[0]), int(value[1]), value[2])
        place = frozenset({self.place(charset(kind, value))})
        return Part(place, place, False)

    def _repeat(self, least: int, most: int, body: Items) -> Part:
        part = self.sequence(body)
        if most > _ENDLESS:
            self._join(part, part)
        return Part(part.first, part.last, part.is_empty or least == 0)


def _letters_before(tree: Items) -> frozenset[int]:
    """What may stand before a match: all but what a boundary or a single look back at its start rules out."""
    kind, value = str(tree[0][0]), tree[0][1]
    if kind == "AT" and str(value) == "AT_BOUNDARY" and len(tree) > 1:
        first = _first_letters(tree[1])
        return ALL_LETTERS - _WORD if first <= _WORD else _WORD if not first & _WORD else ALL_LETTERS
    if kind in _LOOKS and value[0] < 0 and len(value[1]) == 1:
        try:
            letters = charset(str(value[1][0][0]), value[1][0][1])
        except UnreadableError:
            return ALL_LETTERS
        return letters if kind == "ASSERT" else ALL_LETTERS - letters
    return ALL_LETTERS


def _first_letters(item: tuple[Any, Any]) -> frozenset[int]:
    inner = Places()
    first = inner.sequence((item,)).first
    return frozenset(letter for letter in ALL_LETTERS if any(inner.letters[place] >> letter & 1 for place in first))
