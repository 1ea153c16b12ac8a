"""What the ways without an overlay share: a checked-out folder of our own."""

from __future__ import annotations

import os
import shutil
import stat
import weakref
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from scaffold_cli import owned
from scaffold_cli.model.change import FileVersion
from scaffold_cli.sandbox import placing, private_git, temporary
from scaffold_cli.sandbox.confinement import Confinement
from scaffold_cli.sandbox.environments import environments
from scaffold_cli.sandbox.paths import from_git
from scaffold_cli.sandbox.private_index import PrivateIndex
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree

_SMALL = 1_000_000
"""Bytes: an ignored file directly in the project up to this size (`.env`) is taken along."""


class FolderWorkspace:
    """A checkout of the tree in `state`; how commands run in it is up to the kind."""

    def __init__(self, tree: GitTree, folder: Path, rules: Confinement, base: Path | None = None) -> None:
        self._tree = tree
        self._rules = rules
        self._folder = folder
        self._state = temporary.new_folder(folder, base)
        self._remove = weakref.finalize(self, owned.remove, self._state)
        self._place = self._state / folder.name if folder.name else self._state / "tree"
        self._index = PrivateIndex(tree, self._state)
        self._environments: tuple[Path, ...] = ()
        """Installed dependencies of the project that the tree itself does not hold."""

    def populate(self) -> None:
        """Check the tree out and take the project's ignored files along."""
        self._place.mkdir(exist_ok=True)
        with ThreadPoolExecutor(1) as beside:
            ignored = beside.submit(self._index.ignored_in, self._folder)
            self._index.populate(self._place)
        everything = environments(self._folder)
        self._environments = tuple(path for path in everything if placing.mode_of(self._place / path.name) is None)
        for path in ignored.result():
            source, target = self._folder / path, self._place / path
            if source.is_file() and source.stat().st_size <= _SMALL and placing.mode_of(target) is None:
                shutil.copy2(source, target, follow_symlinks=False)

    def add_git(self, repository: Repository, history: Path) -> None:
        """Let git work in the checkout without a way back; commands find the repository's objects in `history`."""
        self._index.copy_to(private_git.make(self._tree, repository, self._place, history) / "index")

    def copy_environments(self) -> None:
        """Give the workspace its own copy of the project's installed dependencies, so that none is written to."""
        for environment in self._environments:
            shutil.copytree(environment, self._place / environment.name, symlinks=True)

    def write(self, files: Mapping[str, FileVersion | None]) -> None:
        """Put these versions into the folder; None deletes the path."""
        for path in (from_git(path) for path, version in files.items() if version is None):
            if placing.reaches(self._place, path):
                placing.clear(self._place / path)
                placing.remove_empty_parents(self._place, path)
        for path, version in files.items():
            if version is not None:
                placing.make_parents(self._place, from_git(path))
                placing.put(self._place / from_git(path), version)

    def read(self, path: str) -> bytes | None:
        """The bytes of one plain file."""
        return placing.read_plain(self._place, from_git(path))

    def changes(self) -> Mapping[str, FileVersion | None]:
        """What the folder holds that the tree does not, and the other way round."""
        return self._index.changes(self._place, self._files(), ["."])

    def close(self) -> None:
        """Remove the folder."""
        self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _files(self) -> list[str]:
        """Files and links of the folder; `.git` at any depth and the environments we put there left out."""
        found = []
        ours = {self._place / environment.name for environment in self._environments}
        for parent, folders, names in os.walk(self._place):
            here = Path(parent)
            links = [name for name in folders if (here / name).is_symlink()]
            folders[:] = [name for name in folders if name not in (".git", *links) and here / name not in ours]
            for name in (*names, *links):
                mode = (here / name).lstat().st_mode
                if name != ".git" and (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
                    found.append((here / name).relative_to(self._place).as_posix())
        return found
