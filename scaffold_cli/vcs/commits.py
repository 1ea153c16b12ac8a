"""Commits of accepted steps: only the step's files, with the user's hooks, and everything taken back on failure."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.model.errors import ScaffoldError
from scaffold_cli.vcs.build import tree_with
from scaffold_cli.vcs.committing import CommitFailedError, Order, commit_prepared, refuse_locks, take_back
from scaffold_cli.vcs.elsewhere import branch_worktree
from scaffold_cli.vcs.git import decode, encode, git, on_disk
from scaffold_cli.vcs.hooks import has_hooks
from scaffold_cli.vcs.interrupts import Held
from scaffold_cli.vcs.putting_back import Newer, put_back
from scaffold_cli.vcs.refs import copy_objects
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.step import CommitRefusedError, Journal, Step, prepare_indexes
from scaffold_cli.vcs.tree import GitTree
from scaffold_cli.vcs.writing import EditedError, NewFile, Plan, Swap, unwritable

__all__ = ["CommitFailedError", "CommitRefusedError", "EditedError", "commit", "dirty_paths", "versions"]


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

    Raises CommitRefusedError when these files have uncommitted edits or a merge or rebase is under way, EditedError
    when one is edited in the moment it is written (that edit stays), and CommitFailedError (with what git or the hook
    said) when the commit fails; files, index and branch are then as before, also after Ctrl-C. After a kill,
    `vcs.recovering` finishes the step or takes it back.
    """
    if branch is not None and branch != repo.branch():
        with branch_worktree(repo, branch, message) as beside:
            return commit(beside, tree_before, files, message, verify=verify)
    head = repo.head()
    store = tree_before.store
    current = GitTree(store, store.empty_tree() if head is None else store.tree_of(head))
    _refuse_moved(current, tree_before, files)
    expected = tree_with(current, files)
    if expected.id == current.id:
        raise CommitRefusedError("There is nothing to commit: HEAD already holds these files.")
    _refuse_unfinished(repo)
    refuse_locks(repo, repo.head_ref() or "")
    work = _Work(repo, current, expected, files, Order(head, expected.id, verify))
    try:
        with Held() as held:
            step = Step.begin(repo, encode(message))
            return work.done(step, held)
    except OSError as error:
        raise unwritable(error) from error


@dataclass(frozen=True, slots=True)
class _Work:
    """One commit into the user's own folder."""

    repo: Repository
    current: GitTree
    expected: GitTree
    files: Mapping[str, FileVersion | None]
    order: Order

    def done(self, step: Step, held: Held) -> str:
        plan: Plan | None = None
        hooks = has_hooks(self.repo)
        try:
            step.lock_index()
            swap = Swap(self.repo.root, step.folder)
            plan = swap.plan(_checked_out(self.expected, self.files))  # before git looks: a later edit is seen by us
            _refuse_dirty(self.repo, self.current, self.files)
            copy_objects(self.expected, self.repo)
            prepare_indexes(self.repo, step, self.expected.id, self._records())
            ref = self.repo.head_ref() or ""
            step.record(Journal(self.order.head, ref, self.expected.id, plan, hooks=hooks))
            swap.apply(plan)
            new = commit_prepared(self.repo, step, self.order, held)
            step.install_index()
        except BaseException as error:
            self._take_back(step, plan, hooks, error)
            raise
        step.close()
        return new

    def _take_back(self, step: Step, plan: Plan | None, hooks: bool, error: BaseException) -> None:
        take_back(self.repo, self.order.head)
        newer: tuple[Newer, ...] = ()
        if plan is not None:
            kept = self.repo.own_dir / "kept" / step.name if hooks else None
            newer = put_back(self.repo.root, step.folder, plan, kept)
        if isinstance(error, EditedError) and not newer:
            newer = (Newer(error.path, on_disk(self.repo.root, error.path)),)
        if newer and isinstance(error, ScaffoldError):
            error.hint = f"{error.hint} {versions(newer, self.order.tree)}".strip()
        step.close()

    def _records(self) -> bytes:
        """What of the user's index changes, for ``git update-index --index-info``; removals first."""
        entries = {path: self.expected.entries().get(path) for path in self.files}
        nothing = "0" * len(self.expected.id)
        gone = [f"0 {nothing}\t{path}" for path, entry in entries.items() if entry is None]
        there = [f"{entry.mode.value} {entry.oid}\t{path}" for path, entry in entries.items() if entry is not None]
        return b"".join(encode(record) + b"\0" for record in (*gone, *there))


def versions(newer: tuple[Newer, ...], tree: str) -> str:
    """Where the three versions of files are that somebody edited while a step wrote them: nothing is lost."""
    told = [
        f"{item.path}: yours is {item.place}, the one before is `git show HEAD:{item.path}`, the step's is "
        f"`git show {tree[:12]}:{item.path}`."
        for item in newer
    ]
    return " ".join(("Three versions are kept.", *told))


def dirty_paths(repo: Repository) -> frozenset[str]:
    """Paths that differ between HEAD, the index and the working tree, untracked files that are not ignored included."""
    options = ("--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=none", "--no-renames")
    records = git("status", *options, cwd=repo.root).split(b"\0")
    return frozenset(decode(record[3:]) for record in records if record)


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
