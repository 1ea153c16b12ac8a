"""A chain of steps: what was tried, what became of it, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.verdict import Decision, LayerName, LayerStatus, Verdict

ChainId = NewType("ChainId", str)
"""Names a chain: UTC start time and six hex digits, ``20260314-091500-1f2e3d``; sorts by age."""


class StepOutcome(StrEnum):
    """What became of one attempt."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    NO_CHANGE = "no-change"
    """The proposer wrote nothing."""
    REPEATED = "repeated"
    """The candidate tree was seen before in this chain; it was not judged again."""
    CONFLICT = "conflict"
    """The candidate (or the commit) would have touched the user's uncommitted work."""
    FAILED = "failed"
    """The proposer could not make a candidate."""

    @staticmethod
    def of(decision: Decision) -> StepOutcome:
        """The outcome a verdict leads to."""
        match decision:
            case Decision.ACCEPT:
                return StepOutcome.ACCEPTED
            case Decision.REJECT:
                return StepOutcome.REJECTED
            case Decision.UNDECIDED:
                return StepOutcome.UNDECIDED

    @property
    def exit_code(self) -> ExitCode:
        """What a chain ends with when this is how its last, unfinished step stands."""
        match self:
            case StepOutcome.ACCEPTED | StepOutcome.NO_CHANGE:
                return ExitCode.ACCEPTED
            case StepOutcome.REJECTED | StepOutcome.REPEATED:
                return ExitCode.REJECTED
            case StepOutcome.CONFLICT:
                return ExitCode.USAGE
            case StepOutcome.UNDECIDED | StepOutcome.FAILED:
                return ExitCode.UNDECIDED


class StopReason(StrEnum):
    """Why a chain ended. Whatever the reason, the tree is that of the last accepted step."""

    GOAL_REACHED = "goal-reached"
    """The proposer says that nothing is left to do."""
    NO_CHANGE = "no-change-proposed"
    STEPS = "steps"
    """As many steps were accepted as were asked for."""
    RETRIES = "retries"
    """The last step had no candidate left."""
    REPEATED = "repeated-candidate"
    """The last candidate a step had left was one seen before."""
    WALL_TIME = "wall-time"
    CONFLICT = "conflict"
    """The user's own work, or the branch, changed under the chain."""
    PROPOSER = "proposer-unusable"
    """The proposer cannot be asked: nobody answers at its address, or it refuses."""
    INTERRUPTED = "interrupted"
    ERROR = "error"

    def exit_code(self, open_step: StepOutcome | None) -> ExitCode:
        """What the run ends with.

        `open_step` is the outcome of the last attempt of a step that was not accepted, or None when
        every step begun was accepted. A chain that did the steps it was asked for ends with 0; one that
        ran out of time with 5, since its goal may not be reached; one whose last step found no accepted
        candidate with that candidate's code (1 rejected, 2 conflict, 3 undecided), even when the proposer
        then gave up by itself. An error brings its own code.
        """
        match self:
            case StopReason.INTERRUPTED:
                return ExitCode.INTERRUPTED
            case StopReason.WALL_TIME:
                return ExitCode.BUDGET_SPENT
            case StopReason.CONFLICT | StopReason.PROPOSER:
                return ExitCode.USAGE
            case StopReason.ERROR:
                return ExitCode.INTERNAL
            case StopReason.STEPS:
                return ExitCode.ACCEPTED
            case StopReason.RETRIES | StopReason.REPEATED | StopReason.GOAL_REACHED | StopReason.NO_CHANGE:
                return ExitCode.ACCEPTED if open_step is None else open_step.exit_code


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at one step. `step` and `attempt` count from 1.

    `summary` and `detail` are the proposer's words, `reason` one sentence on the outcome. `base` and `tree` are the git
    trees before and after (`tree` empty when there was no candidate); `commit` is set once accepted and
    committed. `record` is the digest of the ledger entry that holds the attempt. `doubt` is why the proposer itself
    does not call the candidate safe; what it doubts is not remembered as an example, even when it is accepted.
    """

    step: int
    attempt: int
    outcome: StepOutcome
    summary: str
    reason: str = ""
    base: str = ""
    tree: str = ""
    files: tuple[str, ...] = ()
    verdict: Verdict | None = None
    seconds: float = 0.0
    commit: str = ""
    record: str = ""
    detail: str = ""
    doubt: str = ""

    @property
    def was_judged(self) -> bool:
        """True when the gate looked at the candidate."""
        return self.verdict is not None

    def fact(self, layer: LayerName, name: str) -> int | None:
        """A count among a layer's facts, summed over its folders; None when the layer did not look.

        A count that a layer does not state is nothing (0).
        """
        result = self.verdict.layer(layer) if self.verdict else None
        if result is None or result.status is LayerStatus.SKIPPED:
            return None
        return sum(
            value
            for key, value in result.facts
            if isinstance(value, int) and (key == name or key.startswith(f"{name} ("))
        )


@dataclass(frozen=True, slots=True)
class ChainStart:
    """What a chain began with. `lines` counts the lines of the files under `paths` at the baseline."""

    chain: ChainId
    goal: str
    paths: tuple[str, ...]
    proposer: str
    baseline: str
    """Commit the chain began at."""
    tree: str
    branch: str
    steps: int
    retries: int
    wall_time: float
    lines: int = 0
    anchors: int = 0
    version: str = ""
    hooks: bool = True
    """False when the person asked for commits past the repository's hooks."""


@dataclass(frozen=True, slots=True)
class ChainResult:
    """How a chain ended. The verdicts of its accepted steps are without layers: the ledger holds those."""

    start: ChainStart
    reason: StopReason
    exit_code: ExitCode
    attempts: tuple[Attempt, ...]
    message: str = ""
    """One sentence on why it ended, with the hint where there is one."""
    head: str = ""
    """The last accepted commit, or the baseline."""
    unused_waivers: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[Attempt, ...]:
        """The attempts that were accepted: commits, unless it was a dry run."""
        return tuple(attempt for attempt in self.attempts if attempt.outcome is StepOutcome.ACCEPTED)


def open_step(attempts: tuple[Attempt, ...]) -> StepOutcome | None:
    """How the last step stands when it was not accepted; attempts that proposed nothing say nothing about it."""
    told = [attempt for attempt in attempts if attempt.outcome is not StepOutcome.NO_CHANGE]
    if not told or told[-1].outcome is StepOutcome.ACCEPTED:
        return None
    return told[-1].outcome
