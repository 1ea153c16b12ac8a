"""Holding one run against a baseline: what passed before must be there and pass (fact sheet, test rule)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli.config.schema import TestReader
from scaffold_cli.testing.baseline import Baseline
from scaffold_cli.testing.outcomes import Case, Outcome, TestRun
from scaffold_cli.testing.pytest_reader import under


class RegressionKind(StrEnum):
    """What became of a test that passed before; the values are the codes of the violations."""

    FAILED = "test-failed"
    MISSING = "test-missing"
    SKIPPED = "test-skipped"
    XFAILED = "test-xfailed"
    UNCOLLECTED = "test-uncollected"
    """A file can no longer be collected: its own, or one that keeps all others from running."""
    NOTHING_RAN = "tests-not-run"
    """Not one test was reported any more."""


_KINDS = {
    Outcome.FAILED: RegressionKind.FAILED,
    Outcome.SKIPPED: RegressionKind.SKIPPED,
    Outcome.XFAILED: RegressionKind.XFAILED,
}


@dataclass(frozen=True, slots=True)
class Regression:
    """One loss. `id` names the test, or the file for UNCOLLECTED, or nothing for NOTHING_RAN.

    `before` and `after` are the test's two sides where known; `tests` counts the tests that are concerned.
    """

    kind: RegressionKind
    id: str
    before: Case | None = None
    after: Case | None = None
    tests: int = 1


def regressions(baseline: Baseline, after: TestRun, renamed: Callable[[str], str] = str) -> tuple[Regression, ...]:
    """What the run lost of the baseline, by id. `renamed` maps an id to the one it has after the change.

    Empty exactly when every stable id is there (under either name) and passed. A run that reported no test at
    all gives one regression, and so does each file that cannot be collected.
    """
    if baseline.stable and _reported_nothing(baseline, after):
        return (Regression(RegressionKind.NOTHING_RAN, "", tests=len(baseline.stable)),)
    lost = sorted(_lost(baseline, after, renamed), key=lambda item: (item.kind, item.id))
    merged: dict[tuple[RegressionKind, str], Regression] = {}
    for item in lost:
        key = (item.kind, item.id)
        count = merged[key].tests + 1 if key in merged else 1
        merged[key] = Regression(item.kind, item.id, item.before, item.after, count)
    return tuple(merged.values())


def _reported_nothing(baseline: Baseline, after: TestRun) -> bool:
    told_apart = baseline.reader is not TestReader.EXIT_CODE
    return not (after.cases or after.uncollected) or (told_apart and after.reader is TestReader.EXIT_CODE)


def _stopper(after: TestRun) -> str | None:
    """The file whose collection failed so that not one test ran: pytest stops at the first such error."""
    failed = (node for node, case in after.uncollected.items() if case.outcome is Outcome.FAILED)
    return None if after.cases else next(failed, None)


def _rows(after: TestRun, name: str, before: str) -> list[Case]:
    """The rows of a table that took the test's place under another name; the worst of them speaks for all."""
    if name == before:
        return []
    rows = [case for id_, case in after.cases.items() if id_.startswith(f"{name.partition('[')[0]}[")]
    return sorted(rows, key=lambda case: case.outcome.vouches)[:1]


def _lost(baseline: Baseline, after: TestRun, renamed: Callable[[str], str]) -> Iterator[Regression]:
    stopper = _stopper(after)
    for id_ in baseline.stable:
        before = baseline.runs[-1].cases[id_]
        names = (id_, renamed(id_))
        found = [after.cases[name] for name in names if name in after.cases] or _rows(after, names[1], id_)
        if any(case.outcome.vouches for case in found):
            continue
        if found:
            yield Regression(_KINDS[found[-1].outcome], id_, before, found[-1])
            continue
        node = next((node for name in names if (node := under(name, after.uncollected)) is not None), stopper)
        if node is None:
            yield Regression(RegressionKind.MISSING, id_, before)
        elif after.uncollected[node].outcome is Outcome.SKIPPED:
            yield Regression(RegressionKind.SKIPPED, id_, before, after.uncollected[node])
        else:
            yield Regression(RegressionKind.UNCOLLECTED, node, after=after.uncollected[node])
