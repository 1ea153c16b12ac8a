"""What every way of isolating a tree offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from scaffold_cli.model.change import FileVersion
from scaffold_cli.processes import Completed
from scaffold_cli.sandbox.confinement import ConfinementKind


class IsolationKind(StrEnum):
    """The ways, best first (see docs/decisions)."""

    OVERLAY = "overlay"
    """A private overlay file system over the user's folder."""
    BUBBLEWRAP = "bubblewrap"
    """A checkout bound over the user's folder."""
    WORKTREE = "worktree"
    """A checkout beside it, with a git of its own over the same history."""
    COPY = "copy"
    """A copy beside it without git, for a folder that is no repository."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether one way works on this machine, and why not."""

    kind: IsolationKind
    works: bool
    because: str = ""


class Workspace(Protocol):
    """A writable private copy of one tree, gone when closed. The user's folder is never written."""

    @property
    def kind(self) -> IsolationKind:
        """Which way of isolating this is."""
        ...

    @property
    def confinement(self) -> ConfinementKind:
        """What holds in the commands that `run` starts."""
        ...

    @property
    def root(self) -> Path:
        """Where commands started by `run` see the tree. Not for reading from outside."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may make a result from here misleading, one sentence each (an editable install, for one)."""
        ...

    def run(
        self,
        argv: Sequence[str],
        *,
        timeout: float,
        env: Mapping[str, str] | None = None,
        folder: str = "",
    ) -> Completed:
        """Run a command in `folder` (POSIX, relative) of the tree, for `timeout` seconds at most.

        `env` is the whole environment; None passes on our own. Nothing the command started outlives it.
        Raises ProgramNotFoundError when the program does not exist there, UndecidedError when the folder does not.
        """
        ...

    def write(self, files: Mapping[str, FileVersion | None]) -> None:
        """Put these versions in place; None deletes the path."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of one file as the workspace has it now; None when there is no plain file."""
        ...

    def changes(self) -> Mapping[str, FileVersion | None]:
        """What differs from the tree it was opened on, git-ignored paths and `.git` left out; None = deleted."""
        ...

    def close(self) -> None:
        """Remove everything; safe to call twice."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
