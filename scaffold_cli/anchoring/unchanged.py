"""Units that a change does not touch: same text on both sides, and nothing they mention is other than it was.

Their protections are as they were, so they are neither mined nor compared, unless as helpers of what did change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scaffold_cli.anchoring.facts import Mined, Unit
from scaffold_cli.anchoring.library import differing, same_but_lines
from scaffold_cli.anchoring.matching import Matching

Pair = tuple[Mined, Mined]
Around = tuple[Sequence[Mined], Sequence[Mined]]
"""The units of other files that are read, before and after."""


def unchanged_pairs(matching: Matching, around: Around) -> frozenset[int]:
    """Positions of the untouched pairs; `around` are the units of other files at hand, before and after."""
    same = {position for position, pair in enumerate(matching.pairs) if _reads_the_same(pair)}
    touched = _touched(matching, same) | _exchanged(*around)
    return frozenset(position for position in same if not _mentions(matching.pairs[position][0], touched))


def _reads_the_same(pair: Pair) -> bool:
    one, other = pair[0].unit, pair[1].unit
    if not one.lines or one.symbol != other.symbol or one.source != other.source:
        return False
    return same_marks(one, other)


def same_marks(one: Unit, other: Unit) -> bool:
    """True for the same decorators and modifiers, which may stand on lines before the function's own."""
    if one.function is None or other.function is None:
        return one.function is other.function
    marks = (one.function.decorators, other.function.decorators)
    return one.function.modifiers == other.function.modifiers and same_but_lines(*marks)


def _touched(matching: Matching, same: set[int]) -> frozenset[str]:
    """Names of functions that changed, came or went, and of constants and one-line functions that read otherwise."""
    changed = [item for position, pair in enumerate(matching.pairs) if position not in same for item in pair]
    items = (*changed, *matching.removed, *matching.added)
    names = {item.unit.short_name for item in items if item.unit.function is not None}
    libraries = {(id(one.library), id(other.library)): (one.library, other.library) for one, other in matching.pairs}
    for before, after in libraries.values():
        names |= differing(before, after)
    return frozenset(names)


def _exchanged(before: Iterable[Mined], after: Iterable[Mined]) -> set[str]:
    """Names of functions in files that only one side reads."""
    old, new = ({(item.unit.path, item.unit.symbol) for item in side} for side in (before, after))
    return {symbol.rpartition(".")[2] for _, symbol in old ^ new}


def _mentions(item: Mined, touched: frozenset[str]) -> bool:
    return not touched.isdisjoint(item.names) or not touched.isdisjoint(item.calls)
