"""A git tree object as one whole side of a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scaffold_cli.model.change import FileMode
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.store import ObjectStore


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """What a tree holds at one path: its mode and the object's name (a commit for a submodule)."""

    mode: FileMode
    oid: str


class GitTree:
    """Implements `model.tree.Tree` over an object store. Immutable; listed once, on first use."""

    def __init__(self, store: ObjectStore, oid: str) -> None:
        self.store = store
        self._oid = oid

    @property
    def id(self) -> str:
        """The tree object's name: equal trees have equal ids."""
        return self._oid

    def entries(self) -> Mapping[str, TreeEntry]:
        """Every path with its entry, sorted by git; submodules and symlinks included."""
        return self._listing

    def paths(self) -> Sequence[str]:
        """All file paths, sorted; submodules are no files."""
        return self._paths

    def read(self, path: str) -> bytes | None:
        """The bytes at `path`, or None when there is no plain file (nothing, a symlink, a submodule)."""
        entry = self._listing.get(path)
        if entry is None or entry.mode not in PLAIN:
            return None
        return self.store.read_blob(entry.oid)

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        """The bytes of those `paths` that are plain files, with one process for all."""
        wanted = {path: entry.oid for path in paths if (entry := self._listing.get(path)) and entry.mode in PLAIN}
        blobs = self.store.read_blobs(wanted.values())
        return {path: blobs[oid] for path, oid in wanted.items()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GitTree) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self._oid)

    def __repr__(self) -> str:
        return f"GitTree({self._oid})"

    @cached_property
    def _listing(self) -> dict[str, TreeEntry]:
        output = self.store.git("ls-tree", "-r", "-z", "--full-tree", self._oid)
        listing: dict[str, TreeEntry] = {}
        for record in output.split(b"\0"):
            if record:
                fields, _, path = record.partition(b"\t")
                mode, _, oid = fields.decode().split()
                listing[decode(path)] = TreeEntry(file_mode(mode), oid)
        return listing

    @cached_property
    def _paths(self) -> tuple[str, ...]:
        return tuple(sorted(path for path, entry in self._listing.items() if entry.mode is not FileMode.SUBMODULE))


PLAIN = (FileMode.REGULAR, FileMode.EXECUTABLE)


def file_mode(mode: str) -> FileMode:
    """Git's octal mode as an enum; odd permissions written by old tools count as git itself counts them."""
    if mode.startswith("100"):
        return FileMode.EXECUTABLE if int(mode, 8) & 0o100 else FileMode.REGULAR
    return FileMode(mode)
