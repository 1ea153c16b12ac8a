"""The index against HEAD: what is staged, never what lies in the working tree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scaffold_cli.model.change import Door
from scaffold_cli.vcs.compare import Comparison, compare
from scaffold_cli.vcs.doors.merging import resolver_side
from scaffold_cli.vcs.index import copy_index, head_tree, locate, write_tree
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore


def staged(
    repo: Repository, max_file_bytes: int, index_file: Path | None = None, merging: Sequence[str] = ()
) -> Comparison:
    """What `git commit` would record.

    `index_file` is the GIT_INDEX_FILE a hook was given (`git commit -a` and `git commit FILE` set it), `merging`
    the commits that `git merge` told its hook to be merging.
    Raises UndecidedError for an unfinished merge.
    """
    head = repo.head()
    store = ObjectStore.of(repo)
    with store.kept():
        copy_index(store, locate(repo, index_file))
        after = write_tree(store)
        before = resolver_side(store, repo, head_tree(store, head), after, merging)
        change = compare(before, after, max_file_bytes=max_file_bytes, door=Door.INDEX, base=head, head="index")
        return Comparison.of(change, before, after, repo.root)
