"""Short names for what the tests of the doors look at."""

from __future__ import annotations

import hashlib
from pathlib import Path

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.vcs.compare import Comparison
from scaffold_cli.vcs.repository import Repository

LIMIT = 1_000_000


def found(folder: Path) -> Repository:
    return Repository.discover(folder)


def brief(given: Change | Comparison) -> dict[str, tuple[str | None, str | None]]:
    """Each changed path with both sides' content: text, or why there is none; closes a comparison."""
    if isinstance(given, Comparison):
        given.close()
        given = given.change
    return {pair.path: (content(pair.before), content(pair.after)) for pair in given.files}


def content(version: FileVersion | None) -> str | None:
    if version is None:
        return None
    return version.omitted.value if version.omitted else version.data.decode("utf-8", "surrogateescape")


def fingerprint(folder: Path) -> dict[str, tuple[int, str]]:
    """Every file below `folder`, `.git` included, with its time stamp and bytes.

    Git freshens the stamp of an object it is asked to write again, so objects are compared by their bytes.
    """
    return {
        str(place.relative_to(folder)): (
            0 if "objects" in place.parts else place.lstat().st_mtime_ns,
            hashlib.sha256(place.read_bytes()).hexdigest(),
        )
        for place in folder.rglob("*")
        if place.is_file() and not place.is_symlink()
    }
