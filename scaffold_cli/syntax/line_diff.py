"""How many lines of code a change adds and deletes.

Two steps. Statements that are unique on both sides and equal up to line breaks are paired first (patience
diff: the longest rising run of such pairs), so re-wrapping counts nothing. What lies between is compared
line by line by the exact length of the longest common subsequence, computed with bit vectors (Hyyrö 2004,
"Bit-parallel LCS-length computation revisited"): n additions of m-bit numbers, about a second for two
texts of 100,000 lines with nothing in common.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.lines import Statement, statements

_FREQUENT = 64


def code_diff(before: bytes | None, after: bytes | None, path: str, before_path: str = "") -> tuple[int, int]:
    """(added, deleted) lines of code between two sides of a file; None is a side that does not exist.

    `before_path` is the old name of a renamed file: each side is read as the language of its own name.
    """
    if before == after:
        return 0, 0
    old = statements(decode(before), before_path or path) if before is not None else []
    new = statements(decode(after), path) if after is not None else []
    return _count(old, new)


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    shared = set(first) & set(second)
    where: dict[str, list[int]] = {item: [] for item in shared}
    size = 0
    for item in first:
        if item in shared:
            where[item].append(size)
            size += 1
    everything = (1 << size) - 1
    frequent = {item: _bits(places, size) for item, places in where.items() if len(places) > _FREQUENT}
    row = everything
    for item in second:
        if item in shared:
            hits = row & (frequent[item] if item in frequent else _bits(where[item], size))
            row = ((row + hits) | (row - hits)) & everything
    return size - row.bit_count()


def _bits(places: Sequence[int], size: int) -> int:
    """The number whose bits at `places` are set. Kept for frequent items only: one for each line fills the memory."""
    packed = bytearray(size // 8 + 1)
    for place in places:
        packed[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(packed, "little")


def _count(old: Sequence[Statement], new: Sequence[Statement]) -> tuple[int, int]:
    added = deleted = 0
    start_old = start_new = 0
    for at_old, at_new in [*_anchors(old, new), (len(old), len(new))]:
        more, less = _count_gap(old[start_old:at_old], new[start_new:at_new])
        added, deleted = added + more, deleted + less
        start_old, start_new = at_old + 1, at_new + 1
    return added, deleted


def _count_gap(old: Sequence[Statement], new: Sequence[Statement]) -> tuple[int, int]:
    """Both counts of a stretch without unique common statements."""
    shortest = min(len(old), len(new))
    head = 0
    while head < shortest and old[head].key == new[head].key:
        head += 1
    tail = 0
    while tail < shortest - head and old[-1 - tail].key == new[-1 - tail].key:
        tail += 1
    lines_old = [line for statement in old[head : len(old) - tail] for line in statement.lines]
    lines_new = [line for statement in new[head : len(new) - tail] for line in statement.lines]
    common = common_length(lines_old, lines_new) if lines_old and lines_new else 0
    return len(lines_new) - common, len(lines_old) - common


def _anchors(old: Sequence[Statement], new: Sequence[Statement]) -> list[tuple[int, int]]:
    """Pairs of positions of statements that occur once on each side, rising on both sides, as many as can be."""
    place_new = _unique(new)
    pairs = [(at, place_new[key]) for key, at in _unique(old).items() if key in place_new]
    pairs.sort()
    tops: list[int] = []
    piles: list[int] = []
    previous: list[int] = []
    for index, (_, at_new) in enumerate(pairs):
        pile = bisect_left(tops, at_new)
        previous.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(at_new)
            piles.append(index)
        else:
            tops[pile] = at_new
            piles[pile] = index
    chain: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        chain.append(pairs[index])
        index = previous[index]
    return chain[::-1]


def _unique(found: Sequence[Statement]) -> dict[str, int]:
    counts = Counter(statement.key for statement in found)
    return {statement.key: at for at, statement in enumerate(found) if counts[statement.key] == 1}
