"""How long a backtracking matcher may look at one text before it gives up.

Two ways round one loop on the same text double the work with each round; two loops in a row on the same text make it
grow with the square (Weber and Seidl 1991). So does a loop that a search enters anew at each place of the text, if
what comes after the loop can fail.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache

from scaffold_cli.anchoring.values.languages import Items, UnreadableError, parsed
from scaffold_cli.anchoring.values.places import Part, Places


class Growth(IntEnum):
    """How the time grows with the length of the text."""

    LINEAR = 0
    POLYNOMIAL = 1
    EXPONENTIAL = 2


@lru_cache(maxsize=512)
def growth(pattern: str, *, is_searched: bool = False) -> Growth:
    """The growth a pattern allows; LINEAR also for patterns too large or too involved to say.

    With `is_searched` it may match anywhere in the text, so that each place is a new start.
    """
    tree = parsed(pattern)
    if tree is None:
        return Growth.LINEAR
    try:
        places = Places()
        whole = places.sequence(tree)
        text = places.start_anywhere(whole, tree) if is_searched else None
    except (UnreadableError, RecursionError):
        return Growth.LINEAR
    if _within(_loops_twice, places):
        return Growth.EXPONENTIAL
    if _within(lambda laid: _loops_in_a_row(laid, text), places):
        return Growth.POLYNOMIAL
    if text is not None and _within(lambda laid: _starts_in_a_loop(laid, text, _failing(laid, whole, tree)), places):
        return Growth.POLYNOMIAL
    return Growth.LINEAR


def _within(asked: Callable[[Places], bool], places: Places) -> bool:
    """The answer to a question about a pattern; False when it takes too many steps."""
    places.steps = 0
    try:
        return asked(places)
    except UnreadableError:
        return False


def _failing(places: Places, whole: Part, tree: Items) -> list[int]:
    """Places a match may stand at and still fail."""
    holds_the_end = str(tree[-1][1]).startswith("AT_END") or str(tree[-1][0]) in ("ASSERT", "ASSERT_NOT")
    ends = frozenset() if holds_the_end else whole.last
    return [place for place in range(len(places.letters)) if place not in ends]


_Pair = tuple[int, int]


def _loops_twice(places: Places) -> bool:
    """True when a place is left and reached again on one text in two ways."""
    if any(start == end or start in places.closed(end) for start, end in places.doubled):
        return True
    moves = _pairs(places)
    for place in range(len(places.letters)):
        start = (place, place)
        ahead = _reached(start, moves, places)
        if any(one != other and start in _reached((one, other), moves, places) for one, other in ahead):
            return True
    return False


def _loops_in_a_row(places: Places, text: int | None) -> bool:
    """True when a text leads round one place of the pattern, from it to another, and round that one."""
    start = len(places.letters) if text is None else text
    loops = [place for place in range(start) if place in places.closed(place)]
    return any(
        one != other and other in places.closed(one) and _reads_alike(one, other, places)
        for one in loops
        for other in loops
    )


def _starts_in_a_loop(places: Places, text: int, failing: list[int]) -> bool:
    """True when a match may start at every place of one text, be in a loop there, and fail in the end."""
    loops = [place for place in failing if place < text and place in places.closed(place)]
    return any(_reads_alike(text, place, places) for place in loops)


def _reads_alike(one: int, other: int, places: Places) -> bool:
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


def _pairs(places: Places) -> dict[_Pair, set[_Pair]]:
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


def _reached(start: _Pair, moves: dict[_Pair, set[_Pair]], places: Places) -> set[_Pair]:
    seen: set[_Pair] = set()
    stack = [start]
    while stack:
        for pair in moves.get(stack.pop(), ()):
            places.step()
            if pair not in seen:
                seen.add(pair)
                stack.append(pair)
    return seen
