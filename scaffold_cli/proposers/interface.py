"""What a proposer is told and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from scaffold_cli.model.change import FileMode
from scaffold_cli.model.errors import BudgetSpentError, UndecidedError, UsageError
from scaffold_cli.model.plain import Json
from scaffold_cli.model.protection import Anchor
from scaffold_cli.model.verdict import Verdict
from scaffold_cli.sandbox.interface import Workspace


class ProposalFailedError(UndecidedError):
    """This attempt made no candidate, another one might. Any other ScaffoldError of a proposer ends the chain.

    `audit` is how it came about, as in a Proposal.
    """

    audit: Json = None


class ProposalCutOffError(BudgetSpentError):
    """Tokens or money ran out in the middle of a proposal; `audit` is how far it had come."""

    audit: Json = None


class ProposerUnusableError(UsageError):
    """The proposer cannot be asked at all: nobody answers, no such model, a key that is refused. It ends the chain."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A candidate that was not accepted: its diff (unified, text) and the verdict with its violations.

    `verdict` is None when the candidate was turned away before the gate, or when there was none; `reason`
    says why in one sentence.
    """

    step: int
    attempt: int
    diff: str
    verdict: Verdict | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One request for a candidate.

    `paths` are the files or folders the goal is about (POSIX, relative to the tree's root), `files` the
    files of the tree below them with their modes. `step` counts from 1, `attempt` from 1 for each step. `anchors` are
    the protections to keep; `counterexamples` are this step's rejected candidates, oldest first.
    `time_limit` is what this proposal may take, in seconds.
    """

    goal: str
    paths: tuple[str, ...]
    step: int
    attempt: int
    anchors: tuple[Anchor, ...] = ()
    counterexamples: Sequence[Counterexample] = field(default=())
    files: Mapping[str, FileMode] = field(default_factory=dict)
    time_limit: float = 600.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """What came of it.

    `summary` is one line for the log, `detail` a sentence on why, for the commit. `done` means there is
    nothing more to propose.
    """

    summary: str
    done: bool = False
    detail: str = ""
    audit: Json = None
    """How it came about, for the ledger; what a model was asked and answered, for one."""
    doubt: str = ""
    """Why the proposer itself does not call its candidate safe; the gate decides all the same."""


class Proposer(Protocol):
    """Edits the workspace; what it wrote is the candidate. It lives as long as its chain.

    It raises ProposalFailedError when this attempt failed and another one may not.
    """

    name: str

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Edit `workspace` towards the goal and say what was done."""
        ...
