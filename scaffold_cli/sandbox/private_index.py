"""A git index of our own beside a tree: where a folder differs from the tree, and what became of a workspace.

The user's index is only read: a copy of it saves looking into files that have not been touched since.
Paths are native here (as the file system has them), except in what `changes` returns.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.sandbox.environments import is_environment
from scaffold_cli.sandbox.paths import from_git, to_git
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.tree import PLAIN, GitTree, file_mode


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a folder differs from a tree.

    `stale`: paths of the tree that the folder lacks or holds differently. `foreign`: what the folder has, git
    does not ignore and the tree lacks (whole folders where possible).
    """

    stale: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()


class PrivateIndex:
    """An index file in `state` that holds `tree`."""

    def __init__(self, tree: GitTree, state: Path) -> None:
        self._tree = tree
        self._state = state
        self._file = state / "index"
        self._users = state / "index-user"
        self._kept: tuple[str, ...] = ()

    def difference(self, folder: Path) -> Difference:
        """Compare the tree with what lies in `folder`. Environments count as ignored, whatever git says."""
        extra = self._load(folder)
        stale, foreign = [], []
        output = self._git(
            *("status", "--porcelain=v2", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=all"),
            work_tree=folder,
        )
        for record in filter(None, output.split(b"\0")):
            fields = record.split(b" ", 8)
            if fields[0] == b"?":
                foreign.append(from_git(decode(record[2:].rstrip(b"/"))))
            elif fields[0] == b"1" and fields[1][1:] != b"." and not fields[2].startswith(b"S"):
                stale.append(from_git(decode(fields[8])))
        self._kept = tuple(path for path in foreign if is_environment(folder / path))
        foreign = [path for path in dict.fromkeys([*foreign, *extra]) if path not in self._kept]
        return Difference(tuple(stale), tuple(foreign))

    def check_out(self, paths: Iterable[str], into: Path) -> None:
        """Write the tree's versions of `paths` below `into`, as a checkout would."""
        names = _records(paths)
        if names:
            self._git("checkout-index", "-f", "-q", "-z", "--stdin", f"--prefix={into}/", stdin=names)

    def ignored_in(self, folder: Path) -> tuple[str, ...]:
        """What git ignores directly in `folder`: files, and folders that hold nothing else."""
        arguments = ("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
        output = self._git(*arguments, work_tree=folder)
        names = [from_git(decode(name)).rstrip("/") for name in output.split(b"\0") if name]
        tracked = _beyond(self._against_the_user_s(folder) or [])
        return tuple(name for name in names if "/" not in name and name not in tracked)

    def populate(self, root: Path) -> None:
        """Check the whole tree out into the empty folder `root`."""
        options = ("--reset", "-u", "--no-sparse-checkout", "--no-recurse-submodules")
        self._git("read-tree", *options, self._tree.id, work_tree=root)

    def copy_to(self, file: Path) -> None:
        """Copy this index, with what it knows about the files it was checked out to."""
        shutil.copy2(self._file, file)

    def changes(self, root: Path, files: Collection[str], gone: Iterable[str]) -> Mapping[str, FileVersion | None]:
        """What `files` below `root`, and the absence of all other files at or below `gone`, change in the tree.

        Contents are as git would store them. Left out: what the tree's own rules ignore, and submodules.
        """
        there = self._relevant(files)
        index = self._state / "index-changes"
        shutil.copy2(self._file, index)
        try:
            self._git(
                "update-index",
                "-z",
                "--force-remove",
                "--stdin",
                stdin=_records(self._absent(there, gone)),
                index=index,
            )
            arguments = ("update-index", "-z", "--add", "--replace", "--stdin")
            self._git(*arguments, stdin=_records(there), index=index, work_tree=root)
            output = self._git(
                "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", self._tree.id, index=index
            )
        finally:
            index.unlink(missing_ok=True)
        return self._versions(output)

    def _load(self, folder: Path) -> tuple[str, ...]:
        """Fill the index from the tree; returns what the user's index has beyond it."""
        records = self._against_the_user_s(folder)
        if records is None:
            self._git("read-tree", self._tree.id)
            return ()
        self._users.replace(self._file)
        if records:
            # Entry by entry, and not by read-tree: that would keep marks such as skip-worktree on what differs.
            self._git("update-index", "-z", "--index-info", stdin=b"".join(_entries(records)))
        return _beyond(records)

    def _against_the_user_s(self, folder: Path) -> list[tuple[list[str], bytes]] | None:
        """Copy the user's index; returns its raw differences from the tree, None when `folder` has no index."""
        repository = self._tree.store.repository
        if repository is None or repository.root != folder:
            return None
        try:
            shutil.copy2(repository.git_dir / "index", self._users)  # with its time: git mistrusts what is as young
        except FileNotFoundError:
            return None
        arguments = ("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", self._tree.id)
        return _raw(self._git(*arguments, index=self._users))

    def _relevant(self, files: Collection[str]) -> list[str]:
        """The files that are part of the tree or may become so."""
        entries = self._tree.entries()
        known = [path for path in files if to_git(path) in entries]
        new = [path for path in files if to_git(path) not in entries and not self._is_elsewhere(path)]
        ignored = self._ignored(new)
        return known + [path for path in new if path not in ignored]

    def _is_elsewhere(self, path: str) -> bool:
        """True for what lies in an environment we let be, or in a submodule."""
        entries = self._tree.entries()
        above = [entries.get(to_git(parent)) for parent in _above(path)]
        inside = any(entry is not None and entry.mode is FileMode.SUBMODULE for entry in above)
        return inside or not set(self._kept).isdisjoint(_above(path))

    def _absent(self, there: Iterable[str], gone: Iterable[str]) -> Iterator[str]:
        roots, present = set(gone), set(there)
        if not roots:
            return
        for path in map(from_git, self._tree.paths()):
            if path not in present and not roots.isdisjoint(_above(path)):
                yield path

    def _ignored(self, paths: list[str]) -> frozenset[str]:
        """Those of `paths` that the tree's own rules, and the user's, ignore."""
        if not paths:
            return frozenset()
        rules = self._state / "rules"
        rules.mkdir(exist_ok=True)
        entries = self._tree.entries()
        files = [p for p in entries if PurePosixPath(p).name == ".gitignore" and entries[p].mode in PLAIN]
        self.check_out(map(from_git, files), rules)
        arguments = ("check-ignore", "--no-index", "-z", "--stdin")
        output = self._git(*arguments, stdin=_records(paths), work_tree=rules, ok=(0, 1))
        return frozenset(from_git(decode(name)) for name in output.split(b"\0") if name)

    def _versions(self, output: bytes) -> dict[str, FileVersion | None]:
        found: dict[str, tuple[FileMode, str] | None] = {}
        for (_, mode, _, oid, status), name in _raw(output):
            found[decode(name)] = None if status == "D" else (file_mode(mode), oid)
        blobs = self._tree.store.read_blobs(entry[1] for entry in found.values() if entry)
        return {
            path: FileVersion(path, blobs[entry[1]], entry[0], oid=entry[1]) if entry else None
            for path, entry in found.items()
        }

    def _git(
        self,
        *args: str,
        stdin: bytes = b"",
        work_tree: Path | None = None,
        index: Path | None = None,
        ok: tuple[int, ...] = (0,),
    ) -> bytes:
        env = {"GIT_INDEX_FILE": str(index or self._file)}
        if work_tree is not None:
            env["GIT_WORK_TREE"] = str(work_tree)
        return self._tree.store.git(*args, stdin=stdin, env=env, ok=ok)


def _above(path: str) -> Iterator[str]:
    """The path, the folders it is in, and the root as "."."""
    yield "."
    while path:
        yield path
        path = path.rpartition("/")[0]


def _raw(output: bytes) -> list[tuple[list[str], bytes]]:
    """`diff-index --raw -z` taken apart: (mode, mode, oid, oid, status) of tree and index, and the path."""
    fields = iter(output.split(b"\0"))
    return [(header.decode().removeprefix(":").split(" "), next(fields)) for header in fields if header]


def _beyond(records: list[tuple[list[str], bytes]]) -> tuple[str, ...]:
    return tuple(from_git(decode(name)) for fields, name in records if fields[4] == "A")


def _entries(records: list[tuple[list[str], bytes]]) -> Iterator[bytes]:
    """Lines for `update-index --index-info` that make an index agree with the tree again."""
    for (mode, _, oid, _, _), name in records:
        yield f"0 {'0' * len(oid)}\t".encode() + name + b"\0"
        if mode != "000000":
            yield f"{mode} {oid}\t".encode() + name + b"\0"


def _records(paths: Iterable[str]) -> bytes:
    return b"".join(to_git(path).encode("utf-8", "surrogateescape") + b"\0" for path in paths)
