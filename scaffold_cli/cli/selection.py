"""Which change is meant: the doors as options, and the files it is narrowed to."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli.cli.early import hook_index, hook_merging
from scaffold_cli.model.errors import UsageError

if TYPE_CHECKING:
    from scaffold_cli.config.policy import Policy
    from scaffold_cli.model.tree import Tree
    from scaffold_cli.vcs.compare import Comparison
    from scaffold_cli.vcs.repository import Repository

MAX_FILE_BYTES = 1_000_000
"""The default limit; the policy, which is part of what is read, may set another."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The options that say where the change comes from. Without any it is the working tree."""

    paths: Sequence[Path] = ()
    staged: bool = False
    base: str | None = None
    head: str | None = None
    patch: Path | None = None
    before: Path | None = None
    after: Path | None = None

    def __post_init__(self) -> None:
        doors = {
            "--staged": self.staged,
            "--base": self.base is not None,
            "--patch": self.patch is not None,
            "--before": self.before is not None or self.after is not None,
        }
        given = [name for name, is_given in doors.items() if is_given]
        if len(given) > 1:
            raise UsageError(f"{given[0]} and {given[1]} exclude each other: judge one change at a time.")
        if self.head is not None and self.base is None:
            raise UsageError("--head needs --base.", "Give the revision to compare with: --base REV --head REV.")
        if (self.before is None) != (self.after is None):
            raise UsageError("--before and --after belong together.", "Give both: --before PATH --after PATH.")
        if self.paths and given and given[0] in ("--patch", "--before"):
            raise UsageError(f"PATHS and {given[0]} exclude each other.")


def open_comparison(selection: Selection, overrides: Mapping[str, object]) -> tuple[Comparison, Policy]:
    """The change that is meant, and the policy of its before side. The caller closes the comparison.

    Raises UsageError and UndecidedError, as the doors and the configuration do.
    """
    from scaffold_cli.config.policy import Policy
    from scaffold_cli.gate.session import policy_of

    comparison = _open(selection)
    try:
        if comparison.change.is_empty:
            return comparison, Policy()
        policy = policy_of(comparison, overrides)
        return _read_again(comparison, policy), policy
    except BaseException:
        comparison.close()
        raise


def _open(selection: Selection) -> Comparison:
    from scaffold_cli.vcs.doors import folders, patch, revisions, staged, working_tree

    if selection.before is not None and selection.after is not None:
        return folders.folders(selection.before, selection.after, max_file_bytes=MAX_FILE_BYTES)
    if selection.patch is not None:
        return patch.patch(_repository_or_folder(), _read_patch(selection.patch), max_file_bytes=MAX_FILE_BYTES)
    repo = repository()
    if selection.staged:
        comparison = staged.staged(repo, MAX_FILE_BYTES, hook_index(), hook_merging())
    elif selection.base is not None:
        head = selection.head or "HEAD"
        comparison = revisions.revisions(repo, selection.base, head, max_file_bytes=MAX_FILE_BYTES)
    else:
        comparison = working_tree.working_tree(repo, max_file_bytes=MAX_FILE_BYTES)
    return narrowed(comparison, repo, selection.paths)


def repository() -> Repository:
    """The repository of the current folder."""
    from scaffold_cli.vcs.repository import Repository

    return Repository.discover(Path.cwd())


def narrowed(comparison: Comparison, repo: Repository, paths: Sequence[Path]) -> Comparison:
    """The comparison as if only the files at or below `paths` differed, trees included.

    Raises UsageError for a path that is on neither side.
    """
    if not paths:
        return comparison
    from scaffold_cli.vcs.build import files_after, tree_with

    wanted = [relative_path(repo, path) for path in paths]
    for path in paths:
        if not os.path.lexists(path):
            paths_below(comparison.before, repo, [path])
    kept = [pair for pair in comparison.change.files if any(_below(side.path, wanted) for side in pair.sides)]
    if len(kept) == len(comparison.change.files):
        return comparison
    change = replace(comparison.change, files=tuple(kept))
    return replace(comparison, change=change, after=tree_with(comparison.before, files_after(change)))


def paths_below(tree: Tree, repo: Repository, paths: Sequence[Path]) -> list[str]:
    """The files of `tree` at or below `paths`. Raises UsageError for a path with nothing at it."""
    known = tree.paths()
    found: set[str] = set()
    for path in paths:
        name = relative_path(repo, path)
        here = [item for item in known if _below(item, [name])]
        if not here:
            raise UsageError(f"There is no file or folder {path}.")
        found.update(here)
    return sorted(found)


def relative_path(repo: Repository, path: Path) -> str:
    """`path` as POSIX relative to the repository's root; empty for the root itself."""
    name = repo.relative(path)
    return "" if name == "." else name


def _below(path: str, folders: Sequence[str]) -> bool:
    return any(not folder or path == folder or path.startswith(f"{folder}/") for folder in folders)


def _read_again(comparison: Comparison, policy: Policy) -> Comparison:
    """The same comparison under the policy's own limit on file size, when it has one."""
    limit = policy.root.max_file_bytes
    if limit == MAX_FILE_BYTES:
        return comparison
    from scaffold_cli.vcs.compare import compare

    old = comparison.change
    change = compare(
        comparison.before, comparison.after, max_file_bytes=limit, door=old.door, base=old.base, head=old.head
    )
    return replace(comparison, change=change)


def _repository_or_folder() -> Repository | Path:
    from scaffold_cli.vcs.repository import Repository

    try:
        return Repository.discover(Path.cwd())
    except UsageError:
        return Path.cwd()


def _read_patch(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise UsageError(f"The patch {path} cannot be read: {error.strerror}.") from error
