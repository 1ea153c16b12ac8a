"""A long chain: does anything grow that should not?

    python -m benchmarks.soak --json benchmarks/results/soak.json

One chain of 2,000 accepted steps by a scripted proposer. Along the way: memory of the process, open files, temporary
files, and the repository's size. Memory may not grow but by the line that is remembered of each step; `blocks` counts
what Python has allocated, without the slack of its allocator. Open and temporary files may not grow at all; the
repository may grow by the steps it keeps, by as much for the last as for the first. The results file holds what is
known so far, should the run be ended early.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.runner import run_chain
from scaffold_cli.model.chain import Attempt, StepOutcome
from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.proposers.interface import Proposal, Request
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.vcs.repository import Repository

_LAYERS = (LayerName.BUDGET, LayerName.ANCHORS)
_MOST_KIB = 2.0
"""How much a step may add to the memory in the second half: one line is remembered of each."""
_NOISE_KIB = 1024.0
"""What an allocator takes and gives back now and then."""


@dataclass(frozen=True, slots=True)
class Sample:
    """After so many steps: memory (MiB), allocated blocks, open files, temporary files, size of ``.git`` (KiB)."""

    steps: int
    seconds: float
    memory: float
    blocks: int
    open_files: int
    temporary: int
    repository: int


@dataclass(slots=True)
class Curve(Progress):
    """Takes a sample every so many accepted steps."""

    repo: Path
    every: int
    samples: list[Sample] = field(default_factory=list)
    accepted: int = 0
    began: float = field(default_factory=time.perf_counter)
    told: Callable[[list[Sample]], None] = print

    def attempt_finished(self, attempt: Attempt) -> None:
        if attempt.outcome is not StepOutcome.ACCEPTED:
            return
        self.accepted += 1
        if self.accepted % self.every == 0:
            gc.collect()
            self.samples.append(_sample(self.repo, self.accepted, time.perf_counter() - self.began))
            self.told(self.samples)


class Counting:
    """Writes the next number into a file of some size."""

    name = "counting"

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        path = request.paths[0]
        text = "".join(f"VALUE_{line} = {line}\n" for line in range(50)) + f"STEP = {request.step}\n"
        workspace.write({path: FileVersion(path, text.encode())})
        return Proposal(f"count to {request.step}")


def soak(steps: int, every: int, told: Callable[[list[Sample]], None] = lambda _: None) -> list[Sample]:
    """Run the chain in a fresh repository and return the curve. Raises AssertionError when it did not run through."""
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, _temporary_in(Path(folder, "tmp")):
        repo = Path(folder, "repo")
        repo.mkdir()
        (repo / "count.py").write_text("STEP = 0\n")
        for words in (
            ("init", "-q"),
            ("config", "user.name", "Ada"),
            ("config", "user.email", "ada@example.invalid"),
            ("config", "gc.auto", "0"),  # else it is git's housekeeping that is measured
            ("add", "."),
            ("commit", "-qm", "Start"),
        ):
            subprocess.run(["git", *words], cwd=repo, check=True)
        curve = Curve(repo, every, told=told)
        options = ChainOptions(steps=steps, retries=0, wall_time=1e9, layers=_LAYERS)
        result = run_chain(Repository.discover(repo), "count", ("count.py",), Counting(), options, curve)
        assert curve.accepted == steps, result.message
        return curve.samples


def grown(samples: list[Sample]) -> list[str]:
    """What grew that should not have, one sentence each."""
    first, middle, last = samples[0], samples[len(samples) // 2], samples[-1]
    told = []
    if 1024 * (last.memory - middle.memory) > _MOST_KIB * (last.steps - middle.steps) + _NOISE_KIB:
        told.append(f"memory from {middle.memory} to {last.memory} MiB")
    if last.open_files > first.open_files:
        told.append(f"open files from {first.open_files} to {last.open_files}")
    if last.temporary > first.temporary + 50:
        told.append(f"temporary files from {first.temporary} to {last.temporary}")
    early = (middle.repository - first.repository) / max(1, middle.steps - first.steps)
    late = (last.repository - middle.repository) / max(1, last.steps - middle.steps)
    if late > 1.25 * early:
        told.append(f".git by {early:.1f} KiB a step at first and {late:.1f} at the end")
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--steps", type=int, default=2000)
    options = parser.parse_args()

    def told(samples: list[Sample]) -> None:
        print(samples[-1], flush=True)
        if options.json:
            document = {
                "command": "python -m benchmarks.soak --json benchmarks/results/soak.json",
                "machine": f"{platform.machine()}, {os.cpu_count()} cores",
                "steps wanted": options.steps,
                "steps done": samples[-1].steps,
                "grown": grown(samples),
                "curve": [asdict(sample) for sample in samples],
            }
            options.json.write_text(json.dumps(document, indent=2) + "\n")

    samples = soak(options.steps, max(1, options.steps // 40), told)
    print("\n".join(grown(samples)) or "nothing grew that should not")


def _sample(repo: Path, steps: int, seconds: float) -> Sample:
    """What is there now. No list of files is kept: it would grow with the repository, and be measured with the rest."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Sample(
        steps=steps,
        seconds=round(seconds, 1),
        memory=round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1),
        blocks=sys.getallocatedblocks(),
        open_files=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        temporary=sum(len(files) for _, _, files in os.walk(tempfile.gettempdir())),
        repository=round(_size(str(repo / ".git")) / 1024),
    )


def _size(folder: str) -> int:
    """Bytes of all files below a folder."""
    total = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            total += _size(entry.path) if entry.is_dir(follow_symlinks=False) else entry.stat().st_size
    return total


@contextlib.contextmanager
def _temporary_in(folder: Path) -> Iterator[None]:
    folder.mkdir()
    before, tempfile.tempdir = tempfile.tempdir, str(folder)
    try:
        yield
    finally:
        tempfile.tempdir = before


if __name__ == "__main__":
    main()
