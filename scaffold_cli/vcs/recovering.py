"""Finishing, or taking back, a step whose process was killed. What the journal says and where the branch is decide."""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from scaffold_cli import clock
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.committing import parents_of, ref_locks, tip_of
from scaffold_cli.vcs.elsewhere import remove_branch, remove_worktree
from scaffold_cli.vcs.git import decode, git
from scaffold_cli.vcs.putting_back import Newer, put_back
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.step import Journal, Step

_PATIENCE = 5.0
"""Seconds for a git to end by itself, and for somebody else's lock to go away."""


class Recovery(StrEnum):
    """What became of a step that was cut off."""

    UNTOUCHED = "nothing of it had been written"
    TAKEN_BACK = "it was taken back"
    FINISHED = "it had been committed and was finished"
    LEFT = "the branch has moved since, so files and index were left as they are"


@dataclass(frozen=True, slots=True)
class Recovered:
    """The outcome; `newer` are files that somebody had edited since, `tree` the step's tree."""

    recovery: Recovery
    newer: tuple[Newer, ...] = ()
    tree: str = ""


def recover(repo: Repository) -> Recovered | None:
    """Bring a step that was cut off to one of its two ends; None when there is none. Safe to call again.

    The caller holds the lock of the work tree. Raises UndecidedError when somebody else's git is in the way.
    """
    step = Step(repo)
    step.sweep()
    if not step.folder.exists():
        return None
    _end_committer(step)
    journal = step.journal()
    if journal is None:
        step.close()
        return Recovered(Recovery.UNTOUCHED)
    _clear_locks(repo, journal)
    recovered = _elsewhere(repo, step, journal) if journal.worktree else _here(repo, step, journal)
    step.close()
    return recovered


def _here(repo: Repository, step: Step, journal: Journal) -> Recovered:
    where = journal.ref or "HEAD"
    tip = tip_of(repo, where)
    ours = _our_commit(repo, step, journal, tip)
    if ours is not None and tip != ours:
        return Recovered(Recovery.FINISHED, tree=journal.tree)
    if ours is not None and _tree_of(repo, ours) == journal.tree:
        if step.new_index.exists() and step.index_is_as_before:
            step.install_index()
        return Recovered(Recovery.FINISHED, tree=journal.tree)
    if ours is not None:  # a hook changed what it holds
        change = (where, journal.head, ours) if journal.head else ("-d", where, ours)
        git("update-ref", "-m", "scaffold: take back a commit", *change, cwd=repo.root)
    elif tip != journal.head:
        return Recovered(Recovery.LEFT, tree=journal.tree)
    assert journal.plan is not None
    kept = repo.own_dir / "kept" / step.name if journal.hooks else None
    newer = put_back(repo.root, step.folder, journal.plan, kept)
    return Recovered(Recovery.TAKEN_BACK, newer, journal.tree)


def _elsewhere(repo: Repository, step: Step, journal: Journal) -> Recovered:
    """A step for a branch that is not checked out: only the branch and the temporary worktree can have been seen."""
    folder = Path(journal.worktree)
    inner = _worktree_at(repo, folder)
    if inner is not None:
        _end_committer(Step(inner))
    tip = tip_of(repo, journal.ref)
    ours = _our_commit(repo, step, journal, tip)
    remove_worktree(repo, folder)
    with contextlib.suppress(OSError):
        folder.parent.rmdir()
    if ours is not None:
        return Recovered(Recovery.FINISHED)
    if journal.made and tip is not None and tip == journal.head:
        remove_branch(repo, journal.ref, tip)
    return Recovered(Recovery.TAKEN_BACK)


def _our_commit(repo: Repository, step: Step, journal: Journal, tip: str | None) -> str | None:
    """The step's commit between `head` and the tip: it has that parent, and that tree or that message."""
    if tip is None or tip == journal.head:
        return None
    since = (f"^{journal.head}",) if journal.head else ()
    message = decode(step.message.read_bytes()).strip()
    for commit in decode(git("rev-list", "--max-count=1000", tip, *since, cwd=repo.root)).split():
        if parents_of(repo, commit) != ([journal.head] if journal.head else []):
            continue
        said = decode(git("show", "-s", "--format=%B", commit, cwd=repo.root)).strip()
        if _tree_of(repo, commit) == journal.tree or said == message:
            return commit
    return None


def _tree_of(repo: Repository, commit: str) -> str:
    return decode(git("rev-parse", f"{commit}^{{tree}}", cwd=repo.root)).strip()


def _worktree_at(repo: Repository, folder: Path) -> Repository | None:
    admin = repo.common_dir / "worktrees"
    for found in sorted(admin.iterdir()) if admin.is_dir() else []:
        with contextlib.suppress(OSError):
            if Path((found / "gitdir").read_text().strip()).parent == folder:
                return Repository(folder, found, repo.common_dir)
    return None


def _end_committer(step: Step) -> None:
    """End the git (and the user's hooks) that a killed run left committing: nobody is there to judge its outcome."""
    pid, running = step.committer()
    if not running:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, number)
        if clock.waited(lambda: not step.committer()[1], _PATIENCE):
            return
    raise UndecidedError(f"The git commit of the step (process {pid}) does not end.", "End it, then run again.")


def _clear_locks(repo: Repository, journal: Journal) -> None:
    """Remove the locks a killed git left on HEAD and the branch: git holds them for moments, so they must be dead."""
    for lock in ref_locks(repo, journal.ref):
        before = _identity(lock)
        if before is None or clock.waited(partial(_differs, lock, before), _PATIENCE / 2):
            continue
        lock.unlink(missing_ok=True)


def _differs(lock: Path, before: tuple[int, int]) -> bool:
    return _identity(lock) != before


def _identity(lock: Path) -> tuple[int, int] | None:
    try:
        status = lock.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
