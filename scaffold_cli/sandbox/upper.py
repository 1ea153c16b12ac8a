"""The upper folder of an overlay: what it says, and how to write to it, while nothing is mounted."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from scaffold_cli.sandbox import placing


@dataclass(slots=True)
class Contents:
    """What an upper folder says: `files` are there, everything at or below `gone` that is not is deleted."""

    files: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Upper:
    """The upper folder of an overlay, read and written while it is not mounted.

    A character device 0:0 is a whiteout: it hides the path below. A folder with the opaque attribute
    hides everything below it (Linux, Documentation/filesystems/overlayfs).
    """

    root: Path
    lower: Path
    opaque_attribute: str
    given: dict[str, int] = field(default_factory=dict, compare=False)
    """The time, in whole seconds, of each file that was put in place."""

    def layer_of(self, path: str) -> Path:
        """The folder, upper or lower, that decides what is at `path`."""
        for parent in [*reversed(list(PurePosixPath(path).parents)[:-1]), PurePosixPath(path)]:
            here = self.root / parent
            mode = placing.mode_of(here)
            if mode is None:
                return self.lower
            if not stat.S_ISDIR(mode) or self._is_opaque(here):
                break
        return self.root

    def hide(self, path: str) -> None:
        """Make `path` absent: a whiteout where the lower folder has something, else nothing."""
        decided_above = self.layer_of(path) == self.root and not self._would_show(path)
        target = self.root / path
        if placing.reaches(self.root, path):
            placing.clear(target)
        if decided_above or placing.mode_of(self.lower / path) is None:
            return
        os.mknod(self.make_room(path), stat.S_IFCHR, os.makedev(0, 0))

    def make_room(self, path: str) -> Path:
        """Make all parents of `path` folders of the upper layer; returns where it goes."""
        for parent in reversed(list(PurePosixPath(path).parents)[:-1]):
            here = self.root / parent
            mode = placing.mode_of(here)
            if mode is not None and stat.S_ISDIR(mode):
                continue
            placing.clear(here)
            here.mkdir()
            below = placing.mode_of(self.lower / parent)
            if mode is not None and below is not None and stat.S_ISDIR(below):
                os.setxattr(here, self.opaque_attribute, b"y")
            elif below is not None and stat.S_ISDIR(below):
                here.chmod(stat.S_IMODE(below))
        placing.clear(self.root / path)
        return self.root / path

    def outdate(self, path: str) -> None:
        """Make the file at `path` younger, by whole seconds, than the one it covers or was last put in its place.

        What was compiled from an older file and lies there ignored (Python's bytecode, a build folder) is
        told from stale by the source's time in seconds; it must not be taken for the candidate's.
        """
        above = _seconds(self.root / path)
        if above is None:
            return
        oldest = max(_seconds(self.lower / path) or 0, self.given.get(path, 0))
        if above <= oldest:
            above = oldest + 1
            os.utime(self.root / path, (above, above), follow_symlinks=False)
        self.given[path] = above

    def contents(self) -> Contents:
        """Everything the upper folder holds, `.git` left out at any depth."""
        seen = Contents()
        for path, mode in self._walk(""):
            if stat.S_ISCHR(mode) or stat.S_ISDIR(mode):
                seen.gone.append(path)
            elif stat.S_ISREG(mode) or stat.S_ISLNK(mode):
                seen.files.append(path)
        return seen

    def _walk(self, folder: str) -> Iterator[tuple[str, int]]:
        """Files, links, whiteouts and opaque folders below `folder`, with their modes."""
        for name in _names(self.root / folder):
            path = f"{folder}/{name}" if folder else name
            here = self.root / path
            mode = here.lstat().st_mode
            if name == ".git":
                continue
            if not stat.S_ISDIR(mode):
                yield path, mode
                continue
            if self._is_opaque(here) or not placing.is_real_folder(self.lower / path):
                yield path, mode
            yield from self._walk(path)

    def _is_opaque(self, here: Path) -> bool:
        try:
            return os.getxattr(here, self.opaque_attribute, follow_symlinks=False) == b"y"
        except OSError:  # no such attribute
            return False

    def _would_show(self, path: str) -> bool:
        """True when taking `path` out of the upper folder would let the lower one show through."""
        parents = list(PurePosixPath(path).parents)[:-1]
        return all(
            placing.is_real_folder(self.root / parent) and not self._is_opaque(self.root / parent) for parent in parents
        )


def _names(folder: Path) -> list[str]:
    try:
        return sorted(child.name for child in folder.iterdir())
    except PermissionError:  # a command took its own rights away; this is our private copy
        folder.chmod(stat.S_IRWXU)
        return sorted(child.name for child in folder.iterdir())


def _seconds(path: Path) -> int | None:
    """When the file was last changed, in whole seconds; None when there is none."""
    try:
        return int(path.lstat().st_mtime)
    except (FileNotFoundError, NotADirectoryError):
        return None
