"""Judge many compositions, and say per operator what was rejected and accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.operators.compose import Composition, degrading, preserving
from benchmarks.operators.corpus import SourceFile
from benchmarks.operators.judging import judge
from benchmarks.operators.operator import Kind, Operator
from benchmarks.operators.table import OPERATORS
from scaffold_cli.model.verdict import LayerStatus

_FILES_TRIED = 60
"""How many files are asked for a place before an operator is passed over."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One composition and what became of it. `operator` is the one it is counted for."""

    operator: Operator
    composition: Composition
    status: LayerStatus

    @property
    def is_right(self) -> bool:
        """Rejected where a protection was taken away, accepted where none was."""
        return self.status is wanted(self.operator.kind)


def wanted(kind: Kind) -> LayerStatus:
    """What the layer should conclude."""
    return LayerStatus.PASS if kind is Kind.PRESERVING else LayerStatus.FAIL


def trials(files: Sequence[SourceFile], count: int, seed: int, known: Iterable[Operator]) -> Iterator[Trial]:
    """About `count` compositions, spread evenly over the operators; the same for the same seed, files and table."""
    chosen = list(known)
    for number in range(count):
        item = chosen[number % len(chosen)]
        composition = compose(files, Random(f"{seed}:{item.language}:{item.name}:{number // len(chosen)}"), item)
        if composition is not None:
            yield tried(composition, item)


def compose(files: Sequence[SourceFile], random: Random, item: Operator) -> Composition | None:
    """A composition that holds `item`, on a random file that offers a place; None when none of those tried does."""
    fitting = [file for file in files if file.language is item.language]
    for file in random.sample(fitting, min(_FILES_TRIED, len(fitting))):
        make = preserving if item.kind is Kind.PRESERVING else degrading
        composition = make(file, random, item)
        if item in composition.applied and composition.before != composition.after:
            return composition
    return None


def tried(composition: Composition, item: Operator) -> Trial:
    """Judge a composition. A false rejection is counted for the first operator that is rejected on its own."""
    status = judge(composition.before, composition.after, composition.file.path).status
    if item.kind is Kind.PRESERVING and status is not LayerStatus.PASS:
        item = _culprit(composition) or item
    return Trial(item, composition, status)


def _culprit(composition: Composition) -> Operator | None:
    steps = zip(composition.applied, composition.texts, composition.texts[1:], strict=False)
    return next(
        (item for item, one, other in steps if judge(one, other, composition.file.path).status is not LayerStatus.PASS),
        None,
    )


def counts(done: Iterable[Trial]) -> dict[tuple[str, str, str], Counter[str]]:
    """By language, kind and operator: how many were tried, right and wrong."""
    table = {(item.language.value, item.kind.value, item.name): Counter[str]() for item in OPERATORS}
    for trial in done:
        key = (trial.operator.language.value, trial.operator.kind.value, trial.operator.name)
        table[key]["tried"] += 1
        table[key]["right" if trial.is_right else "wrong"] += 1
    return table
