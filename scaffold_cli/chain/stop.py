"""When a chain ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from scaffold_cli.chain.options import Limits
from scaffold_cli.model.chain import Attempt, StepOutcome, StopReason


@dataclass(frozen=True, slots=True)
class Stop:
    """The reason and one sentence."""

    reason: StopReason
    message: str


def before_attempt(attempts: tuple[Attempt, ...], limits: Limits, elapsed: float) -> Stop | None:
    """Whether to stop instead of asking for another candidate; `elapsed` is in seconds since the chain began.

    A step whose candidates are used up ends the chain, where the paper goes on to the next step: there each
    step has an instruction of its own, here they share one goal, so a next step would be one more retry.
    """
    accepted = sum(attempt.outcome is StepOutcome.ACCEPTED for attempt in attempts)
    if accepted >= limits.steps:
        return Stop(
            StopReason.STEPS, f"All {accepted} steps were accepted." if accepted > 1 else "The step was accepted."
        )
    last = attempts[-1] if attempts else None
    if last is not None and last.outcome is not StepOutcome.ACCEPTED and last.attempt > limits.retries:
        return _used_up(last)
    if elapsed >= limits.wall_time:
        return Stop(StopReason.WALL_TIME, f"The {limits.wall_time:g} seconds of the chain are spent.")
    return None


def next_place(attempts: tuple[Attempt, ...]) -> tuple[int, int]:
    """Step and attempt (both from 1) of the candidate to ask for next."""
    if not attempts:
        return 1, 1
    last = attempts[-1]
    return (last.step + 1, 1) if last.outcome is StepOutcome.ACCEPTED else (last.step, last.attempt + 1)


def _used_up(last: Attempt) -> Stop:
    tries = "its only candidate" if last.attempt == 1 else f"the last of its {last.attempt} candidates"
    match last.outcome:
        case StepOutcome.REPEATED:
            return Stop(StopReason.REPEATED, f"Step {last.step} has no candidate left; {tries} was seen before.")
        case StepOutcome.REJECTED | StepOutcome.UNDECIDED | StepOutcome.CONFLICT | StepOutcome.FAILED:
            return Stop(StopReason.RETRIES, f"Step {last.step} was not accepted; {tries} ended {last.outcome.value}.")
        case StepOutcome.ACCEPTED | StepOutcome.NO_CHANGE:
            raise AssertionError(f"a step that ended {last.outcome.value} has not used up its candidates")
    assert_never(last.outcome)
