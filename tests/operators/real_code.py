"""Which files the committed tests rewrite, how often, and what is known not to be right yet."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from benchmarks.operators.corpus import STANDARD, SourceFile, python_files
from benchmarks.operators.examples import example
from benchmarks.operators.measuring import Trial, trials
from benchmarks.operators.operator import Operator
from benchmarks.operators.table import OPERATORS

SEED = 1
COMPOSITIONS = 3
"""Per operator; `python -m benchmarks.operators` runs as many as one likes."""
LARGEST = 25_000
"""Characters; larger modules are left to the benchmark."""

GAPS = Path(__file__).with_name("gaps.json")


@cache
def files() -> tuple[SourceFile, ...]:
    """Small modules of the standard library."""
    return tuple(file for file in python_files(STANDARD) if len(file.text) <= LARGEST)


@cache
def examples() -> tuple[SourceFile, ...]:
    """The operators' own examples, for Java and for what the small modules offer no place for."""
    return tuple(
        SourceFile(f"src/{item.name}{item.language.suffix}", example(item).before, item.language) for item in OPERATORS
    )


def tried(item: Operator) -> list[Trial]:
    """The compositions of one operator, judged."""
    return list(trials(files(), item, COMPOSITIONS, SEED)) or list(trials(examples(), item, COMPOSITIONS, SEED))


def key(item: Operator) -> str:
    """How the list of gaps names an operator."""
    return f"{item.language.value} {item.name}"


@cache
def gaps() -> dict[str, dict[str, int | str]]:
    """Operators not always judged rightly: how many compositions may be wrong, and why."""
    found: dict[str, dict[str, int | str]] = json.loads(GAPS.read_text(encoding="utf-8"))
    return found


def allowed(item: Operator) -> int:
    """How many of its compositions may be judged wrongly."""
    return int(gaps().get(key(item), {}).get("wrong", 0))
