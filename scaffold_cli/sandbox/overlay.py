"""A private overlay over the user's folder: everything is where it always was, and writes land beside it."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from scaffold_cli import owned, processes
from scaffold_cli.model.change import FileVersion
from scaffold_cli.processes import Completed
from scaffold_cli.sandbox import placing, starting
from scaffold_cli.sandbox.confinement import Confinement, ConfinementKind, Ground, confined
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.namespaces import Mount, Namespace
from scaffold_cli.sandbox.paths import from_git
from scaffold_cli.sandbox.private_index import PrivateIndex
from scaffold_cli.sandbox.upper import Upper


class OverlayWorkspace:
    """The tree as an overlay: the user's folder below, our temporary folder above.

    `read`, `write` and `changes` work on the upper folder from outside, while nothing is mounted.
    """

    def __init__(
        self,
        index: PrivateIndex,
        folder: Path,
        namespace: Namespace,
        state: Path,
        mounts: list[Mount],
        rules: Confinement,
    ) -> None:
        self._index = index
        self._folder = folder
        self._namespace = namespace
        self._mounts = mounts
        self._rules = rules
        self._state = state
        self._remove = weakref.finalize(self, owned.remove, state)
        self._placed: tuple[str, ...] = ()
        """What the user's folder lacks or holds differently: deleting it may leave no trace in the upper folder."""
        self._upper = Upper(mounts[0].upper, folder, namespace.opaque_attribute)

    def prepare(self) -> None:
        """Make the overlay show the tree wherever the user's folder differs from it."""
        difference = self._index.difference(self._folder)
        self._placed = difference.stale
        self._index.check_out(self._placed, self._upper.root)
        for path in self._placed:
            self._upper.outdate(path)
        for path in difference.foreign:
            if placing.mode_of(self._upper.root / path) is None:
                self._upper.hide(path)

    @property
    def kind(self) -> IsolationKind:
        """Overlay."""
        return IsolationKind.OVERLAY

    @property
    def confinement(self) -> ConfinementKind:
        """Namespaces, where they can hold anything in."""
        return ConfinementKind.NAMESPACES if self._namespace.holds else ConfinementKind.NONE

    @property
    def root(self) -> Path:
        """The user's own folder: that is where commands see the tree."""
        return self._folder

    @property
    def warnings(self) -> tuple[str, ...]:
        """None: nothing distinguishes it from the user's folder."""
        return ()

    def run(
        self, argv: Sequence[str], *, timeout: float, env: Mapping[str, str] | None = None, folder: str = ""
    ) -> Completed:
        """Run a command inside a namespace of its own over the same upper folder."""
        inner = starting.starter(str(self._folder / folder), argv)
        clean = self._rules.cleaned(env)
        words = confined(self.confinement, self._rules, self._ground(argv), clean)
        command = self._namespace.command(self._mounts, inner, words, network=self._rules.network)
        done = processes.run(command, env=clean, timeout=timeout, output=self._rules.output)
        return starting.checked(done, argv, folder)

    def _ground(self, argv: Sequence[str]) -> Ground:
        """The overlays, and a private layer over the home folder where the project is not the home folder itself."""
        home, targets = Path.home(), [mount.target for mount in self._mounts]
        if home in targets or home == Path("/") or home in self._state.parents or not home.is_dir():
            return Ground(targets, argv=argv)
        upper, work = self._state / "upper-home", self._state / "work-home"
        for place in (upper, work):
            place.mkdir(exist_ok=True)
        upper.chmod(home.stat().st_mode & 0o7777)
        link = self._state / "lower-home"
        if not link.is_symlink():
            link.symlink_to(home)
        return Ground(targets, self._namespace.home_options(link, upper, work), argv)

    def write(self, files: Mapping[str, FileVersion | None]) -> None:
        """Put these versions into the upper folder; None hides the path."""
        for path, version in files.items():
            if version is None:
                self._upper.hide(from_git(path))
        for path, version in files.items():
            if version is not None:
                placing.put(self._upper.make_room(from_git(path)), version)
                self._upper.outdate(from_git(path))

    def read(self, path: str) -> bytes | None:
        """The bytes as a command would find them: from the upper folder, else from the user's."""
        native = from_git(path)
        return placing.read_plain(self._upper.layer_of(native), native)

    def changes(self) -> Mapping[str, FileVersion | None]:
        """What the upper folder holds that the tree does not."""
        seen = self._upper.contents()
        return self._index.changes(self._upper.root, seen.files, [*seen.gone, *self._placed])

    def close(self) -> None:
        """Remove the upper folder and what belongs to it."""
        self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
