"""Compositions: a few operators after one another on one real file, reproducible from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.operators.corpus import SourceFile
from benchmarks.operators.focus import refusing_functions
from benchmarks.operators.operator import Kind, Operator
from benchmarks.operators.table import operators

MOST = 4
"""The most preserving operators of one composition."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A file, the operators that were applied, and the text after each of them (`texts[0]` is the file's own)."""

    file: SourceFile
    applied: tuple[Operator, ...]
    texts: tuple[str, ...]

    @property
    def before(self) -> str:
        """The text all began with."""
        return self.texts[0]

    @property
    def after(self) -> str:
        """The text at the end."""
        return self.texts[-1]

    @property
    def degrading(self) -> Operator | None:
        """The degrading operator among those applied."""
        return next((item for item in self.applied if item.kind is Kind.DEGRADING), None)


def apply_all(file: SourceFile, wanted: Sequence[Operator], random: Random) -> Composition:
    """Apply the operators in order; those that find no place are left out."""
    texts, applied = [file.text], []
    for item in wanted:
        functions = refusing_functions(texts[-1], file.language)
        near = random.choice(functions) if functions else None
        after = item.apply(texts[-1], random, near)
        if after is not None:
            texts.append(after)
            applied.append(item)
    return Composition(file, tuple(applied), tuple(texts))


def preserving(file: SourceFile, random: Random, first: Operator | None = None) -> Composition:
    """One to four preserving operators, `first` (or any) ahead."""
    known = operators(file.language, Kind.PRESERVING)
    wanted = [first or random.choice(known), *random.choices(known, k=random.randrange(MOST))]
    return apply_all(file, wanted, random)


def degrading(file: SourceFile, random: Random, first: Operator) -> Composition:
    """`first`, then none to three preserving operators."""
    known = operators(file.language, Kind.PRESERVING)
    composition = apply_all(file, [first], random)
    if not composition.applied:
        return composition
    rest = apply_all(
        SourceFile(file.path, composition.after, file.language), random.choices(known, k=random.randrange(MOST)), random
    )
    return Composition(file, (first, *rest.applied), (file.text, *rest.texts))
