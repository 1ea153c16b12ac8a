"""Temporary folders for workspaces: where they may be."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.change import FileMode
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.sandbox.paths import from_git
from scaffold_cli.vcs.tree import GitTree

_FEW = 2_000
"""Files of a tree that is checked out in memory."""
_SMALL = 32_000_000
"""Bytes of such a tree."""
_PLENTY = 2_000_000_000
"""Bytes that must be free there."""
_SPECIAL = frozenset(':,\\"')
"""Characters with a meaning in mount options."""


def bases(folder: Path) -> Iterator[Path]:
    """The folders in which temporary files for a workspace of `folder` may be kept, best first.

    Not inside `folder`: an overlay must not hold its own parts, and no copy may contain itself.
    """
    for base in dict.fromkeys((Path(tempfile.gettempdir()).resolve(), owned.MEMORY)):
        usable = base.is_dir() and os.access(base, os.W_OK) and not _SPECIAL & set(str(base))
        if usable and base != folder and folder not in base.parents:
            yield base


def in_memory(tree: GitTree, folder: Path) -> Path | None:
    """Where a small tree can be checked out without a disk: creating files there takes a tenth of the time.

    None when the tree is not small, programs may not run from there, or there is not plenty of room for what tests
    write beside it.
    """
    if owned.MEMORY not in bases(folder) or len(tree.entries()) > _FEW:
        return None
    room = os.statvfs(owned.MEMORY)
    if room.f_flag & os.ST_NOEXEC or room.f_bavail * room.f_frsize < _PLENTY:
        return None
    return owned.MEMORY if _size(tree, folder) <= _SMALL else None


def _size(tree: GitTree, folder: Path) -> int:
    """About how many bytes a tree has: a file that lies in the folder is as large as it is there."""
    size, unknown = 0, []
    for path, entry in tree.entries().items():
        try:
            size += (folder / from_git(path)).lstat().st_size
        except OSError:
            if entry.mode is not FileMode.SUBMODULE:
                unknown.append(entry.oid)
    return size + sum(tree.store.sizes(unknown).values())


def new_folder(folder: Path, base: Path | None = None) -> Path:
    """A fresh private folder for a workspace of `folder`. Raises UndecidedError when there is no room for one."""
    where = base or next(bases(folder), None)
    if where is None:
        raise UndecidedError(
            f"There is no place for temporary files outside {folder}.", "Set TMPDIR to a folder outside the project."
        )
    return owned.new_folder(where)
