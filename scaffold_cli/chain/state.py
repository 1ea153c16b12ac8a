"""What changes while a chain runs: all of it follows from the accepted steps and the attempts so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from scaffold_cli.chain.candidate import Candidate
from scaffold_cli.chain.ground import Ground
from scaffold_cli.chain.ledger import Ledger
from scaffold_cli.model.chain import Attempt, StepOutcome
from scaffold_cli.proposers.interface import Counterexample
from scaffold_cli.vcs.tree import GitTree

BASELINE = "the baseline"


@dataclass(slots=True)
class State:
    """`current` is the tree of the last accepted step (or the baseline), `tip` its commit."""

    current: GitTree
    tip: str
    attempts: tuple[Attempt, ...] = ()
    seen: dict[str, str] = field(default_factory=dict)
    """Trees of this chain and what each was."""
    counterexamples: tuple[Counterexample, ...] = ()
    """Of the step that is open."""

    def turned_down(self, attempt: Attempt, counterexample: Counterexample) -> None:
        """An attempt came to nothing."""
        self.counterexamples += (counterexample,)
        if attempt.tree:
            self.seen.setdefault(attempt.tree, f"attempt {attempt.attempt} of step {attempt.step}")

    def accepted(self, attempt: Attempt, tree: GitTree) -> None:
        """A step is made."""
        self.current = tree
        self.tip = attempt.commit or self.tip
        self.counterexamples = ()
        self.seen[tree.id] = f"the tree after step {attempt.step}"

    def finished(self, attempt: Attempt) -> None:
        """Add an attempt. Of the steps before it only what a chain needs is kept; the ledger has the rest."""
        if attempt.outcome is StepOutcome.ACCEPTED:
            of_step = [_slim(known) for known in self.attempts if known.step == attempt.step]
            self.attempts = (*self.attempts[: len(self.attempts) - len(of_step)], *of_step, _slim(attempt))
        else:
            self.attempts += (attempt,)


@dataclass(frozen=True, slots=True)
class Standing:
    """A chain and how far it has come: nowhere yet, or where a killed process left it.

    `trees` are those of the accepted steps; `pending` is an attempt that was accepted and not committed, with its
    candidate; `seconds` is what the attempts took.
    """

    ground: Ground
    ledger: Ledger
    state: State
    trees: tuple[GitTree, ...] = ()
    pending: tuple[Attempt, Candidate] | None = None
    seconds: float = 0.0
    begun: bool = False


def _slim(attempt: Attempt) -> Attempt:
    """Without what the layers found: a chain of thousands of steps must not fill the memory."""
    if attempt.verdict is None:
        return attempt
    return replace(attempt, verdict=replace(attempt.verdict, layers=(), notes=()), detail="")


def counterexample(attempt: Attempt, diff: bytes) -> Counterexample:
    """The attempt as the proposer is told it; `diff` is its unified diff."""
    text = diff.decode("utf-8", "replace")
    return Counterexample(attempt.step, attempt.attempt, text, attempt.verdict, attempt.reason)
