"""Speed and memory of the command line: ``python -m benchmarks.speed [--json OUT] [--runs N]``.

Every figure stands beside a floor or a peer measured in the same run: the bare interpreter, the scanner's own
`--baseline-commit` with the same rules, git's own worktree, one file against a hundred.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import scanner
from benchmarks.measure import Program, Row, Timing, in_turn, python, write
from benchmarks.samples import environment, forget, git, module, repository
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import availabilities, open_workspace
from scaffold_cli.sast.rules import load
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

LAYERS = "sast,budget,anchors"
SCAFFOLD = (python(), "-m", "scaffold_cli")


def main() -> int:
    """Measure and report; 0 whatever came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as folder:
        env = environment(Path(folder))
        os.environ.update(env)
        rows = [
            *start_up(Path(folder), options.runs, env),
            one_file(Path(folder), options.runs, env),
            isolation(Path(folder), options.runs),
            hundred_files(Path(folder), options.runs, env),
            *scanner.rows(Path(folder), options.runs, env),
        ]
    write(options.json, "python -m benchmarks.speed --json benchmarks/results/speed.json", rows)
    return 0


def start_up(folder: Path, runs: int, env: dict[str, str]) -> list[Row]:
    """`--help`, and a hook with nothing to judge, against the bare interpreter."""
    repo = repository(folder / "start", {"a.py": "x = 1\n"})
    timings = in_turn(
        [
            Program("bare interpreter", (python(), "-c", "pass"), repo),
            Program("scaffold --help", (*SCAFFOLD, "--help"), repo),
            Program("scaffold check --staged, nothing staged", (*SCAFFOLD, "check", "--staged"), repo),
        ],
        runs,
        env,
    )
    rows = []
    for name, wanted in (("scaffold --help", 0.25), ("scaffold check --staged, nothing staged", 0.30)):
        median = timings[name].median
        beside = median / timings["bare interpreter"].median
        measured = f"{median:.3f} s, {beside:.1f} times the bare interpreter"
        rows.append(Row(name, f"at most {wanted:.2f} s", measured, median <= wanted, timings))
    return rows


def one_file(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """One changed Python file, three layers, no cache, against the scanner's own way with the same rules."""
    repo = repository(folder / "one", {f"m{i}.py": module(i) for i in range(20)})
    (repo / "m0.py").write_text(module(0).replace("total = 0", "total = 1"))
    rules = folder / "rules.json"
    rules.write_bytes(load().data)
    semgrep = Path(sys.executable).with_name("semgrep")
    off = ("--metrics", "off", "--disable-version-check", "--disable-nosem", "--quiet", "--json")
    timings = in_turn(
        [
            Program("scaffold check", (*SCAFFOLD, "check", "--layers", LAYERS), repo, (0,), lambda: forget(repo)),
            Program(
                "semgrep scan --baseline-commit",
                (str(semgrep), "scan", "--baseline-commit", "HEAD", "--config", str(rules), *off, "."),
                repo,
            ),
        ],
        runs,
        env,
    )
    ours, theirs = timings["scaffold check"].median, timings["semgrep scan --baseline-commit"].median
    measured = f"{ours:.2f} s, {theirs / ours:.1f} times faster than semgrep scan --baseline-commit"
    wanted = "at most 0.8 s and at least 3 times faster"
    return Row("one changed Python file, cold, layers without tests", wanted, measured, _both(ours, theirs), timings)


def _both(ours: float, theirs: float) -> bool:
    return ours <= 0.8 and theirs >= 3 * ours


def isolation(folder: Path, runs: int) -> Row:
    """Opening and closing an isolated candidate in a repository of 5,000 files, against git's own worktree."""
    repo = repository(folder / "large", {f"d{i % 50}/m{i}.py": module(i) for i in range(5_000)})
    kinds = [way.kind for way in availabilities() if way.works and way.kind is not IsolationKind.COPY]
    best = kinds[0]
    found = Repository.discover(repo)
    seconds: dict[str, list[float]] = {best.value: [], "git worktree add and remove": []}
    with ObjectStore.of(found) as store:
        tree = GitTree(store, git(repo, "rev-parse", "HEAD^{tree}"))
        for turn in range(runs + 1):
            started = time.perf_counter()
            with open_workspace(tree, repo, kind=best):
                pass
            middle = time.perf_counter()
            git(repo, "worktree", "add", "-q", "--detach", str(folder / "beside"))
            git(repo, "worktree", "remove", "--force", str(folder / "beside"))
            ended = time.perf_counter()
            if turn:
                seconds[best.value].append(middle - started)
                seconds["git worktree add and remove"].append(ended - middle)
    timings = {name: Timing.of(taken) for name, taken in seconds.items()}
    ours, theirs = timings[best.value].median, timings["git worktree add and remove"].median
    measured = f"{ours * 1000:.0f} ms by {best.value}, {theirs / ours:.0f} times faster than a git worktree"
    return Row("isolating one candidate, 5,000 files", "at most 50 ms", measured, ours <= 0.05, timings)


def hundred_files(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """A hundred changed files against one, and the peak memory."""
    one = repository(folder / "h1", {f"m{i}.py": module(i) for i in range(100)})
    many = repository(folder / "h100", {f"m{i}.py": module(i) for i in range(100)})
    (one / "m0.py").write_text(module(0).replace("total = 0", "total = 1"))
    for index in range(100):
        (many / f"m{index}.py").write_text(module(index).replace("total = 0", "total = 1"))
    command = (*SCAFFOLD, "check", "--layers", LAYERS)
    timings = in_turn(
        [
            Program("1 file", command, one, (0,), lambda: forget(one)),
            Program("100 files", command, many, (0,), lambda: forget(many)),
        ],
        runs,
        env,
    )
    ratio = timings["100 files"].median / timings["1 file"].median
    peak = timings["100 files"].peak_mib
    measured = f"{ratio:.1f} times one file, peak {peak:.0f} MiB"
    reached = ratio <= 15 and peak <= 600
    return Row("100 changed files", "at most 15 times one file, at most 600 MB", measured, reached, timings)


if __name__ == "__main__":
    sys.exit(main())
