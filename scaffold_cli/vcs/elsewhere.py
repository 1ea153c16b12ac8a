"""Committing to a branch that is not checked out: a worktree beside the user's, gone afterwards."""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.git import decode, git, run
from scaffold_cli.vcs.repository import Repository


@contextlib.contextmanager
def branch_worktree(repo: Repository, branch: str) -> Iterator[Repository]:
    """A temporary worktree with `branch` checked out; a missing branch is made from HEAD.

    On an exception inside, a branch that was made here is removed again. Raises UsageError for a bad name, a
    branch that is checked out elsewhere, or an unborn HEAD.
    """
    if branch.startswith("-") or not run("check-ref-format", f"refs/heads/{branch}", cwd=repo.root).ok:
        raise UsageError(f"{branch!r} is no name for a branch.")
    made_from = None if _exists(repo, branch) else repo.head()
    scratch = Path(tempfile.mkdtemp(prefix="scaffold-")).resolve()
    folder = scratch / re.sub(r"[^\w.-]", "-", f"branch-{branch}")
    try:
        _add(repo, branch, folder, made_from)
        yield Repository.discover(folder)
    except BaseException:
        _remove(repo, folder)
        if made_from is not None:
            git("update-ref", "-d", f"refs/heads/{branch}", made_from, cwd=repo.root, ok=(0, 1, 128), essential=True)
        raise
    else:
        _remove(repo, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _exists(repo: Repository, branch: str) -> bool:
    return run("show-ref", "--verify", "--quiet", f"refs/heads/{branch}", cwd=repo.root).ok


def _add(repo: Repository, branch: str, folder: Path, made_from: str | None) -> None:
    if made_from is None and repo.head() is None:
        raise UsageError("There is no commit yet from which to make a branch.", "Make a first commit.")
    new = () if made_from is None else ("--no-track", "-b", branch)
    added = run("worktree", "add", *new, str(folder), made_from or branch, cwd=repo.root)
    if not added.ok:
        reason = decode(added.stderr).strip().splitlines() or ["git worktree failed"]
        raise UsageError(
            f"The branch {branch} cannot be checked out beside yours: {reason[-1].removeprefix('fatal: ')}.",
            "Close the worktree that holds it, or choose another branch.",
        )


def _remove(repo: Repository, folder: Path) -> None:
    run("worktree", "remove", "--force", "--force", str(folder), cwd=repo.root, essential=True)
    shutil.rmtree(folder, ignore_errors=True)
    run("worktree", "prune", cwd=repo.root, essential=True)
