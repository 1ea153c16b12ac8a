"""Git trees of real repositories for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree


@contextmanager
def tree_at(repo: Path, revision: str = "HEAD") -> Iterator[GitTree]:
    """The tree of a commit, with the store behind it closed at the end."""
    with ObjectStore.of(Repository.discover(repo)) as store:
        yield GitTree(store, store.tree_of(revision))
