"""A merge being committed: only what the resolver did is on trial, not what others had committed before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scaffold_cli.vcs.build import tree_of_entries, write_blobs
from scaffold_cli.vcs.compare import path_pairs
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import PLAIN, GitTree, TreeEntry, file_mode

_BASE, _OURS, _THEIRS = "1", "2", "3"
"""Git's names for the three versions of a conflicting file."""


def resolver_side(
    store: ObjectStore, repo: Repository, head: GitTree, after: GitTree, merging: Sequence[str] = ()
) -> GitTree:
    """The tree to hold `after` against: `head`, or during a merge a tree that differs only in the resolver's files.

    A file is the resolver's when its content is neither that of a parent nor that of the automatic merge
    (`git merge-tree`, git 2.38 or newer; without it, every file that both sides had changed counts). Its before
    side is the merge with our version in the places that conflict, so what either parent brought without conflict
    must survive; where there is no such merge it is our version. It is found through renames. A clean merge is
    therefore an empty change, and so is taking one side as it is: that side was judged on its branch.

    `merging` names the other parents where git has not written them down yet: when `git merge` commits by itself,
    it does so only after its hook.
    """
    parents = _merge_heads(repo) or list(merging)
    if not parents or head.id == after.id:
        return head
    automatic = _automatic(store, repo, parents[0]) if len(parents) == 1 else _Automatic()
    known = [head, *(GitTree(store, store.tree_of(parent)) for parent in parents), *automatic.tree]
    staged = after.entries()
    changes: dict[str, TreeEntry | None] = {}
    for pair in path_pairs(head, after):
        side = pair.after or pair.before
        assert side is not None
        path = side[0]
        if any(tree.entries().get(path) == staged.get(path) for tree in known):
            continue
        if pair.after:
            changes.setdefault(path, None)
        if pair.before:
            before, ours = pair.before
            changes[before] = _favouring_ours(store, automatic.conflicts.get(path, {})) or ours
    return tree_of_entries(store, changes, after) if changes else after


@dataclass(frozen=True, slots=True)
class _Automatic:
    """What git alone makes of a merge: its tree (markers included), and the versions of each conflicting file."""

    tree: tuple[GitTree, ...] = ()
    conflicts: Mapping[str, Mapping[str, TreeEntry]] = field(default_factory=dict)


def _merge_heads(repo: Repository) -> list[str]:
    file = repo.git_dir / "MERGE_HEAD"
    return file.read_text(encoding="ascii").split() if file.exists() else []


def _automatic(store: ObjectStore, repo: Repository, other: str) -> _Automatic:
    """Repeat the merge. Records of `merge-tree -z`: the tree, then ``mode oid stage TAB path`` for each conflict."""
    result = store.run("merge-tree", "--write-tree", "--no-messages", "-z", repo.head() or "", other)
    if result.code not in (0, 1):
        return _Automatic()
    tree, *records = result.stdout.split(b"\0")
    conflicts: dict[str, dict[str, TreeEntry]] = {}
    for record in records:
        fields, _, path = record.partition(b"\t")
        if path:
            mode, oid, stage = fields.decode().split()
            conflicts.setdefault(decode(path), {})[stage] = TreeEntry(file_mode(mode), oid)
    return _Automatic((GitTree(store, decode(tree).strip()),), conflicts)


def _favouring_ours(store: ObjectStore, versions: Mapping[str, TreeEntry]) -> TreeEntry | None:
    """The three versions merged, ours where they conflict; None when they are not three texts."""
    if set(versions) != {_BASE, _OURS, _THEIRS} or any(entry.mode not in PLAIN for entry in versions.values()):
        return None
    files = []
    for stage in (_OURS, _BASE, _THEIRS):
        files.append(store.scratch_file("version"))
        files[-1].write_bytes(store.read_blob(versions[stage].oid))
    merged = store.run("merge-file", "-p", "--ours", *map(str, files))
    if not merged.ok:
        return None
    (oid,) = write_blobs(store, [merged.stdout])
    return TreeEntry(versions[_OURS].mode, oid)
