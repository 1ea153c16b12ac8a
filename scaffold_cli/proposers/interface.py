"""What a proposer is told and what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from scaffold_cli.model.protection import Anchor
from scaffold_cli.model.verdict import Verdict
from scaffold_cli.sandbox.interface import Workspace


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A rejected candidate: its diff (unified, text) and the verdict with its violations."""

    step: int
    attempt: int
    diff: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a candidate.

    `paths` are the files or folders the goal is about (POSIX, relative to the tree's root), `step` counts
    from 1, `attempt` from 1 for each step. `anchors` are the protections to keep; `counterexamples` are
    this step's rejected candidates, oldest first.
    """

    goal: str
    paths: tuple[str, ...]
    step: int
    attempt: int
    anchors: tuple[Anchor, ...] = ()
    counterexamples: Sequence[Counterexample] = field(default=())


@dataclass(frozen=True, slots=True)
class Proposal:
    """What came of it. `summary` is one line for the log; `done` means there is nothing more to propose."""

    summary: str
    done: bool = False


class Proposer(Protocol):
    """Edits the workspace; what it wrote is the candidate. It may fail by raising ScaffoldError."""

    name: str

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Edit `workspace` towards the goal and say what was done."""
        ...
