"""The files a chain is about, and the user's own work that it must not meet."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree


def is_below(path: str, folder: str) -> bool:
    """True when `path` is `folder` or lies in it; "." is the root."""
    return folder in (".", path) or path.startswith(f"{folder}/")


def files_below(tree: GitTree, paths: Collection[str]) -> dict[str, FileMode]:
    """The files of `tree` under `paths` with their modes, sorted; submodules are no files."""
    return {
        path: entry.mode
        for path, entry in sorted(tree.entries().items())
        if entry.mode is not FileMode.SUBMODULE and any(is_below(path, folder) for folder in paths)
    }


def check_paths(repo: Repository, tree: GitTree, paths: Collection[str]) -> None:
    """Raises UsageError for a path without a file in `tree`."""
    for path in paths:
        if files_below(tree, [path]):
            continue
        if os.path.lexists(repo.root / path):
            raise UsageError(
                f"{path} holds no committed file, so there is nothing to go back to.",
                "Commit it first: git add, git commit.",
            )
        raise UsageError(f"There is no file or folder {path}.")


def in_the_way(
    repo: Repository, current: GitTree, files: Mapping[str, FileVersion | None], dirty: Iterable[str]
) -> str | None:
    """The first of `files` that would overwrite the user's own work: an edited file, or one git does not know."""
    edited = set(dirty)
    known = current.entries()
    for path in sorted(files):
        if path in edited or (path not in known and os.path.lexists(repo.root / path)):
            return path
    return None
