"""A folder of the user's as a Tree, for commands that look at files as they are now."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError


class FolderTree:
    """The plain files below `root`, `.git` left out. Nothing is kept: every call looks at the disk."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def id(self) -> str:
        """SHA-256 (hex) over all paths and contents."""
        hasher = hashlib.sha256()
        for path in self.paths():
            content = hashlib.sha256(self.read(path) or b"").hexdigest()
            hasher.update(f"{path}\0{content}\0".encode("utf-8", "surrogateescape"))
        return hasher.hexdigest()

    def read(self, path: str) -> bytes | None:
        """The bytes at `path`, or None when there is no plain file. Raises UndecidedError when it cannot be read."""
        place = self.root / path
        try:
            return place.read_bytes() if place.is_file() else None
        except OSError as error:
            raise UndecidedError(f"{path} cannot be read: {error.strerror}.") from error

    def paths(self) -> Sequence[str]:
        """All file paths, sorted."""
        found = []
        for folder, names, files in os.walk(self.root):
            names[:] = [name for name in names if name != ".git"]
            found += [Path(folder, name).relative_to(self.root).as_posix() for name in files]
        return sorted(found)
