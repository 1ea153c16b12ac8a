"""One step of a chain: a candidate judged against the last accepted step and against the baseline."""

from __future__ import annotations

from scaffold_cli.chain.candidate import Candidate
from scaffold_cli.chain.ground import Ground, branch_tip
from scaffold_cli.chain.waiving import waive
from scaffold_cli.gate.layer import Mode
from scaffold_cli.gate.session import SessionOptions, judge_comparison
from scaffold_cli.model.change import Change, Door
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.verdict import Effect, Verdict
from scaffold_cli.sast.warm import Warm
from scaffold_cli.vcs.commits import commit
from scaffold_cli.vcs.compare import Comparison, compare
from scaffold_cli.vcs.tree import GitTree

_SHOWN = 2


class MovedError(UsageError):
    """The branch a chain commits to is no longer where the chain left it."""


def judge(
    ground: Ground, current: GitTree, candidate: Candidate, progress: Progress, warm: Warm | None = None
) -> Verdict:
    """The verdict on `candidate`, waivers applied; `warm` holds scanners that stay between steps.

    It is held against `current` and, from the second step on, against the chain's baseline too, so a
    protection cannot be taken down in slices. Raises UsageError for a bad configuration.
    """
    options = SessionOptions(
        mode=Mode.RUN,
        layers=ground.options.layers,
        isolation=ground.options.isolation,
        cache=ground.repo.scaffold_dir / "cache",
        policy=ground.policy,
        warm=warm,
    )
    change = _change(ground, current, candidate.tree)
    baseline = None if current.id == ground.baseline.id else _change(ground, ground.baseline, candidate.tree)
    comparison = Comparison.of(change, current, candidate.tree, ground.repo.root)
    verdict = judge_comparison(comparison, options, baseline=baseline, progress=progress)
    return waive(verdict, ground.options.waivers)


def commit_step(ground: Ground, current: GitTree, tip: str, candidate: Candidate, message: str) -> str:
    """Commit an accepted candidate and return the commit.

    Raises MovedError when the branch is not at `tip` any more, and what `vcs.commits.commit` raises; nothing
    has changed then.
    """
    _check_place(ground, tip)
    return commit(ground.repo, current, candidate.files, message, branch=ground.branch, verify=ground.options.verify)


def reason_for(verdict: Verdict) -> str:
    """One sentence on what decided the verdict: the first blocking (or undecided) violations."""
    for effect in (Effect.BLOCKS, Effect.UNDECIDED):
        told = [violation.what for violation in verdict.violations if violation.effect is effect]
        if told:
            more = f" ({len(told) - _SHOWN} more)" if len(told) > _SHOWN else ""
            return " ".join(told[:_SHOWN]) + more
    return ""


def _change(ground: Ground, before: GitTree, after: GitTree) -> Change:
    return compare(before, after, max_file_bytes=ground.max_file_bytes, door=Door.CANDIDATE, head="candidate")


def _check_place(ground: Ground, tip: str) -> None:
    repo, branch = ground.repo, ground.start.branch
    if ground.branch is None and repo.branch() != branch:
        raise MovedError(f"The branch {branch} is no longer checked out.", "Check it out and start a new chain.")
    now = branch_tip(repo, branch)
    # A branch of its own comes into being with the first commit.
    if now != tip and not (now is None and ground.branch is not None and tip == ground.start.baseline):
        raise MovedError(
            f"The branch {branch} moved while the chain was running, so the step was judged against another version.",
            "Start a new chain from where the branch is now.",
        )
