"""What a tree's tests say before a change: run more than once to find flaky ids, and remembered."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.config.schema import TestReader, TestsSettings
from scaffold_cli.model.plain import PlainError, canonical, from_plain, to_plain
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.testing.outcomes import TestRun
from scaffold_cli.testing.runner import run_tests

_VERSION = 2
"""Of the remembered form; raise it whenever outcomes are read differently."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Some runs over one tree. `remembered` means that none of them was made just now."""

    runs: tuple[TestRun, ...]
    remembered: bool = False

    @property
    def flaky(self) -> tuple[str, ...]:
        """Ids on which the runs disagree, sorted: named and not judged. One that passes either way is stable."""
        ids = {id_ for run in self.runs for id_ in run.cases} - self.stable
        return tuple(sorted(id_ for id_ in ids if len({self._outcome(run, id_) for run in self.runs}) > 1))

    @property
    def reader(self) -> TestReader:
        """How the last run was read."""
        return self.runs[-1].reader

    @property
    def stable(self) -> frozenset[str]:
        """Ids that passed in every run: what a change has to keep."""
        return frozenset.intersection(*(run.passed for run in self.runs)) if self.runs else frozenset()

    @property
    def oddities(self) -> frozenset[str]:
        """What made the outcomes of some run doubtful."""
        return frozenset(oddity for run in self.runs for oddity in run.oddities)

    @property
    def timed_out(self) -> bool:
        """True when a run was ended by the time limit."""
        return any(run.timed_out for run in self.runs)

    @property
    def nothing_collected(self) -> bool:
        """True when the runner works and there is no test."""
        return all(run.nothing_collected for run in self.runs)

    @staticmethod
    def _outcome(run: TestRun, id_: str) -> object:
        case = run.cases.get(id_)
        return None if case is None else case.outcome


@dataclass(frozen=True, slots=True)
class Memory:
    """Remembered runs of one command over trees. `folder` is where files go; None remembers nothing."""

    folder: Path | None
    settings: TestsSettings
    place: str = ""
    """The folder, relative to the tree, in which the command runs."""

    def recall(self, tree: str) -> tuple[TestRun, ...]:
        """The runs remembered for a tree id; none when there are none or the file is damaged."""
        file = self._file(tree)
        if file is None:
            return ()
        try:
            data = json.loads(file.read_bytes())
            return tuple(from_plain(TestRun, run) for run in data["runs"]) if data["version"] == _VERSION else ()
        except (OSError, ValueError, KeyError, TypeError, PlainError):
            return ()

    def keep(self, tree: str, runs: Sequence[TestRun]) -> None:
        """Remember the runs of a tree, in one step: a reader sees the old file or the new one."""
        file = self._file(tree)
        # A run in which nothing passed may be the fault of a machine that is being set up.
        if file is None or not all(run.passed and not run.timed_out for run in runs):
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        content = canonical({"version": _VERSION, "runs": [to_plain(run) for run in runs]})
        descriptor, name = tempfile.mkstemp(dir=file.parent)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(name).replace(file)

    def _file(self, tree: str) -> Path | None:
        if self.folder is None:
            return None
        settings = self.settings
        key = [tree, self.place, settings.command, settings.reader, *settings.junit]
        digest = hashlib.sha256("\0".join(key).encode("utf-8", "surrogateescape")).hexdigest()
        return self.folder / "tests" / f"{digest}.json"


def take_baseline(open_before: Callable[[], Workspace], tree: str, memory: Memory, *, fresh: bool = False) -> Baseline:
    """The baseline of a tree: remembered runs, topped up to `settings.baseline_runs` in fresh workspaces.

    `fresh` leaves what is remembered aside. Stops early at a run that timed out, as no other will do better.
    Raises what `run_tests` raises.
    """
    wanted = max(1, memory.settings.baseline_runs)
    runs = [] if fresh else list(memory.recall(tree))[:wanted]
    remembered = len(runs)
    while len(runs) < wanted and not (runs and runs[-1].timed_out):
        with open_before() as workspace:
            runs.append(run_tests(workspace, memory.settings, memory.place))
    if len(runs) > remembered:
        memory.keep(tree, runs)
    return Baseline(tuple(runs), remembered=remembered == len(runs))
