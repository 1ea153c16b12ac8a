"""Measures of one chain, from its ledger (SCAFFOLD-CEGIS; formulas as in the fact sheet, 1.6 and 1.10).

With delta_max = 0 the detectable count cannot rise, so an SMR of 1 is true by construction: a self-check, no
evidence of security.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scaffold_cli.model.chain import Attempt, ChainStart, StepOutcome
from scaffold_cli.model.verdict import LayerName


@dataclass(frozen=True, slots=True)
class ChainMetrics:
    """A measure is None where its denominator is nothing, or where the layer that counts was not asked.

    `smr` and `fix_success` are shares from 0 to 1, `delta_v` counts findings, `cev` is in baselines.
    """

    steps: int
    accepted: int
    rejected: int
    """Attempts the gate turned down or could not decide."""
    smr: float | None
    delta_v: int | None
    """Findings at the end minus findings at the start (its mean over chains is the paper's)."""
    cev: float | None
    fix_success: float | None
    complete: bool
    """Every step that was begun ended accepted (our choice SC-12, for one chain)."""


def measure(start: ChainStart, attempts: Sequence[Attempt]) -> ChainMetrics:
    """The measures of one chain."""
    steps = _by_step(attempts)
    accepted = [tries[-1] for tries in steps if tries[-1].outcome is StepOutcome.ACCEPTED]
    rises = _known(_findings(attempt) for attempt in accepted)
    changed = _known(attempt.fact(LayerName.BUDGET, "changed lines") for attempt in accepted)
    unchanged = [0] * (len(steps) - len(accepted))
    return ChainMetrics(
        steps=len(steps),
        accepted=len(accepted),
        rejected=sum(attempt.was_judged and attempt.outcome is not StepOutcome.ACCEPTED for attempt in attempts),
        smr=None if rises is None else safety_monotonicity([*rises, *unchanged]),
        delta_v=None if rises is None else sum(rises),
        cev=None if changed is None else code_evolution(changed, start.lines),
        fix_success=fix_success(steps),
        complete=bool(steps) and len(accepted) == len(steps),
    )


def safety_monotonicity(rises: Sequence[int]) -> float | None:
    """SMR: the share of steps no less secure than the step before, by the number of findings.

    `rises` holds findings after minus findings before, for each step; a step that was not accepted left the
    code as it was, so it counts with 0 (fact sheet 1.6).
    """
    return sum(rise <= 0 for rise in rises) / len(rises) if rises else None


def code_evolution(changed: Iterable[int], baseline: int) -> float | None:
    """CEV: changed lines over all steps, in units of the baseline's lines (our choice SC-11)."""
    return sum(changed) / baseline if baseline else None


def fix_success(steps: Iterable[Sequence[Attempt]]) -> float | None:
    """The share of steps with a rejected candidate that were accepted within the retry limit (our choice SC-13)."""
    failed = [tries for tries in steps if any(_turned_down(attempt) for attempt in tries)]
    mended = [tries for tries in failed if tries[-1].outcome is StepOutcome.ACCEPTED]
    return len(mended) / len(failed) if failed else None


def _turned_down(attempt: Attempt) -> bool:
    return attempt.was_judged and attempt.outcome is not StepOutcome.ACCEPTED


def _by_step(attempts: Sequence[Attempt]) -> list[list[Attempt]]:
    """The attempts of each step; attempts that proposed nothing are no part of a step."""
    steps: dict[int, list[Attempt]] = {}
    for attempt in attempts:
        if attempt.outcome is not StepOutcome.NO_CHANGE:
            steps.setdefault(attempt.step, []).append(attempt)
    return [steps[step] for step in sorted(steps)]


def _findings(attempt: Attempt) -> int | None:
    """Findings after minus before, in the files of the step; the other files cancel out."""
    after, before = (attempt.fact(LayerName.SAST, f"findings {side}") for side in ("after", "before"))
    return None if after is None or before is None else after - before


def _known(values: Iterable[int | None]) -> list[int] | None:
    """The values, or None when one of them is not known."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return known if len(known) == len(listed) else None
