"""A patch applied to HEAD, or to a plain folder, in a private index."""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.model.change import Door
from scaffold_cli.model.errors import UsageError
from scaffold_cli.processes import Completed
from scaffold_cli.vcs.compare import Comparison, compare
from scaffold_cli.vcs.doors.folders import folder_tree
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.index import head_tree, write_tree
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

_APPLY = ("-c", "apply.whitespace=nowarn", "-c", "apply.ignoreWhitespace=no", "apply", "--cached")


def patch(target: Repository | Path, patch_bytes: bytes, max_file_bytes: int) -> Comparison:
    """What the patch (unified diff, git's extensions and binary parts included) does to HEAD or to a folder.

    Paths in it are relative to the top, with or without git's ``a/`` and ``b/``. Raises UsageError with git's
    reason when it does not apply or is no patch; an empty one is an empty change.
    """
    store = ObjectStore.of(target) if isinstance(target, Repository) else ObjectStore.detached()
    with store.kept():
        base = target.head() if isinstance(target, Repository) else None
        before = head_tree(store, base) if isinstance(target, Repository) else folder_tree(store, target)
        after = patched(before, patch_bytes)
        change = compare(before, after, max_file_bytes=max_file_bytes, door=Door.PATCH, base=base, head="patch")
        return Comparison.of(change, before, after, target.root if isinstance(target, Repository) else target)


def patched(before: GitTree, patch_bytes: bytes) -> GitTree:
    """The tree after the patch; errors as for `patch`."""
    if not patch_bytes.strip():
        return before
    store = before.store
    store.git("read-tree", before.id)
    first = _apply(store, patch_bytes, "-p1")
    # Written with `diff.noprefix`, or with every line end turned to CRLF on its way (mail, Windows editors).
    variants = [(patch_bytes, "-p0")]
    if patch_bytes.count(b"\n") == patch_bytes.count(b"\r\n"):
        variants.append((patch_bytes.replace(b"\r\n", b"\n"), "-p1"))
    if not first.ok and not any(_apply(store, data, option).ok for data, option in variants):
        raise UsageError(
            f"The patch does not apply: {_reason(first)}.", "Make it against HEAD: `git diff --binary HEAD`."
        )
    return write_tree(store)


def _apply(store: ObjectStore, patch_bytes: bytes, prefix: str) -> Completed:
    return store.run(*_APPLY, prefix, "-", stdin=patch_bytes)


def _reason(result: Completed) -> str:
    lines = [line.removeprefix("error: ").strip() for line in decode(result.stderr).splitlines() if line.strip()]
    return "; ".join(lines[:2]) or f"git apply ended with code {result.code}"
