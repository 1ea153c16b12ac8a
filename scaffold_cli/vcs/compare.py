"""Two trees to a Change: the one code path behind every door."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from scaffold_cli.model.change import Change, Door, FileChange, FileMode, FileVersion, Omitted
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree, TreeEntry, file_mode

# Spelt out so that no configuration takes part: `submodule.*.ignore` (which a change may carry itself, in .gitmodules)
# hides moved submodules, `diff.renameLimit` loses renames. Pairs down to 30 % alike count as renames, since a file
# renamed and reworked in one go must still meet its old self; -B lets two files that swapped names find each other.
_FLAGS = (
    "-r", "-z", "--raw", "--no-abbrev", "-B", "-M30%", "-l2000", "--no-rename-empty",
    "--ignore-submodules=none", "--no-ext-diff", "--no-textconv",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PathPair:
    """One differing file before its bytes are read: path and entry of each side, None where it is absent."""

    before: tuple[str, TreeEntry] | None
    after: tuple[str, TreeEntry] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A change with both whole trees behind it. Close it (or use `with`) to remove its temporary objects.

    `folder` is the user's folder holding what no tree has (ignored files, `.venv`); `before_folder` differs
    from it only when two folders were compared. `repository` is None for plain folders.
    """

    change: Change
    before: GitTree
    after: GitTree
    folder: Path
    store: ObjectStore
    before_folder: Path
    repository: Repository | None = None

    @staticmethod
    def of(
        change: Change, before: GitTree, after: GitTree, folder: Path, before_folder: Path | None = None
    ) -> Comparison:
        """Both sides from one store, which the comparison now owns."""
        store = after.store
        return Comparison(change, before, after, folder, store, before_folder or folder, store.repository)

    def close(self) -> None:
        """Remove the temporary objects; safe to call twice."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def compare(
    before: GitTree,
    after: GitTree,
    *,
    max_file_bytes: int,
    door: Door,
    base: str | None = None,
    head: str | None = None,
) -> Change:
    """What differs between two trees of one store, renames resolved by git.

    Files above `max_file_bytes` and submodules are part of the change with `omitted` set. Raises
    UndecidedError when an object is missing.
    """
    pairs = path_pairs(before, after)
    entries = [side[1] for pair in pairs for side in (pair.before, pair.after) if side]
    blobs = [entry.oid for entry in entries if entry.mode is not FileMode.SUBMODULE]
    sizes = after.store.sizes(blobs)
    contents = after.store.read_blobs(oid for oid in blobs if sizes[oid] <= max_file_bytes)

    def version(side: tuple[str, TreeEntry] | None) -> FileVersion | None:
        if side is None:
            return None
        path, entry = side
        if entry.mode is FileMode.SUBMODULE:
            return FileVersion(path, b"", entry.mode, 0, Omitted.SUBMODULE, entry.oid)
        if entry.oid not in contents:
            return FileVersion(path, b"", entry.mode, sizes[entry.oid], Omitted.TOO_LARGE, entry.oid)
        return FileVersion(path, contents[entry.oid], entry.mode, oid=entry.oid)

    files = [FileChange(version(pair.before), version(pair.after)) for pair in pairs]
    return Change.of(files, door=door, base=base, head=head)


def path_pairs(before: GitTree, after: GitTree) -> list[PathPair]:
    """The differing files of two trees as git pairs them."""
    if before.id == after.id:
        return []
    output = after.store.git("diff-tree", *_FLAGS, before.id, after.id)
    return list(_parse(output))


def _parse(output: bytes) -> Iterator[PathPair]:
    """Records of `--raw -z`: ``:mode mode oid oid status NUL path NUL`` and a second path for a rename."""
    fields = iter(output.split(b"\0"))
    for header in fields:
        if not header:
            continue
        old_mode, new_mode, old_oid, new_oid, status = header.decode().removeprefix(":").split(" ")
        first = decode(next(fields))
        second = decode(next(fields)) if status[0] in "RC" else first
        yield PathPair(
            None if status[0] == "A" else (first, TreeEntry(file_mode(old_mode), old_oid)),
            None if status[0] == "D" else (second, TreeEntry(file_mode(new_mode), new_oid)),
        )
