"""Argument lists to try on a function: the same for the same two versions of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from scaffold_cli.witness.hints import Hints, hints
from scaffold_cli.witness.target import Target
from scaffold_cli.witness.values import values

Case = tuple[str, ...]
"""One expression for each parameter of the old function."""

_MOST = 300
"""Argument lists tried on one function."""
_ORDINARY = 4
"""Ordinary values of the other parameters that an odd one is combined with."""
_SEED = 20260308


def cases(target: Target) -> list[Case]:
    """One odd argument among ordinary ones first, then seeded mixtures."""
    pools = [values(hint) for hint in merged(target)]
    if not pools:
        return [()]
    found = dict.fromkeys(islice(_one_odd(pools), _MOST * 2 // 3))
    dice = random.Random(_SEED)  # noqa: S311 - it picks inputs to try, nothing secret
    for _ in range(_MOST - len(found)):
        found.setdefault(tuple(dice.choice(pool) for pool in pools))
    return list(found)


def merged(target: Target) -> list[Hints]:
    """What either version says about the parameters of the old one."""
    old, new = hints(target.old, target.before), hints(target.new, target.after)
    for one, other in zip(old, new, strict=False):
        if one.name == other.name:
            one.attributes |= other.attributes
            one.methods |= other.methods
    return old


def _one_odd(pools: list[list[str]]) -> Iterator[Case]:
    for ordinary in range(_ORDINARY if len(pools) > 1 else 1):
        for rank in range(max(map(len, pools))):
            for odd, pool in enumerate(pools):
                if rank < len(pool):
                    yield tuple(
                        pool[rank] if index == odd else other[min(ordinary, len(other) - 1)]
                        for index, other in enumerate(pools)
                    )
