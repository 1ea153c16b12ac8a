"""Takes an accepted step back by a new commit, and refuses where that would lose anything."""

from __future__ import annotations

from collections.abc import Collection

from scaffold_cli.chain.entry import EntryKind
from scaffold_cli.chain.interrupts import uninterrupted
from scaffold_cli.chain.ledger import reopened
from scaffold_cli.chain.message import undo_message
from scaffold_cli.chain.resume import refuse_cut_off, tidy_up
from scaffold_cli.chain.view import ChainView, find_step
from scaffold_cli.model.chain import Attempt
from scaffold_cli.model.change import Door
from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.build import files_before
from scaffold_cli.vcs.commits import commit, dirty_paths
from scaffold_cli.vcs.compare import compare
from scaffold_cli.vcs.git import decode, git
from scaffold_cli.vcs.lock import work_tree_lock
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

_NO_LIMIT = 1 << 62


class UndoRefusedError(UsageError):
    """Taking the step back would lose something. Nothing was written."""


def undo(repo: Repository, spec: str | None = None, *, verify: bool = True) -> tuple[Attempt, str]:
    """Take back the step `spec` names (default: the latest accepted one not yet undone of the latest chain).

    Only the step's files are written, by a new commit on the current branch; everything else, uncommitted work
    included, stays. Returns the attempt and the new commit. Raises UndoRefusedError with the reason, LockedError while
    a chain runs in this worktree.
    """
    found, attempt = _which(repo, spec)
    with work_tree_lock(repo, "undo") as lock, ObjectStore.of(repo) as store:
        refuse_cut_off(repo)
        tidy_up(repo, lock)
        _check_history(repo, found, attempt)
        lock.name(found.chain)
        after = GitTree(store, store.tree_of(attempt.commit))
        before = GitTree(store, store.tree_of(f"{attempt.commit}^"))
        change = compare(before, after, max_file_bytes=_NO_LIMIT, door=Door.CANDIDATE)
        files = files_before(change)
        head = GitTree(store, store.tree_of("HEAD"))
        _check_files(repo, attempt, files, after, head)
        with uninterrupted():
            oid = commit(repo, head, files, undo_message(found.start, attempt, hooks=verify), verify=verify)
            reopened(repo, found.chain).append(EntryKind.UNDO, {"step": attempt.step, "commit": oid})
    return attempt, oid


def _which(repo: Repository, spec: str | None) -> tuple[ChainView, Attempt]:
    found, attempts = find_step(repo, spec)
    if spec is None:
        left = [attempt for attempt in found.accepted if found.undo_of(attempt.step) is None]
        if not left:
            raise UndoRefusedError(f"Chain {found.chain} has no accepted step left to undo.")
        return found, left[-1]
    committed = [attempt for attempt in attempts if attempt.commit]
    if not committed:
        step, outcome = attempts[-1].step, attempts[-1].outcome.value
        raise UndoRefusedError(f"Step {step} of chain {found.chain} was not accepted ({outcome}); nothing is to undo.")
    return found, committed[-1]


def _check_history(repo: Repository, found: ChainView, attempt: Attempt) -> None:
    undone = found.undo_of(attempt.step)
    if undone is not None:
        raise UndoRefusedError(f"Step {attempt.step} was already undone by commit {undone.commit[:12]}.")
    operation = repo.operation_in_progress()
    if operation is not None:
        raise UndoRefusedError(f"A {operation} is in progress.", f"Finish it (git {operation} --continue) or abort it.")
    if repo.branch() is None:
        raise UndoRefusedError("HEAD is detached, so the undo would belong to no branch.", "Check out a branch first.")
    if not git("cat-file", "-t", attempt.commit, cwd=repo.root, ok=(0, 128)):
        raise UndoRefusedError(f"The commit {attempt.commit[:12]} of step {attempt.step} is gone from the repository.")
    base = git("merge-base", attempt.commit, "HEAD", cwd=repo.root, ok=(0, 1))
    if decode(base).strip() != attempt.commit:
        raise UndoRefusedError(
            f"Step {attempt.step} (commit {attempt.commit[:12]}) is not part of the current branch.",
            f"Check out {found.start.branch or 'the branch it was committed to'} first.",
        )


def _check_files(repo: Repository, attempt: Attempt, files: Collection[str], after: GitTree, head: GitTree) -> None:
    for path in sorted(files):
        if head.entries().get(path) != after.entries().get(path):
            raise UndoRefusedError(
                f"{path} was changed again after step {attempt.step}, and the undo would lose that.",
                "Undo the later steps first, or use git revert and resolve the conflict by hand.",
            )
    dirty = dirty_paths(repo)
    for path in sorted(files):
        if path in dirty:
            raise UndoRefusedError(
                f"{path} has uncommitted edits, which the undo would lose.", "Commit them or set them aside first."
            )
