"""How many kills are survived: SIGKILL at every write point, in every git that writes, and at random instants.

    python -m benchmarks.kills --json benchmarks/results/kills.json

A trial is survived when, after `scaffold resume --close`, files, index, branches, stash and status are exactly those
before a step or after it, nothing is left over, a second resume finds nothing, and the record verifies; in the rows
"gone on with", after `scaffold resume`, when they are those of a chain that nobody killed. `half_seen` counts the
trials in which, before resume, something else could be seen: a step in the middle of being written.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path

from benchmarks import kill_scenes, killing
from benchmarks.kill_scenes import Project, State
from benchmarks.killing import Outcome

Trial = Callable[[Path], Outcome]
_CLOSE = ("resume", "--close")
_GO_ON = ("resume",)


@dataclass(slots=True)
class Row:
    """What came of one kind of kill in one scenario."""

    scenario: str
    kind: str
    tried: int = 0
    survived: int = 0
    half_seen: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, outcome: Outcome) -> None:
        self.tried += 1
        self.survived += not outcome.broken
        self.half_seen += outcome.half
        if outcome.broken:
            self.broken.append(f"{outcome.where}: {outcome.broken}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--scenarios", default=",".join(kill_scenes.SCENARIOS))
    parser.add_argument("--random", type=int, default=300, help="random instants in all")
    parser.add_argument("--every", type=int, default=1, help="only every n-th write point")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    scenarios = options.scenarios.split(",")
    rows: list[Row] = []
    for number, scenario in enumerate(scenarios):
        chance = random.Random(options.seed + number)
        instants = options.random // len(scenarios) + (number < options.random % len(scenarios))
        with tempfile.TemporaryDirectory(prefix="kills-") as folder, ThreadPoolExecutor(options.jobs) as pool:
            for row in _rows(scenario, Path(folder), chance, instants, options.every, pool):
                told = f"{row.survived}/{row.tried}  half seen {row.half_seen}"
                print(f"{row.scenario:9} {row.kind:33} {told}", flush=True)
                for line in row.broken:
                    print(f"    {line}", flush=True)
                rows.append(row)
                if options.json:  # what is known so far: all of it takes long
                    options.json.write_text(json.dumps(_document(options, rows), indent=2) + "\n")
    print(f"survived {sum(row.survived for row in rows)} of {sum(row.tried for row in rows)}")


def _document(options: argparse.Namespace, rows: list[Row]) -> dict[str, object]:
    return {
        "command": "python -m benchmarks.kills --json benchmarks/results/kills.json",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "seed": options.seed,
        "every": options.every,
        "tried": sum(row.tried for row in rows),
        "survived": sum(row.survived for row in rows),
        "rows": [asdict(row) for row in rows],
    }


def _rows(
    scenario: str, folder: Path, chance: random.Random, instants: int, every: int, pool: ThreadPoolExecutor
) -> Iterator[Row]:
    template, scratch = folder / "template", folder / "trials"
    template.mkdir()
    scratch.mkdir()
    project = kill_scenes.prepare(template, scenario)
    known = kill_scenes.states(project, scratch)
    last, seconds = killing.points(project, scratch), killing.timed(project, scratch)
    here = _Trials(project, known, scratch)
    points = range(1, last + 1, every)
    # One after the other the process alone, and with everything it had started.
    yield _row(scenario, "write point", [here.at(point, bool(point % 2)) for point in points], pool)
    yield _row(scenario, "inside a git that writes", here.inside_git() if scenario == "run" else [], pool)
    times = [(chance.uniform(0.15, 1.0) * seconds, chance.random() < 0.5) for _ in range(instants)]
    yield _row(scenario, "random instant", [here.after(moment, whole) for moment, whole in times], pool)
    if scenario != "undo":
        chosen = points[:: max(1, len(points) // 30)]
        yield _row(scenario, "write point, gone on with", [here.at(point, True, _GO_ON) for point in chosen], pool)
    some = points[:: max(1, len(points) // 12)]
    yield _row(scenario, "resume killed at its write points", [here.resume_killed(point) for point in some], pool)


def _row(scenario: str, kind: str, trials: list[Trial], pool: ThreadPoolExecutor) -> Row:
    row = Row(scenario, kind)
    for outcome in pool.map(lambda trial: trial(Path()), trials):
        if outcome.killed:
            row.add(outcome)
    return row


class _Trials:
    """Trials on one project, each to be run by whichever thread is free."""

    def __init__(self, project: Project, known: list[State], scratch: Path) -> None:
        self._project = project
        self._known = known
        self._scratch = scratch

    def at(self, point: int, whole: bool, resume: Sequence[str] = _CLOSE) -> Trial:
        return self._trial(
            f"point {point}",
            lambda folder: killing.kill_at(folder, self._project, point, self._project.command, whole),
            resume,
        )

    def after(self, seconds: float, whole: bool) -> Trial:
        def kill(folder: Path) -> bool:
            # Ended by itself before: the state after the last step, held against the same promise.
            killing.kill_after(folder, self._project, seconds, self._project.command, whole)
            return True

        return self._trial(f"after {seconds:.3f} s", kill)

    def resume_killed(self, point: int) -> Trial:
        """Kill the command at a point, then kill resume at its first write point, its second, and so on to its end."""

        def kill(folder: Path) -> bool:
            if not killing.kill_at(folder, self._project, point, self._project.command, True):
                return False
            for step in count(1):
                if not killing.kill_at(folder, self._project, step, _CLOSE, True):
                    return True
            return True

        return self._trial(f"point {point}, then resume at each of its own", kill)

    def inside_git(self) -> list[Trial]:
        """One for each system call by which each git of the command changes a name on the disk."""
        with kill_scenes.copied(self._project, self._scratch) as folder:
            calls = killing.git_writes(folder, self._project)
        return [self._inside(git, call) for git, number in enumerate(calls, 1) for call in range(1, number + 1)]

    def _inside(self, git: int, call: int) -> Trial:
        return self._trial(
            f"call {call} of git {git}", lambda folder: killing.kill_in_git(folder, self._project, git, call)
        )

    def _trial(self, where: str, kill: Callable[[Path], bool], resume: Sequence[str] = _CLOSE) -> Trial:
        def trial(_: Path) -> Outcome:
            with kill_scenes.copied(self._project, self._scratch) as folder:
                if not kill(folder):
                    return Outcome(where, killed=False, half=False, broken="")
                return killing.judged(folder, self._project, self._known, where, resume)

        return trial


if __name__ == "__main__":
    main()
