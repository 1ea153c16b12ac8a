"""Regular expressions as languages: which of two accepts more, told by automata (Thompson's construction, subsets).

Characters are taken apart into the classes the two patterns tell from each other. Patterns that look around, refer back
or grow too large say nothing.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Any

_ALPHABET = 257
"""Latin-1, and one letter for all other characters."""
_MAX_STATES = 800
_MAX_SUBSETS = 600
_MAX_COPIES = 140
"""Longest counted repetition that is written out; a larger bound counts as none."""
ALL_LETTERS = frozenset(range(_ALPHABET))
_LINE_END = frozenset({10})

Items = Sequence[tuple[Any, Any]]


class Relation(Enum):
    """How the texts two patterns accept relate; UNKNOWN also when neither holds the other."""

    SAME = "same"
    WIDER = "wider"
    NARROWER = "narrower"
    UNKNOWN = "unknown"


class UnreadableError(Exception):
    """The pattern is no plain regular expression, or too large."""


@lru_cache(maxsize=512)
def parsed(pattern: str) -> Items | None:
    """The parse tree of a pattern (of Python's own parser), or None when it is none."""
    from re import _parser as parser  # type: ignore[attr-defined]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return tuple(parser.parse(pattern))
        except (re.error, OverflowError, RecursionError):
            return None


@lru_cache(maxsize=256)
def relation(old: str, new: str) -> Relation:
    """What `new` accepts against `old`, where both must match a text as a whole but for an end only one is held to."""
    trees = parsed(old), parsed(new)
    if trees[0] is None or trees[1] is None:
        return Relation.UNKNOWN
    try:
        machines = [_Machine(), _Machine()]
        ends = [_anchors(tree) for tree in trees if tree is not None]
        for machine, tree, mine, other in zip(machines, trees, ends, ends[::-1], strict=True):
            assert tree is not None
            machine.build(tree, open_start=other[0] and not mine[0], open_end=other[1] and not mine[1])
        letters = _classes(machines)
        grows, shrinks = _escapes(machines[1], machines[0], letters), _escapes(machines[0], machines[1], letters)
    except (UnreadableError, RecursionError):
        return Relation.UNKNOWN
    return {
        (False, False): Relation.SAME,
        (True, False): Relation.WIDER,
        (False, True): Relation.NARROWER,
        (True, True): Relation.UNKNOWN,
    }[grows, shrinks]


def _anchors(tree: Items) -> tuple[bool, bool]:
    """Whether a pattern is held to the start and to the end of the text."""
    first, last = (tree[0], tree[-1]) if tree else ((None, None), (None, None))
    return str(first[1]).startswith("AT_BEGINNING"), str(last[1]).startswith("AT_END")


class _Machine:
    """A nondeterministic automaton: for each state, empty moves and moves on a set of characters."""

    def __init__(self) -> None:
        self.empty: list[list[int]] = []
        self.moves: list[list[tuple[frozenset[int], int]]] = []
        self.final = 0

    def build(self, tree: Items, *, open_start: bool, open_end: bool) -> None:
        """Make this the automaton of `tree`, with anything before or after it where an end is open."""
        start = self._state()
        first = self._loop(start) if open_start else start
        last = self._sequence(tree, first)
        self.final = self._loop(last) if open_end else last

    def _state(self) -> int:
        if len(self.empty) >= _MAX_STATES:
            raise UnreadableError
        self.empty.append([])
        self.moves.append([])
        return len(self.empty) - 1

    def _loop(self, start: int) -> int:
        state = self._state()
        self.empty[start].append(state)
        self.moves[state].append((ALL_LETTERS, state))
        return state

    def _sequence(self, items: Items, start: int) -> int:
        for kind, value in items:
            start = self._item(str(kind), value, start)
        return start

    def _item(self, kind: str, value: Any, start: int) -> int:
        if kind == "AT":
            return self._at(str(value), start)
        if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeat(value, start)
        if kind == "SUBPATTERN":
            return self._sequence(value[3], start)
        if kind == "ATOMIC_GROUP":
            return self._sequence(value, start)
        end = self._state()
        if kind == "BRANCH":
            for branch in value[1]:
                self.empty[self._sequence(branch, start)].append(end)
        else:
            self.moves[start].append((charset(kind, value), end))
        return end

    def _at(self, where: str, start: int) -> int:
        if where == "AT_END":
            end = self._state()
            self.empty[start].append(end)
            self.moves[start].append((_LINE_END, end))
            return end
        if where not in ("AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END_STRING"):
            raise UnreadableError
        return start

    def _repeat(self, value: Any, start: int) -> int:
        least, most, body = int(value[0]), int(value[1]), value[2]
        if least > _MAX_COPIES:
            raise UnreadableError
        for _ in range(least):
            start = self._sequence(body, start)
        end = self._state()
        self.empty[start].append(end)
        if most > _MAX_COPIES:
            again = self._state()
            self.empty[start].append(again)
            self.empty[self._sequence(body, again)].append(end)
            self.empty[end].append(again)
            return end
        for _ in range(most - least):
            start = self._sequence(body, start)
            self.empty[start].append(end)
        return end

    def closure(self, states: Iterable[int]) -> frozenset[int]:
        """All states reached without reading a character."""
        seen = set(states)
        stack = list(seen)
        while stack:
            for other in self.empty[stack.pop()]:
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return frozenset(seen)

    def step(self, states: Iterable[int], letter: int) -> frozenset[int]:
        """Where the automaton may be after one character."""
        return self.closure(end for state in states for letters, end in self.moves[state] if letter in letters)


def charset(kind: str, value: Any) -> frozenset[int]:
    """The characters one item matches; raises for items that are more than one character."""
    if kind == "LITERAL":
        return frozenset({min(value, _ALPHABET - 1)})
    if kind == "NOT_LITERAL":
        return ALL_LETTERS - {min(value, _ALPHABET - 1)}
    if kind == "ANY":
        return ALL_LETTERS - _LINE_END
    if kind == "RANGE":
        return frozenset(range(min(value[0], _ALPHABET - 1), min(value[1], _ALPHABET - 1) + 1))
    if kind == "CATEGORY":
        return _category(str(value))
    if kind != "IN":
        raise UnreadableError
    found = frozenset(letter for part in value if str(part[0]) != "NEGATE" for letter in charset(str(part[0]), part[1]))
    return ALL_LETTERS - found if str(value[0][0]) == "NEGATE" else found


def _category(name: str) -> frozenset[int]:
    escapes = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
    escape = escapes.get(name.rpartition("_")[2])
    if escape is None:
        raise UnreadableError
    found = frozenset(letter for letter in range(256) if re.match(escape, chr(letter)))
    return ALL_LETTERS - found if "NOT" in name else found


def _classes(machines: Iterable[_Machine]) -> list[int]:
    """One character for each class that no set of either automaton takes apart."""
    sets = {letters for machine in machines for moves in machine.moves for letters, _ in moves}
    known: dict[tuple[bool, ...], int] = {}
    for letter in range(_ALPHABET):
        known.setdefault(tuple(letter in letters for letters in sets), letter)
    return list(known.values())


def _escapes(one: _Machine, other: _Machine, letters: Sequence[int]) -> bool:
    """True when `one` accepts a text that `other` does not."""
    start = (one.closure((0,)), other.closure((0,)))
    seen = {start}
    stack = [start]
    while stack:
        mine, theirs = stack.pop()
        if one.final in mine and other.final not in theirs:
            return True
        for letter in letters:
            following = one.step(mine, letter)
            if not following:
                continue
            pair = (following, other.step(theirs, letter))
            if pair not in seen:
                if len(seen) >= _MAX_SUBSETS:
                    raise UnreadableError
                seen.add(pair)
                stack.append(pair)
    return False
