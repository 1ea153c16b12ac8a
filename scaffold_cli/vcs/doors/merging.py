"""A merge being committed: only what the resolver did is on trial, not what others had committed before."""

from __future__ import annotations

from scaffold_cli.vcs.build import tree_of_entries
from scaffold_cli.vcs.compare import path_pairs
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree, TreeEntry


def resolver_side(store: ObjectStore, repo: Repository, head: GitTree, after: GitTree) -> GitTree:
    """The tree to hold `after` against: `head`, or during a merge a tree that differs only in the resolver's files.

    A file is the resolver's when its content is neither that of a parent nor that of the automatic merge
    (`git merge-tree`, git 2.38 or newer; without it, every file that both sides had changed counts). Its before
    side is our version (HEAD's), found through renames. A clean merge is therefore an empty change.
    """
    parents = _merge_heads(repo)
    if not parents or head.id == after.id:
        return head
    others = [GitTree(store, store.tree_of(parent)) for parent in parents]
    if len(parents) == 1:
        others += _automatic(store, repo, parents[0])
    known = [head.entries(), *(tree.entries() for tree in others)]
    staged = after.entries()

    def is_resolvers(path: str) -> bool:
        return all(entries.get(path) != staged.get(path) for entries in known)

    changes: dict[str, TreeEntry | None] = {}
    for pair in path_pairs(head, after):
        side = pair.after or pair.before
        assert side is not None
        if is_resolvers(side[0]):
            if pair.after:
                changes.setdefault(pair.after[0], None)
            if pair.before:
                changes[pair.before[0]] = pair.before[1]
    return tree_of_entries(store, changes, after) if changes else after


def _merge_heads(repo: Repository) -> list[str]:
    file = repo.git_dir / "MERGE_HEAD"
    return file.read_text(encoding="ascii").split() if file.exists() else []


def _automatic(store: ObjectStore, repo: Repository, other: str) -> list[GitTree]:
    """What git alone would make of the merge, conflict markers included; nothing where git is too old to say."""
    head = repo.head()
    if head is None:
        return []
    result = store.run("merge-tree", "--write-tree", "--no-messages", "-z", head, other)
    if result.code not in (0, 1):
        return []
    return [GitTree(store, decode(result.stdout.partition(b"\0")[0]).strip())]
