"""What a chain remembers of an accepted step: a case for the memory, never at the price of the step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from scaffold_cli.memory.case import Case, CaseKind
from scaffold_cli.memory.cases_of import repair_case
from scaffold_cli.memory.store import Store
from scaffold_cli.memory.writer import redacted, remember
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Decision, Effect, Verdict, Violation
from scaffold_cli.proposers.interface import Counterexample
from scaffold_cli.vcs.tree import GitTree

_FILES = 3
"""Files of a step at most that make a useful example."""


class Learner(Protocol):
    """Told of every accepted step."""

    def accepted(self, case: Case) -> str:
        """Store the case; returns its id, empty when it was known. Raises ScaffoldError."""
        ...


class MemoryLearner:
    """Stores cases in one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def accepted(self, case: Case) -> str:
        """See `Learner.accepted`."""
        return redacted(case).id if remember(self._store, case, accepted=True) else ""


def case_of_step(
    current: GitTree,
    files: Mapping[str, FileVersion | None],
    verdict: Verdict,
    counterexamples: Sequence[Counterexample],
    summary: str,
) -> Case | None:
    """The case of an accepted step; None for one that is too wide, or not text, to be an example.

    A step that mends what was rejected before, or removes a finding, is a repair; any other is kept as safe (our
    choice RX-5).
    """
    if verdict.decision is not Decision.ACCEPT or not 0 < len(files) <= _FILES:
        return None
    pairs = []
    for path, after in sorted(files.items()):
        data = current.read(path)
        before = FileVersion(path, data) if data is not None else None
        if before is None or after is None or b"\0" in before.data + after.data:
            return None
        pairs.append(FileChange(before, after))
    mended = _mended(counterexamples)
    lesson = next((found.keep for found in mended if found.keep), "")
    case = repair_case(Change.of(pairs), verdict, title=summary, lesson=lesson, mended=mended)
    fixed = any(key.startswith("fixed") and value for layer in verdict.layers for key, value in layer.facts)
    return case if mended or fixed else replace(case, kind=CaseKind.SAFE)


def _mended(counterexamples: Sequence[Counterexample]) -> tuple[Violation, ...]:
    return tuple(
        found
        for item in counterexamples
        if item.verdict is not None
        for found in item.verdict.violations
        if found.effect is Effect.BLOCKS
    )
