"""Baseline, candidate, comparison: one test command over both sides of a change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from scaffold_cli.config.schema import TestReader
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.testing.baseline import Baseline, Memory, take_baseline
from scaffold_cli.testing.outcomes import TestRun
from scaffold_cli.testing.regressions import Regression, regressions
from scaffold_cli.testing.runner import run_tests


@dataclass(frozen=True, slots=True)
class Sides:
    """The two trees: how to open a fresh workspace of each, and their ids."""

    open_before: Callable[[], Workspace]
    open_after: Callable[[], Workspace]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Compared:
    """Both sides of one command. `after` is None when the baseline left nothing to hold a candidate against.

    `isolation`, `confinement` and `warnings` are those of the candidate's workspace.
    """

    baseline: Baseline
    after: TestRun | None = None
    lost: tuple[Regression, ...] = ()
    isolation: str = ""
    confinement: str = ""
    warnings: tuple[str, ...] = ()


def compare_sides(sides: Sides, memory: Memory, renamed: Callable[[str], str] = str) -> Compared:
    """Run the command of `memory.settings` on both sides.

    A remembered baseline accepts, but does not reject: what it says was lost is looked at again with a fresh
    one, since a machine may have changed since. Raises what `run_tests` raises.
    """
    baseline = take_baseline(sides.open_before, sides.before, memory)
    if baseline.timed_out or baseline.nothing_collected:
        return Compared(baseline)
    # pytest that can no longer start is a loss to report; a report file that is missing must not become one.
    reader = TestReader.AUTO if baseline.reader is TestReader.PYTEST else baseline.reader
    with sides.open_after() as workspace:
        after = run_tests(workspace, replace(memory.settings, reader=reader), memory.place)
        isolation, held, warnings = workspace.kind.value, workspace.confinement.value, workspace.warnings
    lost = regressions(baseline, after, renamed)
    if lost and baseline.remembered:
        baseline = take_baseline(sides.open_before, sides.before, memory, fresh=True)
        lost = regressions(baseline, after, renamed)
    if not lost:
        _remember(memory, sides.after, after)
    return Compared(baseline, after, lost, isolation, held, warnings)


def _remember(memory: Memory, tree: str, run: TestRun) -> None:
    """This candidate is the next step's baseline: its run need not be made again."""
    known = memory.recall(tree)
    if len(known) < memory.settings.baseline_runs:
        memory.keep(tree, (*known, run))
