"""What a layer is, and what it is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.config.policy import Policy
from scaffold_cli.model.change import Change
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import LayerName, LayerResult
from scaffold_cli.sandbox.interface import Workspace

if TYPE_CHECKING:
    from scaffold_cli.sast.warm import Warm


class Mode(StrEnum):
    """What the verdict is for: `check` judges one change, `run` judges a step of a chain."""

    CHECK = "check"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Reports:
    """SARIF of one scanner on both sides, made elsewhere: (name for messages, bytes) each.

    `roots` are the absolute folders its addresses may start from.
    """

    before: tuple[str, bytes]
    after: tuple[str, bytes]
    roots: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeContext:
    """All a layer may know beyond the change itself. Nothing in it lets a layer write to the user's tree.

    `open_before` and `open_after` give fresh isolated workspaces of the two whole trees (None when the
    change has no trees behind it). `baseline` is the change from the chain's start to the candidate:
    a step is held against both. `cache` is a folder for results keyed by content, or None. `warm` holds resident
    scanners, for who gives many verdicts.
    """

    policy: Policy = field(default_factory=Policy)
    mode: Mode = Mode.CHECK
    before: Tree | None = None
    after: Tree | None = None
    open_before: Callable[[], Workspace] | None = None
    open_after: Callable[[], Workspace] | None = None
    baseline: Change | None = None
    cache: Path | None = None
    reports: Reports | None = None
    warm: Warm | None = None
    progress: Progress = field(default_factory=Progress)


class Layer(Protocol):
    """One of the four questions. A layer that cannot answer returns undecided, it does not raise.

    A layer may raise ScaffoldError for foreseen trouble; the engine turns that into undecided.
    """

    name: LayerName

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        """Look at `change` and conclude."""
        ...
