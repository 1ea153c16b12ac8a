"""Trees built from file versions: what a proposer wrote becomes a tree like any other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.vcs.git import encode
from scaffold_cli.vcs.index import update_index
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree, TreeEntry


def tree_with(base: GitTree, files: Mapping[str, FileVersion | None]) -> GitTree:
    """`base` with these paths put to these versions; None removes the path.

    The keys are the paths (`FileVersion.path` is not looked at). A version without bytes (`omitted`) must name
    an object the store has. Raises UndecidedError for a path git refuses (absolute, `..`, `.git`).
    """
    if not files:
        return base
    given = [version for version in files.values() if version is not None]
    oids = iter(write_blobs(base.store, [version.data for version in given if version.omitted is None]))
    entries: dict[str, TreeEntry | None] = {}
    for path, version in files.items():
        if version is None:
            entries[path] = None
        else:
            entries[path] = TreeEntry(version.mode, version.oid if version.omitted else next(oids))
    return tree_of_entries(base.store, entries, base)


def tree_of_entries(
    store: ObjectStore, entries: Mapping[str, TreeEntry | None], base: GitTree | None = None
) -> GitTree:
    """A tree of these entries laid over `base` (default: over nothing); None removes a path."""
    env = {"GIT_INDEX_FILE": str(store.scratch_file("index"))}
    if base is not None:
        store.git("read-tree", base.id, env=env)
    # Removals first: a file may give way to a folder of the same name.
    nothing = "0" * len(base.id if base else "")
    records = [encode(f"0 {nothing}\t{path}") for path, entry in entries.items() if entry is None and base]
    records += [encode(f"{entry.mode.value} {entry.oid}\t{path}") for path, entry in entries.items() if entry]
    update_index(store, "--index-info", records=records, env=env)
    return GitTree(store, store.git("write-tree", env=env).decode().strip())


def write_blobs(store: ObjectStore, contents: Iterable[bytes]) -> list[str]:
    """Store each content as a blob, byte for byte; their names in order."""
    paths = []
    for data in contents:
        paths.append(store.scratch_file("blob"))
        paths[-1].write_bytes(data)
    oids = hash_files(store, map(os.fsencode, paths))
    for path in paths:
        path.unlink()
    return oids


def hash_files(store: ObjectStore, paths: Iterable[bytes]) -> list[str]:
    """Store the bytes of files (paths as the file system has them) as blobs, unfiltered; their names in order."""
    lines = b"".join(_quoted(path) + b"\n" for path in paths)
    if not lines:
        return []
    return store.git("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=lines).decode().split()


def files_after(change: Change) -> dict[str, FileVersion | None]:
    """What to put where to apply `change`; right also when files swap names."""
    return _outcome((pair.before, pair.after) for pair in change.files)


def files_before(change: Change) -> dict[str, FileVersion | None]:
    """What to put where to take `change` back."""
    return _outcome((pair.after, pair.before) for pair in change.files)


def _outcome(pairs: Iterable[tuple[FileVersion | None, FileVersion | None]]) -> dict[str, FileVersion | None]:
    gone: dict[str, FileVersion | None] = {}
    there: dict[str, FileVersion | None] = {}
    for old, new in pairs:
        if old is not None:
            gone[old.path] = None
        if new is not None:
            there[new.path] = new
    return gone | there


def _quoted(path: bytes) -> bytes:
    """One line for `--stdin-paths`; git unquotes a line that begins with a quote."""
    if not path.startswith(b'"') and not any(byte in path for byte in b"\n\r"):
        return path
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r")):
        path = path.replace(plain, escaped)
    return b'"' + path + b'"'
