"""Two folders or two files, no repository needed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.change import Door, FileMode
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.build import hash_files, tree_of_entries
from scaffold_cli.vcs.compare import Comparison, compare
from scaffold_cli.vcs.git import from_disk
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree, TreeEntry

LEFT_OUT = frozenset({".git", "__pycache__", ".venv", "node_modules"})
"""Names nobody wrote by hand: repositories, byte caches, installed packages. Ignore files are not obeyed."""


def folders(before: Path, after: Path, max_file_bytes: int) -> Comparison:
    """What differs between two folders, or two files (compared under one name).

    Bytes are taken as they are, whatever attributes say. Raises UsageError for a missing path or a file against a
    folder, UndecidedError for something unreadable.
    """
    for path in (before, after):
        if not os.path.lexists(path):
            raise UsageError(f"There is no file or folder {path}.")
    store = ObjectStore.detached()
    with store.kept():
        if before.is_dir() and after.is_dir():
            trees = folder_tree(store, before), folder_tree(store, after)
            homes = before, after
        elif not before.is_dir() and not after.is_dir():
            name = _common_name(before, after)
            trees = _file_tree(store, before, name), _file_tree(store, after, name)
            homes = store.root, store.root  # the files' neighbours are none of our business
        else:
            raise UsageError(f"{before} and {after} cannot be compared: one is a folder, the other a file.")
        change = compare(*trees, max_file_bytes=max_file_bytes, door=Door.FOLDERS, base=str(before), head=str(after))
        return Comparison.of(change, *trees, homes[1], homes[0])


def folder_tree(store: ObjectStore, folder: Path) -> GitTree:
    """The files below `folder` as a tree of `store`. Raises UsageError when there is no such folder."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.")
    return _tree(store, [_found(place, from_disk(place.relative_to(folder)), store) for place in _walk(folder)])


@dataclass(frozen=True, slots=True)
class _Found:
    path: str
    mode: FileMode
    source: Path
    """The file whose bytes to take."""


def _tree(store: ObjectStore, found: list[_Found]) -> GitTree:
    oids = hash_files(store, [os.fsencode(item.source) for item in found])
    entries = {item.path: TreeEntry(item.mode, oid) for item, oid in zip(found, oids, strict=True)}
    return tree_of_entries(store, entries)


def _file_tree(store: ObjectStore, file: Path, name: str) -> GitTree:
    if str(file) == os.devnull:
        return GitTree(store, store.empty_tree())
    if not file.is_file():
        raise UsageError(f"{file} is not a plain file.")
    return _tree(store, [_found(file.resolve(), name, store)])


def _common_name(before: Path, after: Path) -> str:
    """The after file's name, unless only the before file's tells the language."""
    return from_disk(Path(before.name if before.suffix and not after.suffix else after.name))


def _walk(top: Path) -> Iterator[Path]:
    """Files and symlinks below `top`; pipes, sockets and devices have no content to judge."""
    for folder, names, files in os.walk(top, onerror=_unreadable):
        names[:] = sorted(set(names) - LEFT_OUT)
        links = [name for name in names if Path(folder, name).is_symlink()]
        for name in sorted(set(files + links) - LEFT_OUT):
            place = Path(folder, name)
            mode = place.lstat().st_mode
            if stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                yield place


def _found(place: Path, path: str, store: ObjectStore) -> _Found:
    mode = place.lstat().st_mode
    if stat.S_ISLNK(mode):
        target = store.scratch_file("link")
        target.write_bytes(os.fsencode(place.readlink()))
        return _Found(path, FileMode.SYMLINK, target)
    if not os.access(place, os.R_OK):
        raise UndecidedError(f"The file {place} cannot be read, so it cannot be judged.", "Make it readable.")
    executable = bool(mode & stat.S_IXUSR)
    return _Found(path, FileMode.EXECUTABLE if executable else FileMode.REGULAR, place.absolute())


def _unreadable(error: OSError) -> None:
    raise UndecidedError(f"The folder {error.filename!r} cannot be read: {error.strerror}.", "Make it readable.")
