"""What isolating a candidate costs: opening a private tree and throwing it away, and running a program in it.

    python -m benchmarks.isolation --json benchmarks/results/isolation.json

Each way is timed in turn with the others and with two peers: a fresh worktree as git makes and removes it, and a bare
program. Running a program in the tree is a row of its own: it holds the start of the confinement. A busy machine makes
any wall time long, so the best of the runs, the processor time, the ratio to the worktree and the load are told too.
It takes no longer than a minute, whatever the load: then with fewer runs.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.measure import Row, Timing, write
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import availabilities, open_workspace
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

_WANTED = {IsolationKind.OVERLAY: 20.0, IsolationKind.BUBBLEWRAP: 60.0}
"""Milliseconds."""
_FILES = 300
_PEER = "git worktree"
_LONGEST = 45.0
"""Seconds after which no further turn begins; five are made in any case."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--runs", type=int, default=30)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isolation-") as folder:
        repo = _project(Path(folder, "repo"))
        with ObjectStore.of(Repository.discover(repo)) as store:
            timings, processor = _timed(GitTree(store, store.tree_of("HEAD")), repo, options.runs)
    rows = [_row(kind.value, f"<= {wanted:.0f} ms", wanted, timings, processor) for kind, wanted in _WANTED.items()]
    rows += [_row(f"{kind.value}, a program run", "told", float("inf"), timings, processor) for kind in _WANTED]
    write(options.json, "python -m benchmarks.isolation --json benchmarks/results/isolation.json", rows)


def _row(name: str, words: str, wanted: float, timings: dict[str, Timing], processor: dict[str, float]) -> Row:
    timing = timings.get(name)
    if timing is None:
        return Row(name, words, "not available here", False, timings)
    told = f"{1000 * timing.median:.1f} ms (at best {1000 * timing.minimum:.1f} ms"
    told += f"; processor {1000 * processor[name]:.1f} ms; {timing.median / timings[_PEER].median:.2f} of {_PEER}"
    told += f"; load {os.getloadavg()[0]:.0f})"
    return Row(name, words, told, 1000 * timing.median <= wanted, timings)


def _timed(tree: GitTree, repo: Path, runs: int) -> tuple[dict[str, Timing], dict[str, float]]:
    works: dict[str, Callable[[], object]] = {
        "true": lambda: subprocess.run(["true"], check=True),
        _PEER: lambda: _worktree(repo),
    }
    for way in availabilities(repo):
        if way.works and way.kind in _WANTED:
            works[way.kind.value] = partial(_isolated, tree, repo, way.kind, False)
            works[f"{way.kind.value}, a program run"] = partial(_isolated, tree, repo, way.kind, True)
    seconds: dict[str, list[float]] = {name: [] for name in works}
    processor: dict[str, list[float]] = {name: [] for name in works}
    started = time.perf_counter()
    for turn in range(runs + 1):
        if turn > 5 and time.perf_counter() - started > _LONGEST:
            break
        for name, work in works.items():
            began, spent = time.perf_counter(), sum(os.times()[:4])
            work()
            if turn:
                seconds[name].append(time.perf_counter() - began)
                processor[name].append(sum(os.times()[:4]) - spent)
    timings = {name: Timing.of(values) for name, values in seconds.items()}
    return timings, {name: statistics.mean(values) for name, values in processor.items()}


def _isolated(tree: GitTree, repo: Path, kind: IsolationKind, run: bool) -> None:
    with open_workspace(tree, repo, kind=kind) as workspace:
        assert not run or workspace.run(["true"], timeout=60).ok


def _worktree(repo: Path) -> None:
    place = repo.parent / "beside"
    subprocess.run(["git", "worktree", "add", "-q", "--detach", str(place)], cwd=repo, check=True)
    subprocess.run(["git", "worktree", "remove", "--force", str(place)], cwd=repo, check=True)


def _project(repo: Path) -> Path:
    repo.mkdir()
    for number in range(_FILES):
        place = repo / f"part{number % 20}/module{number}.py"
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"VALUE = {number}\n" * 60)
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "Start")):
        identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
        subprocess.run(["git", *identity, *words], cwd=repo, check=True)
    return repo


if __name__ == "__main__":
    main()
