"""Everything since the merge base of two revisions."""

from __future__ import annotations

import re

from scaffold_cli.model.change import Door
from scaffold_cli.model.errors import ScaffoldError, UndecidedError, UsageError
from scaffold_cli.vcs.compare import Comparison, compare
from scaffold_cli.vcs.git import decode
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

_FULL_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def revisions(repo: Repository, base: str, head: str = "HEAD", *, max_file_bytes: int) -> Comparison:
    """What `head` did since it left `base`: the tree of their merge base against the tree of `head`.

    Raises UsageError for a revision nobody knows, UndecidedError when history was cut off (shallow clone), a
    commit is missing, or there is no common history; the hint names the command that fetches what is missing.
    """
    store = ObjectStore.of(repo)
    with store.kept():
        newest = resolve(store, head)
        start = merge_base(store, resolve(store, base), newest)
        before = GitTree(store, store.tree_of(start))
        after = GitTree(store, store.tree_of(newest))
        change = compare(before, after, max_file_bytes=max_file_bytes, door=Door.RANGE, base=start, head=newest)
        return Comparison.of(change, before, after, repo.root)


def resolve(store: ObjectStore, revision: str) -> str:
    """The full commit id a revision stands for; errors as for `revisions`."""
    if revision.startswith("-") or not revision.strip() or any(ord(letter) < 32 for letter in revision):
        raise UsageError(f"{revision!r} is not a revision.")
    result = store.run("rev-parse", "--quiet", "--verify", revision + "^{commit}")
    if result.ok:
        return result.stdout.decode().strip()
    raise _unresolved(store, revision)


def merge_base(store: ObjectStore, base: str, head: str) -> str:
    """The commit from which `head` left `base`; errors as for `revisions`."""
    result = store.run("merge-base", base, head)
    if result.ok:
        return result.stdout.decode().split()[0]
    missing = cut_off(store)
    if missing:
        raise UndecidedError(
            f"This clone is shallow: it has no common ancestor of {base} and {head}; "
            f"history ends before commit {missing[0]}.",
            _deepen(missing[0]),
        )
    if result.code != 1:
        reason = decode(result.stderr).strip() or f"git merge-base ended with {result.code}"
        raise UndecidedError(f"The merge base of {base} and {head} cannot be found: {reason}.", "Run `git fsck`.")
    raise UndecidedError(
        f"{base} and {head} have no common ancestor.",
        "Give a base that shares history with the head, or compare two folders with --before and --after.",
    )


def cut_off(store: ObjectStore) -> list[str]:
    """The commits just beyond the edge of a shallow clone; empty for a full one."""
    repo = store.repository
    if repo is None or not repo.is_shallow():
        return []
    edge = (repo.common_dir / "shallow").read_text(encoding="ascii").split()
    # Git hides these parents from every history command; the commit objects still name them.
    commits = store.read_blobs(edge).values()
    parents = [line.split()[1] for data in commits for line in _header(data) if line.startswith("parent ")]
    return sorted(dict.fromkeys(parents), key=parents.index)


def _header(commit: bytes) -> list[str]:
    return decode(commit.partition(b"\n\n")[0]).splitlines()


def _unresolved(store: ObjectStore, revision: str) -> ScaffoldError:
    missing = cut_off(store)
    if _FULL_ID.fullmatch(revision):
        return UndecidedError(
            f"The commit {revision} is missing from this clone.",
            _deepen(revision) if missing else f"Fetch it with `git fetch origin {revision}`.",
        )
    if missing:
        return UndecidedError(
            f"This clone is shallow and does not know {revision}; history ends before commit {missing[0]}.",
            _deepen(missing[0]),
        )
    return UsageError(
        f"There is no revision {revision!r} here.",
        "Check the spelling with `git rev-parse`, or fetch the branch first with `git fetch origin`.",
    )


def _deepen(commit: str) -> str:
    # `--depth` on one commit would bring it without joining it to what is here; unshallowing joins everything.
    return (
        f"Fetch it with `git fetch --unshallow origin {commit}` "
        f"(less: `git fetch --depth=200 origin {commit} HEAD`; in GitHub Actions: `fetch-depth: 0`)."
    )
