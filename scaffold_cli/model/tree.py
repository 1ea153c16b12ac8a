"""What a judge may ask of one whole side of a change, beyond the changed files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Tree(Protocol):
    """An immutable, read-only tree of files (a commit, the index as written, a folder as it was)."""

    @property
    def id(self) -> str:
        """Content id: equal trees have equal ids (git's tree object name)."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes at `path` (POSIX, relative), or None when there is no plain file."""
        ...

    def paths(self) -> Sequence[str]:
        """All file paths, sorted."""
        ...
