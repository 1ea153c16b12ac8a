"""What a chain stands on, read once at its start."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scaffold_cli import __version__, clock
from scaffold_cli.chain.ledger import chains
from scaffold_cli.chain.options import ChainOptions, Limits
from scaffold_cli.chain.paths import check_paths, files_below
from scaffold_cli.config.loading import load_policy
from scaffold_cli.config.policy import Policy
from scaffold_cli.model.chain import ChainId, ChainStart
from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.commits import dirty_paths
from scaffold_cli.vcs.git import decode, git
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import PLAIN, GitTree

if TYPE_CHECKING:
    from scaffold_cli.sandbox.confinement import Confinement


@dataclass(frozen=True, slots=True)
class Ground:
    """The repository, the baseline tree, the policy and limits in force; `branch` is None for the current one."""

    repo: Repository
    baseline: GitTree
    policy: Policy
    limits: Limits
    options: ChainOptions
    start: ChainStart
    branch: str | None

    @property
    def confinement(self) -> Confinement:
        """What the proposer's command may reach."""
        from scaffold_cli.sandbox.confinement import Confinement

        return Confinement.of(self.policy.root.sandbox, network=self.policy.root.run.network)

    @property
    def max_file_bytes(self) -> int:
        """Files above this size (bytes) are left undecided."""
        return self.policy.root.max_file_bytes


def survey(store: ObjectStore, repo: Repository, goal: str, paths: tuple[str, ...], options: ChainOptions) -> Ground:
    """Look before anything starts.

    Raises UsageError when the chain could not keep its promise: no commit to go back to, a detached HEAD
    without a branch to commit to, a merge that is not finished, a path that is not committed or has
    uncommitted edits; also for an empty goal and limits or settings that make no sense.
    """
    if not goal.strip():
        raise UsageError("The goal is empty.", 'Say what the steps are for: --goal "…".')
    if not paths:
        raise UsageError("No path is given.", "Name the files or folders the goal is about; . is everything.")
    head = repo.head()
    if head is None:
        raise UsageError("The repository has no commit yet, so there is nothing to go back to.", "Commit once first.")
    branch = own_branch(repo, options)
    tip = head if branch is None else branch_tip(repo, branch) or head
    baseline = GitTree(store, store.tree_of(tip))
    check_paths(repo, baseline, paths)
    if branch is None:
        check_edits(repo, baseline, paths)
    policy, limits = policy_and_limits(baseline, options)
    start = ChainStart(
        chain=_new_id(repo),
        goal=goal,
        paths=paths,
        proposer="",
        baseline=tip,
        tree=baseline.id,
        branch=branch or repo.branch() or "",
        steps=limits.steps,
        retries=limits.retries,
        wall_time=limits.wall_time,
        lines=_lines(baseline, paths),
        version=__version__,
        hooks=options.verify,
    )
    return Ground(repo, baseline, policy, limits, options, start, branch)


def own_branch(repo: Repository, options: ChainOptions) -> str | None:
    """The branch that alone receives the commits; None when it is the one checked out, which must allow it.

    Raises UsageError for a detached HEAD and for a merge that is not finished.
    """
    branch = None if options.branch == repo.branch() else options.branch
    if branch is None:
        _check_checkout(repo)
    return branch


def policy_and_limits(baseline: GitTree, options: ChainOptions) -> tuple[Policy, Limits]:
    """What the baseline's settings and the options say. Raises UsageError for a setting that makes no sense."""
    policy = options.approve(load_policy(baseline, baseline.paths(), options.overrides))
    return policy, Limits.of(options, policy.root.run)


def branch_tip(repo: Repository, branch: str) -> str | None:
    """The commit a branch points at, or None when there is no such branch. Raises UsageError for a bad name."""
    if git("check-ref-format", "--branch", branch, cwd=repo.root, ok=(0, 1, 128)) == b"":
        raise UsageError(f"{branch!r} is no name for a branch.")
    name = f"refs/heads/{branch}^{{commit}}"
    return decode(git("rev-parse", "--quiet", "--verify", name, cwd=repo.root, ok=(0, 1))).strip() or None


def _check_checkout(repo: Repository) -> None:
    if repo.branch() is None:
        raise UsageError(
            "HEAD is detached, so the commits of a chain would belong to no branch.",
            "Check out a branch, or name one with --branch.",
        )
    operation = repo.operation_in_progress()
    if operation is not None:
        raise UsageError(f"A {operation} is in progress.", f"Finish it (git {operation} --continue) or abort it first.")


def check_edits(repo: Repository, baseline: GitTree, paths: tuple[str, ...]) -> None:
    """Raise UsageError where files of the chain have uncommitted edits.

    Files git does not know yet may stay: no candidate sees them, and none may overwrite them.
    """
    dirty = sorted(dirty_paths(repo) & files_below(baseline, paths).keys())
    if dirty:
        more = f" and {len(dirty) - 1} more have" if len(dirty) > 1 else " has"
        raise UsageError(
            f"{dirty[0]}{more} uncommitted edits, which an accepted step would mix with its own.",
            "Commit them or set them aside first; edits in files the chain is not about may stay.",
        )


def _lines(tree: GitTree, paths: tuple[str, ...]) -> int:
    files = [path for path, mode in files_below(tree, paths).items() if mode in PLAIN]
    contents = tree.read_many(files).values()
    return sum(len(data.splitlines()) for data in contents if b"\0" not in data[:8000])


def _new_id(repo: Repository) -> ChainId:
    """The latest of all chains by its name, also where the clock was put back."""
    last = max(chains(repo), default="").rpartition("-")[0]
    return ChainId(f"{clock.stamp(last)}-{secrets.token_hex(3)}")
