"""One chain, and what is measured of it apart from what its own gate saw."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from benchmarks.chains.modes import Mode
from benchmarks.chains.proposer import Degrading
from benchmarks.operators.judging import judge
from benchmarks.operators.operator import Kind
from benchmarks.reflection.checks import outcome
from benchmarks.reflection.scenarios import FOLDER, Scenario
from benchmarks.samples import git, repository
from scaffold_cli import clock
from scaffold_cli.chain.metrics import measure
from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.runner import run_chain
from scaffold_cli.model.chain import Attempt, StepOutcome, StopReason
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.sast.rules import load
from scaffold_cli.sast.scan import Target, scan
from scaffold_cli.vcs.repository import Repository

_ENDS = (StopReason.STEPS, StopReason.RETRIES, StopReason.REPEATED, StopReason.GOAL_REACHED, StopReason.NO_CHANGE)
_CONFIG = '[tests]\ncommand = "python -m pytest -q -p no:cacheprovider test_task.py"\n'


@dataclass(frozen=True, slots=True)
class Chain:
    """One chain's measures; None where nothing is to be measured.

    `findings` are counted at the baseline and after each step by our own scanner, whatever the gate asked. `secure`
    and `passes` are the end's, by executed attack and by the functional checks.
    """

    program: str
    seed: int
    mode: str
    steps: int
    accepted: int
    complete: bool
    degrading_proposed: int
    degrading_accepted: int
    preserving_proposed: int
    preserving_accepted: int
    findings: tuple[int, ...]
    secure: bool
    passes: bool
    handler_lost: bool
    cev: float
    failed_steps: int
    mended_steps: int
    seconds: float

    @property
    def rises(self) -> tuple[int, ...]:
        """Findings after minus before, step by step."""
        return tuple(after - before for before, after in zip(self.findings, self.findings[1:], strict=False))


def run(scenario: Scenario, seed: int, mode: Mode, steps: int, retries: int) -> Chain:
    """One chain from the scenario's safe version; its tests are the functional checks."""
    began = clock.seconds()
    proposer = Degrading(scenario, seed)
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as name:
        folder = repository(Path(name) / "repo", _files(scenario))
        options = ChainOptions(steps=steps, retries=retries, layers=mode.layers, verify=False)
        repo = Repository.discover(folder)
        result = run_chain(repo, scenario.goal, (scenario.path,), proposer, options)
        if result.reason not in _ENDS:
            raise UndecidedError(f"The chain of {scenario.id} ended with {result.reason.value}: {result.message}")
        commits = [attempt.commit for attempt in result.accepted]
        texts = [scenario.safe_text, *(git(folder, "show", f"{commit}:{scenario.path}") + "\n" for commit in commits)]
        lines = len(scenario.safe_text.splitlines())
        changed = sum(_changed(folder, commit, scenario.path) for commit in commits)
    end = outcome(scenario, texts[-1], trusted=True)
    measured = measure(result.start, result.attempts)
    proposed = list(zip(proposer.proposed, result.attempts, strict=False))
    failed = _by_step(result.attempts)
    return Chain(
        program=scenario.id,
        seed=seed,
        mode=mode.name,
        steps=measured.steps,
        accepted=measured.accepted,
        complete=measured.accepted == steps,
        degrading_proposed=sum(kind is Kind.DEGRADING for (_, kind), _ in proposed),
        degrading_accepted=_accepted(proposed, Kind.DEGRADING),
        preserving_proposed=sum(kind is Kind.PRESERVING for (_, kind), _ in proposed),
        preserving_accepted=_accepted(proposed, Kind.PRESERVING),
        findings=_findings(texts, scenario.path),
        secure=end.secure,
        passes=end.passes,
        handler_lost=_handler_lost(scenario.safe_text, texts[-1], scenario.path),
        cev=changed / lines,
        failed_steps=len(failed),
        mended_steps=sum(tries[-1].outcome is StepOutcome.ACCEPTED for tries in failed),
        seconds=round(clock.seconds() - began, 1),
    )


def _files(scenario: Scenario) -> dict[str, str]:
    prelude = (FOLDER / "prelude.py").read_text(encoding="utf-8")
    check = f"def test_it_does_its_work() -> None:\n{indent(scenario.functional, '    ')}"
    return {
        scenario.path: scenario.safe_text,
        "test_task.py": f"{prelude}\n{scenario.setup}\n\n{check}",
        "scaffold.toml": _CONFIG,
    }


def _changed(folder: Path, commit: str, path: str) -> int:
    """Added plus deleted lines."""
    added, deleted, _ = git(folder, "show", "--numstat", "--format=", commit, "--", path).split("\t")
    return int(added) + int(deleted)


def _accepted(proposed: list[tuple[tuple[str, Kind], Attempt]], wanted: Kind) -> int:
    return sum(kind is wanted and attempt.outcome is StepOutcome.ACCEPTED for (_, kind), attempt in proposed)


def _by_step(attempts: tuple[Attempt, ...]) -> list[list[Attempt]]:
    """The attempts of each step that had a candidate turned down."""
    steps: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.outcome is not StepOutcome.NO_CHANGE:
            steps.setdefault(attempt.step, []).append(attempt)
    return [tries for tries in steps.values() if any(item.outcome is not StepOutcome.ACCEPTED for item in tries)]


def _findings(texts: list[str], path: str) -> tuple[int, ...]:
    targets = [Target(f"{place}/{path}", ".py", text.encode()) for place, text in enumerate(texts)]
    return tuple(len(scanned.matches) for scanned in scan(targets, load(), timeout=300).files)


def _handler_lost(before: str, after: str, path: str) -> bool:
    """Whether our own anchors layer sees a handler of the baseline lost or weakened (our choice SC-10)."""
    return any(found.code.startswith("handler") for found in judge(before, after, path).violations)
