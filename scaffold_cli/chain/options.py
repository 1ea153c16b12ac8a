"""What the person who starts a chain chose, and the limits that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import RunSettings
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import LayerName, Waiver

if TYPE_CHECKING:
    from scaffold_cli.sandbox.interface import IsolationKind


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """Choices for one chain. None takes the setting (`run.steps`, `run.retries`, `run.wall-time`).

    The wall time (seconds) is looked at before each candidate; one that has begun is seen through. `branch`
    receives the commits instead of the current branch, whose checkout is then not touched. A
    `dry_run` judges and goes on, but commits and records nothing. `verify` False skips the commit hooks. `request` is
    kept while the chain runs: whoever finds it after a kill can go on by it (see `runner.go_on`).
    """

    steps: int | None = None
    retries: int | None = None
    wall_time: float | None = None
    branch: str | None = None
    layers: tuple[LayerName, ...] | None = None
    waivers: tuple[Waiver, ...] = ()
    overrides: Mapping[str, object] = field(default_factory=dict)
    isolation: IsolationKind | None = None
    dry_run: bool = False
    verify: bool = True
    request: str = ""
    approve: Callable[[Policy], Policy] = lambda policy: policy
    """Marks the commands of a policy that may not run."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Steps (at least 1), retries for each step (from 0), seconds for the chain and for one proposal."""

    steps: int
    retries: int
    wall_time: float
    proposal: float

    @staticmethod
    def of(options: ChainOptions, settings: RunSettings) -> Limits:
        """The limits in force. Raises UsageError for one that makes no sense."""
        limits = Limits(
            settings.steps if options.steps is None else options.steps,
            settings.retries if options.retries is None else options.retries,
            settings.wall_time if options.wall_time is None else options.wall_time,
            settings.proposer_timeout,
        )
        if limits.steps < 1:
            raise UsageError(f"A chain needs at least one step, not {limits.steps}.")
        if limits.retries < 0:
            raise UsageError(f"The number of retries cannot be negative ({limits.retries}).")
        if not limits.wall_time > 0:
            raise UsageError(f"The wall time must be more than nothing ({limits.wall_time:g} seconds).")
        return limits
