"""Private copies of an index, and the tree it stands for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree


def locate(repository: Repository, index_file: Path | None) -> Path:
    """The index to read: the repository's own, or the one a hook was given.

    Git means a relative GIT_INDEX_FILE from the top of the working tree; the current folder is tried next.
    """
    if index_file is None:
        return repository.git_dir / "index"
    from_root = repository.root / index_file
    return from_root if from_root.exists() else Path(os.path.abspath(index_file))  # noqa: PTH100 - keeps symlinks


def copy_index(store: ObjectStore, source: Path) -> None:
    """Copy an index into the store, its time stamp included.

    The stamp is what git tells files by that were edited in the very moment the index was written.
    No index at all is an empty one.
    """
    if source.exists():
        shutil.copy2(source, store.index)


def update_index(
    store: ObjectStore, *options: str, records: Iterable[bytes], env: Mapping[str, str] | None = None
) -> None:
    """Run `git update-index` over NUL-ended records. Raises UndecidedError for a path git will not store.

    Git leaves such a path out with a remark and exit code 0, which must not pass for "nothing changed".
    """
    stdin = b"".join(record + b"\0" for record in records)
    result = store.run("update-index", "-z", *options, stdin=stdin, env=env)
    remarks = decode(result.stderr).strip().splitlines() or ["git update-index failed"]
    if not result.ok or any(line.startswith("Ignoring path") for line in remarks):
        raise UndecidedError(f"git cannot store a file: {remarks[0]}.", "Rename or remove it, or have git ignore it.")


def write_tree(store: ObjectStore) -> GitTree:
    """The tree the store's index stands for. Raises UndecidedError when a merge in it is not finished."""
    result = store.run("write-tree")
    if not result.ok:
        refuse_unmerged(store)
        store.git("write-tree")
    return GitTree(store, result.stdout.decode().strip())


def refuse_unmerged(store: ObjectStore) -> None:
    """Raise UndecidedError naming the first path that still has conflicting versions in the index."""
    for record in store.git("ls-files", "-z", "--unmerged").split(b"\0"):
        if record:
            raise unfinished_merge(decode(record.partition(b"\t")[2]))


def unfinished_merge(path: str) -> UndecidedError:
    """The error for a path with conflicting versions."""
    return UndecidedError(
        f"The merge of {path} is not finished, so there is no one content to judge.",
        "Resolve the conflict and `git add` the file, or give the merge up with `git merge --abort`.",
    )


def head_tree(store: ObjectStore, head: str | None) -> GitTree:
    """The tree of the commit `head`, or the empty tree before the first commit."""
    return GitTree(store, store.empty_tree() if head is None else store.tree_of(head))
