"""Commits of accepted steps: only the step's files, with the user's hooks, and everything taken back on failure."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.vcs.build import tree_with
from scaffold_cli.vcs.committing import CommitFailedError, CommitRefusedError, Order, commit_only, refuse_lock
from scaffold_cli.vcs.elsewhere import branch_worktree
from scaffold_cli.vcs.git import decode, encode, git, on_disk
from scaffold_cli.vcs.interrupts import Held
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree
from scaffold_cli.vcs.writing import NewFile, Swap, unwritable

__all__ = ["CommitFailedError", "CommitRefusedError", "commit", "dirty_paths"]


def commit(
    repo: Repository,
    tree_before: GitTree,
    files: Mapping[str, FileVersion | None],
    message: str,
    *,
    branch: str | None = None,
    verify: bool = True,
) -> str:
    """Write `files` (None deletes) to the user's folder, commit exactly them, and return the commit's id.

    `tree_before` is what the step was judged against; HEAD must still hold the same versions of these files.
    Other files keep their uncommitted work, staged or not. Hooks run unless `verify` is False; a hook that changes
    what is committed fails the commit, for that was not judged. With `branch` the commit goes there instead (the
    branch is made from HEAD when missing), hooks run in a temporary worktree and the user's folder is not touched.

    Raises CommitRefusedError when these files have uncommitted edits or a merge or rebase is under way, and
    CommitFailedError (with what git or the hook said) when the commit fails; files, index and branch are then as
    before, also after Ctrl-C.
    """
    if branch is not None and branch != repo.branch():
        with branch_worktree(repo, branch) as beside:
            return commit(beside, tree_before, files, message, verify=verify)
    head = repo.head()
    store = tree_before.store
    current = GitTree(store, store.empty_tree() if head is None else store.tree_of(head))
    _refuse_moved(current, tree_before, files)
    expected = tree_with(current, files)
    if expected.id == current.id:
        raise CommitRefusedError("There is nothing to commit: HEAD already holds these files.")
    _refuse_unfinished(repo)
    _refuse_dirty(repo, current, files)
    refuse_lock(repo)
    prepared = _checked_out(expected, files)
    try:
        keep = _own_folder(repo)
        return _swap_and_commit(repo, prepared, Order(tuple(sorted(files)), message, head, expected.id, verify, keep))
    except OSError as error:
        raise unwritable(error) from error


def _swap_and_commit(repo: Repository, prepared: Mapping[str, NewFile | None], order: Order) -> str:
    swap = Swap(repo.root, order.keep)
    with Held() as held:
        try:
            swap.apply(prepared)
            new = commit_only(repo, order, held)
        except BaseException:
            swap.undo()
            raise
        swap.done()
        return new


def dirty_paths(repo: Repository) -> frozenset[str]:
    """Paths that differ between HEAD, the index and the working tree, untracked files that are not ignored included."""
    options = ("--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames")
    records = git("status", *options, cwd=repo.root).split(b"\0")
    return frozenset(decode(record[3:]) for record in records if record)


def _own_folder(repo: Repository) -> Path:
    repo.scaffold_dir.mkdir(exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="originals-", dir=repo.scaffold_dir))


def _refuse_moved(current: GitTree, before: GitTree, files: Mapping[str, FileVersion | None]) -> None:
    for path, version in files.items():
        if current.entries().get(path) != before.entries().get(path):
            raise CommitRefusedError(
                f"{path} has changed in HEAD since the step was judged.", "Run the chain again from the new HEAD."
            )
        if version is not None and version.mode is FileMode.SUBMODULE:
            raise CommitRefusedError(f"{path} is a submodule, which a step cannot move.")


def _refuse_unfinished(repo: Repository) -> None:
    operation = repo.operation_in_progress()
    if operation is not None:
        raise CommitRefusedError(f"A {operation} is under way in this repository.", "Finish it or give it up first.")


def _refuse_dirty(repo: Repository, current: GitTree, files: Mapping[str, FileVersion | None]) -> None:
    dirty = dirty_paths(repo) | _overlooked(repo)
    known = current.entries()
    for path in files:
        unknown = path not in known and os.path.lexists(on_disk(repo.root, path))
        if path in dirty or (unknown and not on_disk(repo.root, path).is_dir()):
            raise CommitRefusedError(
                f"{path} has uncommitted work of yours, so it is not written.",
                "Commit it or put it aside (`git stash`), then run again.",
            )


def _overlooked(repo: Repository) -> frozenset[str]:
    """Paths whose edits git was told not to look at (assume-unchanged, skip-worktree)."""
    records = git("ls-files", "-v", "-z", cwd=repo.root).split(b"\0")
    return frozenset(decode(record[2:]) for record in records if record[:1] == b"S" or record[:1].islower())


def _checked_out(expected: GitTree, files: Mapping[str, FileVersion | None]) -> dict[str, NewFile | None]:
    """The step's files as git would check them out here (line ends, filters), in the store's scratch folder."""
    store = expected.store
    folder = store.scratch_file("checkout")
    folder.mkdir()
    env = {"GIT_INDEX_FILE": str(store.scratch_file("index"))}
    store.git("read-tree", expected.id, env=env)
    wanted = b"".join(encode(path) + b"\0" for path, version in files.items() if version is not None)
    store.git("checkout-index", "-z", "--stdin", f"--prefix={folder}/", stdin=wanted, env=env)
    return {
        path: None if version is None else NewFile(on_disk(folder, path), version.mode is FileMode.EXECUTABLE)
        for path, version in files.items()
    }
