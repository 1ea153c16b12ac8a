"""Two spellings of a path: git's (UTF-8, whatever the locale) and the file system's (as `os.fsdecode` gives it).

They differ only where the locale's encoding is not UTF-8.
"""

from __future__ import annotations

import os


def from_git(path: str) -> str:
    """A path of a tree or a change as `pathlib` and `os` want it."""
    return os.fsdecode(path.encode("utf-8", "surrogateescape"))


def to_git(path: str) -> str:
    """The inverse of `from_git`."""
    return os.fsencode(path).decode("utf-8", "surrogateescape")
