"""Which unit before is which unit after, across the whole change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Mined

_SIMILAR = 0.5
"""Least share of common names (Jaccard) for two differently named bodies to be the same function."""
_MIN_NAMES = 3
"""Bodies that mention fewer names than this are too small to be matched by likeness."""
_MAX_CANDIDATES = 400
"""More unmatched units than this on either side, and matching by likeness stops (it is quadratic)."""


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of the same unit, and the units that are on one side only."""

    pairs: tuple[tuple[Mined, Mined], ...]
    removed: tuple[Mined, ...]
    added: tuple[Mined, ...]


def match_units(before: Sequence[Mined], after: Sequence[Mined], renamed: dict[str, str]) -> Matching:
    """Match by path and symbol, symbol, last name, same text, likeness of bodies. `renamed` maps old to new paths."""
    pairs: list[tuple[Mined, Mined]] = []
    rest_before, rest_after = list(before), list(after)
    keys: tuple[tuple[Callable[[Mined], Hashable], Callable[[Mined], Hashable]], ...] = (
        (
            lambda item: (renamed.get(item.unit.path, item.unit.path), item.unit.symbol),
            lambda item: (item.unit.path, item.unit.symbol),
        ),
        (_symbol, _symbol),
        (_short, _short),
    )
    for before_key, after_key in keys:
        found, rest_before, rest_after = _pair_by(rest_before, rest_after, before_key, after_key)
        pairs += found
    found, rest_before, rest_after = _pair_by(rest_before, rest_after, own_text, own_text)
    pairs += found
    found, rest_before, rest_after = _pair_by_likeness(rest_before, rest_after)
    return Matching((*pairs, *found), tuple(rest_before), tuple(rest_after))


def _symbol(item: Mined) -> Hashable:
    return item.unit.symbol or (item.unit.path, id(item))


def _short(item: Mined) -> Hashable:
    return (item.unit.short_name, item.unit.function is None) if item.unit.symbol else (item.unit.path, id(item))


def own_text(item: Mined) -> Hashable:
    """A function's own lines without its name; what mentions nothing is like many others."""
    unit = item.unit
    if unit.function is None or not item.names or not unit.source:
        return id(item)
    first, *others = unit.source
    return (first.replace(unit.short_name, "", 1), *others)


_Split = tuple[list[tuple[Mined, Mined]], list[Mined], list[Mined]]


def _pair_by(
    before: Iterable[Mined],
    after: Iterable[Mined],
    before_key: Callable[[Mined], Hashable],
    after_key: Callable[[Mined], Hashable],
) -> _Split:
    """Pair equal keys; several units of one key (overloads) are paired best first by likeness, then in order."""
    waiting: dict[Hashable, list[Mined]] = defaultdict(list)
    for item in after:
        waiting[after_key(item)].append(item)
    pairs, rest = [], []
    for item in before:
        candidates = waiting.get(before_key(item))
        if not candidates:
            rest.append(item)
            continue
        best = max(candidates, key=lambda other: likeness(item, other)) if len(candidates) > 1 else candidates[0]
        candidates.remove(best)
        pairs.append((item, best))
    return pairs, rest, [item for items in waiting.values() for item in items]


def _pair_by_likeness(before: list[Mined], after: list[Mined]) -> _Split:
    if len(before) > _MAX_CANDIDATES or len(after) > _MAX_CANDIDATES:
        return [], before, after
    scored = sorted(
        (
            (score, i, j)
            for i, item in enumerate(before)
            for j, other in enumerate(after)
            if (score := likeness(item, other)) >= _SIMILAR
        ),
        key=lambda entry: (-entry[0], entry[1], entry[2]),
    )
    used_before: set[int] = set()
    used_after: set[int] = set()
    pairs = []
    for _, i, j in scored:
        if i not in used_before and j not in used_after:
            used_before.add(i)
            used_after.add(j)
            pairs.append((before[i], after[j]))
    rest_before = [item for i, item in enumerate(before) if i not in used_before]
    return pairs, rest_before, [item for j, item in enumerate(after) if j not in used_after]


def likeness(one: Mined, other: Mined) -> float:
    """Jaccard index of the names two bodies mention; 0 when of different sort or too small to say."""
    if (one.unit.function is None) is not (other.unit.function is None):
        return 0.0
    if len(one.names) < _MIN_NAMES or len(other.names) < _MIN_NAMES:
        return 0.0
    return len(one.names & other.names) / len(one.names | other.names)
