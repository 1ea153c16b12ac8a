"""The learnt weights: small decision trees whose sum is the log-odds that a change takes a protection away.

Fitted by ``python -m benchmarks.suspicion`` (gradient boosting on changes of several hundred projects).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from scaffold_cli.anchoring.suspicion.signs import Signs
from scaffold_cli.resources import data_folder

_LEAF = -1


@dataclass(frozen=True, slots=True)
class Tree:
    """One tree in parallel lists: node `i` asks whether feature `features[i]` is at most `limits[i]`; -1 is a leaf."""

    features: tuple[int, ...]
    limits: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    values: tuple[float, ...]

    def value(self, row: list[float]) -> float:
        """The leaf's share of the log-odds for a row of features."""
        node = 0
        while self.features[node] != _LEAF:
            below = row[self.features[node]] <= self.limits[node]
            node = (self.left if below else self.right)[node]
        return self.values[node]


@dataclass(frozen=True, slots=True)
class Forest:
    """All trees, what they ask, and the probability from which a change is suspicious."""

    names: tuple[str, ...]
    trees: tuple[Tree, ...]
    base: float
    limit: float

    def score(self, signs: Signs) -> float:
        """The probability, 0 to 1, that a change with these signs takes a protection away."""
        known = features(signs)
        row = [known.get(name, 0.0) for name in self.names]
        odds = self.base + sum(tree.value(row) for tree in self.trees)
        return 1.0 / (1.0 + math.exp(-odds))


def features(signs: Signs) -> Mapping[str, float]:
    """What the trees ask about: logarithms of counts, and of what is gone against what is new."""
    found = {name: math.log1p(count) for name, count in signs.items() if count}
    for name in {sign[1:] for sign, count in signs.items() if sign[0] in "-+" and count}:
        found[f"±{name}"] = found.get(f"-{name}", 0.0) - found.get(f"+{name}", 0.0)
    for name in ("lines", "statements"):
        gone, come = signs[f"-{name}"], signs[f"+{name}"]
        found[f"share of {name} gone"] = (gone - come) / (gone + come + 1)
    return found


@lru_cache(maxsize=2)
def load(path: Path | None = None) -> Forest:
    """The shipped forest, or the one in `path`."""
    kept = json.loads((path or data_folder("anchors") / "suspicion.json").read_bytes())
    return Forest(tuple(kept["names"]), tuple(map(_tree, kept["trees"])), kept["base"], kept["limit"])


def _tree(nodes: list[list[Any]]) -> Tree:
    return Tree(*(tuple(column) for column in zip(*nodes, strict=True)))
