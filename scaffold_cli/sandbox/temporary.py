"""Temporary folders for workspaces: where they may be, and getting rid of them whatever was put there."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError

_MEMORY = Path("/dev/shm")  # noqa: S108 - only ever used through mkdtemp, for when /tmp cannot hold an overlay's upper
_SPECIAL = frozenset(':,\\"')
"""Characters with a meaning in mount options."""


def bases(folder: Path) -> Iterator[Path]:
    """The folders in which temporary files for a workspace of `folder` may be kept, best first.

    Not inside `folder`: an overlay must not hold its own parts, and no copy may contain itself.
    """
    for base in dict.fromkeys((Path(tempfile.gettempdir()).resolve(), _MEMORY)):
        usable = base.is_dir() and os.access(base, os.W_OK) and not _SPECIAL & set(str(base))
        if usable and base != folder and folder not in base.parents:
            yield base


def new_folder(folder: Path, base: Path | None = None) -> Path:
    """A fresh private folder for a workspace of `folder`. Raises UndecidedError when there is no room for one."""
    where = base or next(bases(folder), None)
    if where is None:
        raise UndecidedError(
            f"There is no place for temporary files outside {folder}.", "Set TMPDIR to a folder outside the project."
        )
    return Path(tempfile.mkdtemp(prefix="scaffold-", dir=where))


def remove(folder: Path) -> None:
    """Remove a folder and all in it, also what its owner may not enter. Safe when it is gone already."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            child = Path(parent, name)
            mode = child.lstat().st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                child.chmod(stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)
