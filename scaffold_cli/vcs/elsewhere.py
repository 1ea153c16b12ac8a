"""Committing to a branch that is not checked out: a worktree beside the user's, gone afterwards."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.committing import tip_of
from scaffold_cli.vcs.git import decode, encode, git, run
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.step import Journal, Step


@contextlib.contextmanager
def branch_worktree(repo: Repository, branch: str, message: str) -> Iterator[Repository]:
    """A temporary worktree with `branch` checked out; a missing branch is made from HEAD.

    On an exception inside, a branch that was made here is removed again; after a kill, `vcs.recovering` does that,
    which knows the commit by its `message`. Raises UsageError for a bad name, a branch that is checked out
    elsewhere, or an unborn HEAD.
    """
    if branch.startswith("-") or not run("check-ref-format", f"refs/heads/{branch}", cwd=repo.root).ok:
        raise UsageError(f"{branch!r} is no name for a branch.")
    ref = f"refs/heads/{branch}"
    base = tip_of(repo, ref)
    made = base is None
    base = base or repo.head()
    if base is None:
        raise UsageError("There is no commit yet from which to make a branch.", "Make a first commit.")
    step = Step.begin(repo, encode(message))
    scratch = owned.new_folder().resolve()
    folder = scratch / re.sub(r"[^\w.-]", "-", f"branch-{branch}")
    try:
        step.record(Journal(base, ref, "", made=made, worktree=str(folder)))
        _add(repo, branch, folder, base if made else None)
        yield Repository.discover(folder)
    except BaseException:
        remove_worktree(repo, folder)
        if made:
            remove_branch(repo, ref, base)
        raise
    else:
        remove_worktree(repo, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        step.close()


def remove_branch(repo: Repository, ref: str, tip: str) -> None:
    """Remove a branch that is still where we made it."""
    git("update-ref", "-d", ref, tip, cwd=repo.root, ok=(0, 1, 128), essential=True)


def remove_worktree(repo: Repository, folder: Path) -> None:
    """Remove the worktree in `folder`, and nothing of any other one; safe when it is gone already."""
    # Not `git worktree prune`: it would forget the user's worktrees on disks that are not mounted.
    run("worktree", "remove", "--force", "--force", str(folder), cwd=repo.root, essential=True)
    shutil.rmtree(folder, ignore_errors=True)


def _add(repo: Repository, branch: str, folder: Path, made_from: str | None) -> None:
    new = () if made_from is None else ("--no-track", "-b", branch)
    added = run("worktree", "add", *new, str(folder), made_from or branch, cwd=repo.root)
    if not added.ok:
        reason = decode(added.stderr).strip().splitlines() or ["git worktree failed"]
        raise UsageError(
            f"The branch {branch} cannot be checked out beside yours: {reason[-1].removeprefix('fatal: ')}.",
            "Close the worktree that holds it, or choose another branch.",
        )
