"""A Change: what is judged, as plain data, whichever door it came through."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum


class FileMode(StrEnum):
    """Git's file modes."""

    REGULAR = "100644"
    EXECUTABLE = "100755"
    SYMLINK = "120000"
    SUBMODULE = "160000"


class Omitted(StrEnum):
    """Why the bytes of a file version were not read."""

    TOO_LARGE = "too-large"
    SUBMODULE = "submodule"


class FileStatus(StrEnum):
    """What happened to one file."""

    ADDED = "added"
    DELETED = "deleted"
    MODIFIED = "modified"
    RENAMED = "renamed"


class Door(StrEnum):
    """Where a change came from. A verdict never depends on it."""

    WORKING_TREE = "working-tree"
    INDEX = "index"
    RANGE = "range"
    PATCH = "patch"
    FOLDERS = "folders"
    CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class FileVersion:
    """One side of one file.

    `path` is POSIX and relative to the root of the change; bytes that are not UTF-8 are kept by
    ``surrogateescape``. `data` holds the raw bytes (the link target for a symlink, nothing when
    `omitted` says why). `size` is in bytes and true even when the bytes were omitted.
    """

    path: str
    data: bytes
    mode: FileMode = FileMode.REGULAR
    size: int = -1
    omitted: Omitted | None = None
    oid: str = ""
    """Content id (git object name), used to identify omitted content."""

    def __post_init__(self) -> None:
        if self.size < 0:
            object.__setattr__(self, "size", len(self.data))

    @property
    def is_binary(self) -> bool:
        """True when the bytes hold a NUL early on and no UTF-16/32 byte-order mark (git's own rule plus BOMs)."""
        if self.data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return False
        return b"\0" in self.data[:8000]

    @property
    def is_text(self) -> bool:
        """True when the content was read, is a plain file, and is not binary."""
        plain = self.mode in (FileMode.REGULAR, FileMode.EXECUTABLE)
        return plain and self.omitted is None and not self.is_binary


@dataclass(frozen=True, slots=True)
class FileChange:
    """Both sides of one file, renames resolved. At least one side is present."""

    before: FileVersion | None
    after: FileVersion | None

    def __post_init__(self) -> None:
        if self.before is None and self.after is None:
            raise ValueError("a file change needs at least one side")

    @property
    def path(self) -> str:
        """The path after the change, or the old one of a deleted file."""
        side = self.after or self.before
        assert side is not None
        return side.path

    @property
    def status(self) -> FileStatus:
        """Added, deleted, renamed or modified."""
        if self.before is None:
            return FileStatus.ADDED
        if self.after is None:
            return FileStatus.DELETED
        return FileStatus.MODIFIED if self.before.path == self.after.path else FileStatus.RENAMED

    @property
    def sides(self) -> tuple[FileVersion, ...]:
        """The sides that exist, before first."""
        return tuple(side for side in (self.before, self.after) if side is not None)


@dataclass(frozen=True, slots=True)
class Change:
    """What is judged: file pairs sorted by path, and where they came from.

    `base` and `head` name the two sides for people (a commit, "index", a folder); they and `door`
    take no part in the digest or the verdict.
    """

    files: tuple[FileChange, ...]
    door: Door = field(default=Door.FOLDERS, compare=False)
    base: str | None = field(default=None, compare=False)
    head: str | None = field(default=None, compare=False)

    @staticmethod
    def of(files: Iterable[FileChange], **origin: object) -> Change:
        """Build a change with its files in canonical order."""
        return Change(tuple(sorted(files, key=lambda pair: pair.path)), **origin)  # type: ignore[arg-type]

    @property
    def is_empty(self) -> bool:
        """True when no file differs."""
        return not self.files

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over paths, modes and contents of both sides: equal changes, equal digest."""
        hasher = hashlib.sha256()
        for pair in self.files:
            for side in (pair.before, pair.after):
                if side is None:
                    hasher.update(b"-\0")
                    continue
                content = hashlib.sha256(side.data).hexdigest() if side.omitted is None else side.oid
                fields = (side.path, side.mode.value, str(side.size), content)
                hasher.update("\0".join(fields).encode("utf-8", "surrogateescape") + b"\0")
        return hasher.hexdigest()
