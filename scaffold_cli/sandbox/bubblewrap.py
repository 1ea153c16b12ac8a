"""A checkout of the tree bound over the user's folder by bubblewrap, so that absolute paths lead to the candidate."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from scaffold_cli import processes
from scaffold_cli.processes import Completed
from scaffold_cli.sandbox import starting, temporary
from scaffold_cli.sandbox.confinement import (
    DROPPED,
    Confinement,
    ConfinementKind,
    Ground,
    confined,
    places_of_results,
    private_folders,
    reached,
    secrets,
)
from scaffold_cli.sandbox.folder_workspace import FolderWorkspace
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.vcs.tree import GitTree

_TRIAL_TIMEOUT = 20.0
_CONFINED = ("--unshare-pid", "--as-pid-1", "--die-with-parent")
_FIRST = '"$@"; exit "$?"'
"""What the namespace's first process does: bubblewrap's own ends after bubblewrap, which may be too late for a reader.

For a first process that is our child's child the system waits until nothing of its namespace is left.
"""
_TRIED = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")


class BubblewrapWorkspace(FolderWorkspace):
    """Commands see the checkout at the user's path, with the user's environments read-only in it."""

    def __init__(self, tree: GitTree, folder: Path, rules: Confinement) -> None:
        super().__init__(tree, folder, rules, temporary.in_memory(tree, folder))
        repository = tree.store.repository
        self._repository = repository if repository is not None and repository.root == folder else None
        self._history = self._state / "history"
        """Where commands find the repository's objects, since the checkout hides them at their own place."""

    def populate(self) -> None:
        """Check the tree out, with a git of its own where the folder is a repository."""
        super().populate()
        if self._repository is not None:
            self._history.mkdir()
            self.add_git(self._repository, self._history)

    @property
    def kind(self) -> IsolationKind:
        """Bubblewrap."""
        return IsolationKind.BUBBLEWRAP

    @property
    def root(self) -> Path:
        """The user's own folder: that is where commands see the tree."""
        return self._folder

    @property
    def warnings(self) -> tuple[str, ...]:
        """None: editable installs lead to the candidate."""
        return ()

    def run(
        self, argv: Sequence[str], *, timeout: float, env: Mapping[str, str] | None = None, folder: str = ""
    ) -> Completed:
        """Run a command in a namespace where the checkout lies over the user's folder."""
        inner = starting.starter(str(self._folder / folder), argv)
        clean = self._rules.cleaned(env)
        words = _limited(self._rules) or confined(self.confinement, self._rules, Ground(()), clean)
        command = [_program(), *_CONFINED, *self._held(clean, argv), *self._binds()]
        command += ["--", starting.shell(), "-c", _FIRST, "sh", *words, *inner]
        done = processes.run(command, env=clean, timeout=timeout, output=self._rules.output)
        return starting.checked(done, argv, folder)

    @property
    def confinement(self) -> ConfinementKind:
        """Bubblewrap."""
        return ConfinementKind.BUBBLEWRAP

    def _held(self, env: Mapping[str, str], argv: Sequence[str]) -> list[str]:
        """Everything read-only, a /tmp of its own, nothing of the network, secrets empty."""
        fresh = private_folders(Ground(()))
        words = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"]
        words += [] if self._rules.network else ["--unshare-net"]
        for path in fresh:
            words += ["--tmpfs", path] if Path(path).is_dir() and not Path(path).is_symlink() else []
        for path in reached(env, fresh, argv):
            words += ["--ro-bind", path, path]
        for path in secrets(Path.home()):
            words += ["--tmpfs", path] if Path(path).is_dir() else ["--ro-bind", "/dev/null", path]
        for path in (env.get("TMPDIR", ""), *places_of_results(env)):
            words += ["--bind", path, path] if path not in ("", *fresh) and Path(path).is_dir() else []
        return words

    def _binds(self) -> list[str]:
        binds = ["--bind", str(self._place), str(self._folder)]
        objects = self._tree.store.objects
        if objects.is_dir() and str(objects).startswith(tuple(f"{path}/" for path in private_folders(Ground(())))):
            binds += ["--ro-bind", str(objects), str(objects)]
        for path in self._environments:
            binds += ["--ro-bind", str(path), str(path)]
        if self._repository is not None:
            binds += ["--ro-bind", str(self._repository.common_dir / "objects"), str(self._history)]
        return binds


def _limited(rules: Confinement) -> list[str]:
    """The words that set the limits without starting a Python; none where the programs for it are not there."""
    limit, drop = shutil.which("prlimit"), _dropping()
    if limit is None or drop is None:
        return []
    kinds = {"data": rules.memory, "fsize": rules.file, "nproc": rules.processes, "core": 0}
    return [*drop, limit, *(f"--{name}={value}" for name, value in kinds.items()), "--"]


@cache
def _dropping() -> tuple[str, ...] | None:
    """The words that take dangerous capabilities from the superuser; None when they do not work. Others have none."""
    if os.geteuid() != 0:
        return ()
    names = ",".join(f"-cap_{number}" for number in DROPPED)
    words = (shutil.which("setpriv") or "", "--bounding-set", names)
    works = words[0] and processes.run([*words, starting.shell(), "-c", "exit 0"], timeout=_TRIAL_TIMEOUT).ok
    return words if works else None


def unavailable(folder: Path) -> str:
    """Why bubblewrap cannot bind over `folder` here; empty when it can."""
    return _trial(folder)


@cache
def _trial(folder: Path) -> str:
    if shutil.which("bwrap") is None:
        return "bwrap is not installed"
    binds = ("--bind", str(folder), str(folder))
    done = processes.run(
        [_program(), *_CONFINED, *_TRIED, *binds, "--", starting.shell(), "-c", "exit 0"], timeout=_TRIAL_TIMEOUT
    )
    return "" if done.ok else done.stderr.decode("utf-8", "replace").strip() or f"bwrap ended with code {done.code}"


def _program() -> str:
    found = shutil.which("bwrap")
    if found is None:
        raise processes.ProgramNotFoundError("bwrap")
    return found
