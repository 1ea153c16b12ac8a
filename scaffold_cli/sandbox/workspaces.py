"""Opening a workspace: the table of ways, best first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from scaffold_cli import owned
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.sandbox import bubblewrap, namespaces, temporary
from scaffold_cli.sandbox.beside import CopyWorkspace, WorktreeWorkspace
from scaffold_cli.sandbox.bubblewrap import BubblewrapWorkspace
from scaffold_cli.sandbox.confinement import Confinement, ConfinementKind
from scaffold_cli.sandbox.folder_workspace import FolderWorkspace
from scaffold_cli.sandbox.interface import Availability, IsolationKind, Workspace
from scaffold_cli.sandbox.overlay import OverlayWorkspace
from scaffold_cli.sandbox.private_index import PrivateIndex
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree

_Filled = TypeVar("_Filled", bound=FolderWorkspace)


def open_workspace(
    tree: GitTree, folder: Path, *, kind: IsolationKind | None = None, rules: Confinement | None = None
) -> Workspace:
    """A private writable copy of `tree`, with the ignored files of the user's `folder` around it.

    Without `kind`, the best way that works here. Close it, or use it in a `with`. `rules` say what commands in it may
    reach. Raises UndecidedError when the way asked for, or every way, is unavailable, and when the rules demand that
    commands are held in and nothing here can.
    """
    folder = folder.resolve()
    rules = rules or Confinement()
    reasons = []
    for way in _TABLE:
        if kind not in (None, way.kind):
            continue
        because = way.unavailable(tree.store.repository, folder)
        if not because:
            return _required(way.open(tree, folder, rules), rules)
        reasons.append(f"{way.kind}: {because}")
    raise UndecidedError(
        f"The tree cannot be isolated ({'; '.join(reasons)}).", "Run `scaffold doctor` to see what this machine offers."
    )


def availabilities(folder: Path | None = None) -> tuple[Availability, ...]:
    """Which ways work for `folder` (default: the current one), best first, and why the others do not."""
    place = (folder or Path.cwd()).resolve()
    try:
        repository: Repository | None = Repository.discover(place)
    except UsageError:
        repository = None
    place = repository.root if repository else place
    reasons = ((way.kind, way.unavailable(repository, place)) for way in _TABLE)
    return tuple(Availability(kind, not because, because) for kind, because in reasons)


def _required(workspace: Workspace, rules: Confinement) -> Workspace:
    if rules.required and workspace.confinement is ConfinementKind.NONE:
        workspace.close()
        raise UndecidedError(
            "Nothing on this machine can hold in the commands of a candidate, and the sandbox is required.",
            "Install bubblewrap, allow user namespaces, or run on a kernel with Landlock (5.13 or newer).",
        )
    return workspace


@dataclass(frozen=True, slots=True)
class _Way:
    kind: IsolationKind
    unavailable: Callable[[Repository | None, Path], str]
    """Why this way does not work for a folder; empty when it does."""
    open: Callable[[GitTree, Path, Confinement], Workspace]


def _open_overlay(tree: GitTree, folder: Path, rules: Confinement) -> Workspace:
    found = namespaces.find(folder)
    assert found.namespace is not None
    state = temporary.new_folder(folder, found.base)
    try:
        mounts = [namespaces.prepare(state, folder)]
        repository = tree.store.repository
        if repository is not None and not repository.common_dir.is_relative_to(folder):
            mounts.append(namespaces.prepare(state, repository.common_dir, "-git"))
        workspace = OverlayWorkspace(PrivateIndex(tree, state), folder, found.namespace, state, mounts, rules)
        workspace.prepare()
    except BaseException:
        owned.remove(state)
        raise
    return workspace


def _open_bubblewrap(tree: GitTree, folder: Path, rules: Confinement) -> Workspace:
    return _filled(BubblewrapWorkspace(tree, folder, rules))


def _open_worktree(tree: GitTree, folder: Path, rules: Confinement) -> Workspace:
    assert tree.store.repository is not None
    return _filled(WorktreeWorkspace(tree, folder, rules, tree.store.repository))


def _open_copy(tree: GitTree, folder: Path, rules: Confinement) -> Workspace:
    return _filled(CopyWorkspace(tree, folder, rules))


def _filled(workspace: _Filled) -> _Filled:
    try:
        workspace.populate()
    except BaseException:
        workspace.close()
        raise
    return workspace


def _no_worktree(repository: Repository | None, folder: Path) -> str:
    if repository is None or repository.root != folder:
        return f"{folder} is not a git repository of its own"
    return _no_copy(repository, folder)


def _no_copy(repository: Repository | None, folder: Path) -> str:
    return "" if next(temporary.bases(folder), None) else "there is no folder for temporary files outside the project"


_TABLE = (
    _Way(IsolationKind.OVERLAY, lambda _, folder: namespaces.find(folder).because, _open_overlay),
    _Way(IsolationKind.BUBBLEWRAP, lambda _, folder: bubblewrap.unavailable(folder), _open_bubblewrap),
    _Way(IsolationKind.WORKTREE, _no_worktree, _open_worktree),
    _Way(IsolationKind.COPY, _no_copy, _open_copy),
)
