"""Judge many compositions, and count per operator what was rejected and accepted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from random import Random

from benchmarks.operators.compose import Composition, degrading, preserving
from benchmarks.operators.corpus import SourceFile
from benchmarks.operators.judging import judge
from benchmarks.operators.operator import Kind, Operator
from scaffold_cli.model.verdict import LayerStatus

_MISSES = 3
"""Draws that may find no place before an operator is given up."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One composition and what the layer made of it."""

    operator: Operator
    composition: Composition
    status: LayerStatus

    @property
    def is_right(self) -> bool:
        """Rejected where a protection was taken away, accepted where none was."""
        wanted = LayerStatus.PASS if self.operator.kind is Kind.PRESERVING else LayerStatus.FAIL
        return self.status is wanted

    @property
    def blamed(self) -> Operator:
        """The operator a wrong verdict is counted for: of preserving ones, the first that is rejected on its own."""
        made = self.composition
        if not self.is_right and self.operator.kind is Kind.PRESERVING:
            for item, (one, other) in zip(made.applied, pairwise(made.texts), strict=True):
                if judge(one, other, made.file.path).status is not LayerStatus.PASS:
                    return item
        return self.operator


def trials(files: Sequence[SourceFile], item: Operator, count: int, seed: int) -> Iterator[Trial]:
    """`count` compositions that hold `item`, judged; the same for the same seed and files. None when nothing fits."""
    numbers = range(count + _MISSES)
    drawn = (compose(files, Random(f"{seed}:{item.language}:{item.name}:{number}"), item) for number in numbers)
    for composition in islice(filter(None, drawn), count):
        status = judge(composition.before, composition.after, composition.file.path).status
        yield Trial(item, composition, status)


def fits(files: Sequence[SourceFile], item: Operator, seed: int) -> bool:
    """True when some file offers the operator a place."""
    draws = (Random(f"{seed}:{item.language}:{item.name}:{number}") for number in range(_MISSES))
    return any(compose(files, draw, item) is not None for draw in draws)


def compose(files: Sequence[SourceFile], random: Random, item: Operator) -> Composition | None:
    """A composition that holds `item`, on a random file that offers a place; None when no file does."""
    fitting = [file for file in files if file.language is item.language]
    make = preserving if item.kind is Kind.PRESERVING else degrading
    for file in random.sample(fitting, len(fitting)):
        composition = make(file, random, item)
        if item in composition.applied and composition.before != composition.after:
            return composition
    return None
