"""Temporary folders for workspaces: where they may be."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.errors import UndecidedError

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


def new_folder(folder: Path, base: Path | None = None) -> Path:
    """A fresh private folder for a workspace of `folder`. Raises UndecidedError when there is no room for one."""
    where = base or next(bases(folder), None)
    if where is None:
        raise UndecidedError(
            f"There is no place for temporary files outside {folder}.", "Set TMPDIR to a folder outside the project."
        )
    return owned.new_folder(where)
