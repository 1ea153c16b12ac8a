"""One example per operator: the text before, the text after, and calls that show what the rewrite does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.operators.operator import Operator


@dataclass(frozen=True, slots=True)
class Example:
    """`calls` are expressions to evaluate on both sides (Python only)."""

    before: str
    after: str
    calls: tuple[str, ...]


def example(item: Operator) -> Example:
    """The operator's example. Raises FileNotFoundError when it has none."""
    path = Path(__file__).parent / item.language.value / f"{item.name}.txt"
    text = path.read_text(encoding="utf-8").removeprefix("--- before\n")
    before, _, rest = text.partition("--- after\n")
    after, _, calls = rest.partition("--- calls\n")
    return Example(before, after, tuple(calls.splitlines()))
