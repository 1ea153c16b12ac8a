"""Writing file versions into a folder from outside, without ever following a link that was put there."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path, PurePosixPath

from scaffold_cli import owned
from scaffold_cli.model.change import FileMode, FileVersion


def mode_of(path: Path) -> int | None:
    """The mode of what is at `path`, links not followed; None when nothing is."""
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_real_folder(path: Path) -> bool:
    """True for a folder, false for a link to one."""
    mode = mode_of(path)
    return mode is not None and stat.S_ISDIR(mode)


def reaches(root: Path, path: str) -> bool:
    """True when every parent of `path` below `root` is a real folder, as git demands of a path."""
    return all(is_real_folder(root / parent) for parent in list(PurePosixPath(path).parents)[:-1])


def read_plain(root: Path, path: str) -> bytes | None:
    """The bytes of the plain file at `path` below `root`, or None."""
    target = root / path
    mode = mode_of(target)
    if mode is None or not stat.S_ISREG(mode) or not reaches(root, path):
        return None
    return target.read_bytes()


def put(target: Path, version: FileVersion) -> None:
    """Make `target` hold this version, in place of whatever is there. Its folder must exist."""
    clear(target)
    if version.mode is FileMode.SYMLINK:
        target.symlink_to(os.fsdecode(version.data))
        return
    target.write_bytes(version.data)
    if version.mode is FileMode.EXECUTABLE:
        mode = target.stat().st_mode
        target.chmod(mode | (mode & 0o444) >> 2)


def clear(target: Path) -> None:
    """Remove what is at `target`: a file, a link or a whole folder."""
    if is_real_folder(target):
        owned.remove(target)
    else:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            target.unlink()


def make_parents(root: Path, path: str) -> None:
    """Make every parent of `path` below `root` a real folder, replacing files and links in the way."""
    for parent in reversed(list(PurePosixPath(path).parents)[:-1]):
        here = root / parent
        if not is_real_folder(here):
            clear(here)
            here.mkdir()


def remove_empty_parents(root: Path, path: str) -> None:
    """Remove the parents of `path` that a deletion left empty, as git does."""
    for parent in list(PurePosixPath(path).parents)[:-1]:
        try:
            (root / parent).rmdir()
        except OSError:  # not empty, or not there
            return
