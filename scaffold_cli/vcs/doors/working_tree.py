"""The working tree against HEAD: staged, unstaged, and untracked files that are not ignored."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from scaffold_cli.model.change import Door, FileMode
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.compare import Comparison, compare
from scaffold_cli.vcs.doors.merging import resolver_side
from scaffold_cli.vcs.git import decode, encode, on_disk, run
from scaffold_cli.vcs.index import copy_index, head_tree, unfinished_merge, update_index, write_tree
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree


def working_tree(repo: Repository, max_file_bytes: int) -> Comparison:
    """What `git add -A` and a commit would record, read without touching the index.

    The after side is what git would store, so line-end and filter attributes of the repository apply. Only
    files whose time stamps differ from the index are read. Raises UndecidedError for an unfinished merge or
    a file or folder that cannot be read.
    """
    head = repo.head()
    store = ObjectStore.of(repo)
    with store.kept():
        copy_index(store, repo.git_dir / "index")
        after = snapshot(store, repo)
        before = resolver_side(store, repo, head_tree(store, head), after)
        change = compare(
            before,
            after,
            max_file_bytes=max_file_bytes,
            door=Door.WORKING_TREE,
            base=head,
            head="working tree",
        )
        return Comparison.of(change, before, after, repo.root)


def snapshot(store: ObjectStore, repo: Repository) -> GitTree:
    """Bring the store's index up to the working tree and write its tree."""
    put, gone = [], []
    for item in _differing(store):
        if _counts(repo, item):
            put.append(item.path)
        elif item.tracked:
            gone.append(item.path)
    for options, paths in (("--force-remove",), gone), (("--add", "--remove", "--replace"), put):
        if paths:
            update_index(store, *options, "--stdin", records=map(encode, paths))
    return write_tree(store)


@dataclass(frozen=True, slots=True)
class _Item:
    path: str
    tracked: bool
    may_be_repository: bool = False
    """A folder here counts: it is a submodule, or git lists it as a whole."""


def _differing(store: ObjectStore) -> Iterator[_Item]:
    """Paths whose working file may differ from the index. Records of `ls-files -t`: ``tag mode oid stage TAB path``."""
    result = store.run("ls-files", "-z", "-t", "-u", "-m", "-d", "-o", "--exclude-standard", "--deduplicate")
    if not result.ok or b"could not open directory" in result.stderr:
        reason = decode(result.stderr).strip().splitlines()
        raise UndecidedError(
            f"The working tree cannot be read: {reason[0] if reason else 'git ls-files failed'}.",
            "Make it readable, or name it in .gitignore when it is none of the repository's business.",
        )
    for record in result.stdout.split(b"\0"):
        if not record:
            continue
        tag, _, rest = record.partition(b" ")
        if tag == b"?":
            yield _Item(decode(rest.rstrip(b"/")), tracked=False, may_be_repository=rest.endswith(b"/"))
            continue
        fields, _, path = rest.partition(b"\t")
        mode, _, stage = fields.decode().split()
        if stage != "0":
            raise unfinished_merge(decode(path))
        yield _Item(decode(path), tracked=True, may_be_repository=mode == FileMode.SUBMODULE)


def _counts(repo: Repository, item: _Item) -> bool:
    """True when something git can store lies at the path. Raises UndecidedError when that cannot be told or read."""
    place = on_disk(repo.root, item.path)
    if _behind_symlink(repo, item.path):
        return False
    try:
        mode = place.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except PermissionError as error:
        raise _unreadable(item.path) from error
    if stat.S_ISDIR(mode):
        return item.may_be_repository and _has_commit(repo, item.path)
    if stat.S_ISREG(mode) and not os.access(place, os.R_OK):
        raise _unreadable(item.path)
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode)


def _behind_symlink(repo: Repository, path: str) -> bool:
    """True when a folder on the way is a symlink: git does not look behind it."""
    parents = PurePosixPath(path).parents[:-1]
    return any(on_disk(repo.root, str(parent)).is_symlink() for parent in parents)


def _has_commit(repo: Repository, path: str) -> bool:
    return run("rev-parse", "--quiet", "--verify", "HEAD", cwd=on_disk(repo.root, path)).ok


def _unreadable(path: str) -> UndecidedError:
    return UndecidedError(
        f"The file {path} cannot be read, so it cannot be judged.",
        "Make it readable, or name it in .gitignore when it is none of the repository's business.",
    )
