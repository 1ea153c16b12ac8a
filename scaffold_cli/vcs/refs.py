"""Append-only history under refs/scaffold/: no branch moves, no hook fires, nothing becomes dirty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.build import write_blobs
from scaffold_cli.vcs.git import decode, encode, git, no_room
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

PREFIX = "refs/scaffold/"
TREE = "tree"
"""The folder of an entry's commit under which the whole tree given to `append` hangs."""

# Not the user's work, so not in the user's name; and it must work where git does not know the user.
_IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "scaffold"), ("EMAIL", "scaffold@localhost"))
}


@dataclass(frozen=True, slots=True)
class RefEntry:
    """One entry of a history. `files` are those given to `append`; `tree` is the id of the tree kept with it."""

    commit: str
    parent: str | None
    message: str
    files: Mapping[str, bytes]
    tree: str | None


def append(
    repo: Repository,
    ref: str,
    files: Mapping[str, bytes],
    message: str,
    *,
    tree: GitTree | None = None,
) -> str:
    """Add an entry to the history at `ref` (below refs/scaffold/, made when missing) and return its commit id.

    `files` are top-level names with their bytes; `tree` is kept as a whole under ``tree/``, its objects copied
    from its store. Raises UsageError for another ref or a bad file name, UndecidedError when somebody else
    appended at the same time.
    """
    if not ref.startswith(PREFIX) or any("/" in name or not name or name == TREE for name in files):
        raise UsageError(f"{ref} with the files {', '.join(files)} is no history entry.")
    parent = _tip(repo, ref)
    with ObjectStore.lasting_in(repo) as store:
        root = _write_root(store, files, tree)
        parents = () if parent is None else ("-p", parent)
        words = ("-c", "i18n.commitEncoding=UTF-8", "commit-tree", root, *parents, "-F", "-")
        commit = store.git(*words, stdin=encode(message), env=_IDENTITY).decode().strip()
        # Compare and swap: the entry is added to what was read, or not at all.
        result = store.run("update-ref", "--no-deref", ref, commit, parent or "0" * len(commit))
    if not result.ok:
        reason = decode(result.stderr).strip()
        raise UndecidedError(
            f"The history {ref} could not be written: {reason}.",
            no_room(reason, repo.git_dir) or "If another run uses the same chain, wait for it to end.",
        )
    return commit


def history(repo: Repository, ref: str) -> list[RefEntry]:
    """All entries at `ref`, oldest first; none when the ref does not exist. UndecidedError when one is damaged."""
    tip = _tip(repo, ref)
    if tip is None:
        return []
    with ObjectStore.of(repo) as store:
        commits = store.git("rev-list", "--first-parent", "--reverse", tip).decode().split()
        heads = {commit: _parse_commit(data) for commit, data in store.read_blobs(commits).items()}
        roots = store.read_blobs(head.root for head in heads.values())
        names = {root: _parse_tree(data, len(root) // 2) for root, data in roots.items()}
        blobs = store.read_blobs(oid for root in names.values() for name, oid in root.items() if name != TREE)
        return [
            RefEntry(
                commit=commit,
                parent=head.parent,
                message=head.message,
                files={name: blobs[oid] for name, oid in names[head.root].items() if name != TREE},
                tree=names[head.root].get(TREE),
            )
            for commit, head in heads.items()
        ]


def list_refs(repo: Repository, prefix: str = PREFIX) -> dict[str, str]:
    """The full names of all refs below `prefix`, sorted, each with the commit it names."""
    lines = git("for-each-ref", "--format=%(refname) %(objectname)", prefix, cwd=repo.root).decode().splitlines()
    return dict(sorted((line.split(" ")[0], line.split(" ")[1]) for line in lines))


def _tip(repo: Repository, ref: str) -> str | None:
    found = git("rev-parse", "--quiet", "--verify", ref, cwd=repo.root, ok=(0, 1))
    return found.decode().strip() or None


def copy_objects(tree: GitTree, repo: Repository) -> None:
    """Make `tree` with all it holds part of the repository."""
    with ObjectStore.lasting_in(repo) as store:
        _unpack(store, tree)


def _unpack(store: ObjectStore, tree: GitTree) -> None:
    # Only what is new: objects borrowed from the repository itself stay where they are.
    pack = tree.store.git("pack-objects", "--revs", "--local", "--stdout", "-q", stdin=f"{tree.id}\n".encode())
    store.git("unpack-objects", "-q", stdin=pack)


def _write_root(store: ObjectStore, files: Mapping[str, bytes], tree: GitTree | None) -> str:
    oids = write_blobs(store, files.values())
    records = [f"100644 blob {oid}\t{name}" for name, oid in zip(files, oids, strict=True)]
    if tree is not None:
        _unpack(store, tree)
        records.append(f"040000 tree {tree.id}\t{TREE}")
    return store.git("mktree", "-z", stdin=b"".join(encode(record) + b"\0" for record in records)).decode().strip()


@dataclass(frozen=True, slots=True)
class _Head:
    root: str
    parent: str | None
    message: str


def _parse_commit(data: bytes) -> _Head:
    header, _, message = data.partition(b"\n\n")
    fields = [decode(line).partition(" ") for line in header.splitlines()]
    values = {name: value for name, _, value in reversed(fields)}
    return _Head(values["tree"], values.get("parent"), decode(message))


def _parse_tree(data: bytes, width: int) -> dict[str, str]:
    """Names and object ids of a raw tree: ``mode SP name NUL id`` with ids of `width` bytes."""
    found: dict[str, str] = {}
    while data:
        head, _, rest = data.partition(b"\0")
        found[decode(head.partition(b" ")[2])] = rest[:width].hex()
        data = rest[width:]
    return found
