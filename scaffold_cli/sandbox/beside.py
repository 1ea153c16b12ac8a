"""A checkout beside the user's folder, with a git of its own where the folder is a repository.

The last resort: commands run at another path, so an editable install would import the user's code instead of the
candidate's. PYTHONPATH leads Python back to the candidate, and a warning says that it had to.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from scaffold_cli import processes
from scaffold_cli.processes import Completed
from scaffold_cli.sandbox import starting
from scaffold_cli.sandbox.confinement import (
    Confinement,
    ConfinementKind,
    Ground,
    confined,
    landlock_unavailable,
)
from scaffold_cli.sandbox.environments import editable_installs
from scaffold_cli.sandbox.folder_workspace import FolderWorkspace
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree


class CopyWorkspace(FolderWorkspace):
    """The tree checked out into a folder of its own."""

    def populate(self) -> None:
        """Check the tree out and copy the project's installed dependencies."""
        super().populate()
        self.copy_environments()

    @property
    def kind(self) -> IsolationKind:
        """Copy."""
        return IsolationKind.COPY

    @property
    def root(self) -> Path:
        """The checkout itself."""
        return self._place

    @property
    def warnings(self) -> tuple[str, ...]:
        """One sentence when the project is installed in editable form, which leads out of the checkout."""
        links = editable_installs(self._folder)
        if not links:
            return ()
        return (
            f"The project is installed in editable form ({links[0]}) and the tests run in a copy of it; PYTHONPATH "
            "leads Python to the copy, other programs may still load the original code.",
        )

    def run(
        self, argv: Sequence[str], *, timeout: float, env: Mapping[str, str] | None = None, folder: str = ""
    ) -> Completed:
        """Run a command in the checkout, with PYTHONPATH leading there."""
        given = self._rules.cleaned(env)
        places = [str(self._place), str(self._place / "src"), given.get("PYTHONPATH", "")]
        given["PYTHONPATH"] = os.pathsep.join(place for place in places if place)
        words = confined(self.confinement, self._rules, Ground([self._place], argv=argv), given)
        inner = [*words, *starting.starter(str(self._place / folder), argv)]
        done = processes.run(inner, env=given, timeout=timeout, output=self._rules.output)
        return starting.checked(done, argv, folder)

    @property
    def confinement(self) -> ConfinementKind:
        """Landlock where the kernel has it."""
        return ConfinementKind.NONE if landlock_unavailable() else ConfinementKind.LANDLOCK


class WorktreeWorkspace(CopyWorkspace):
    """The same with a `.git`, so that tests which ask git find the history."""

    def __init__(self, tree: GitTree, folder: Path, rules: Confinement, repository: Repository) -> None:
        super().__init__(tree, folder, rules)
        self._repository = repository

    def populate(self) -> None:
        """Check the tree out and give it a git of its own."""
        super().populate()
        self.add_git(self._repository, self._repository.common_dir / "objects")

    @property
    def kind(self) -> IsolationKind:
        """Worktree."""
        return IsolationKind.WORKTREE
