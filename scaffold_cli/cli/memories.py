"""The memory a command is about: which scope, and what is configured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.memory.places import Scope
from scaffold_cli.model.errors import UsageError

if TYPE_CHECKING:
    from scaffold_cli.config.schema import MemorySettings
    from scaffold_cli.memory.case import Case
    from scaffold_cli.memory.embedding import Embedding
    from scaffold_cli.memory.retrieval import Retriever
    from scaffold_cli.memory.store import Store


class MemoryFormat(StrEnum):
    """How cases are written."""

    TEXT = "text"
    JSON = "json"


ScopeOption = Annotated[
    Scope | None, typer.Option("--scope", help="Whose memory: the repository's, or yours when there is none.")
]
Form = Annotated[MemoryFormat, typer.Option("--format", help="How it is written.")]


def place(scope: Scope | None, config: Path | None = None) -> tuple[Path, MemorySettings]:
    """The folder of the memory that is meant, and its settings. Raises UsageError without the repository it needs."""
    from scaffold_cli.cli.settings import overrides
    from scaffold_cli.config.folder import FolderTree
    from scaffold_cli.config.loading import load_policy
    from scaffold_cli.memory.places import repository_folder, user_folder
    from scaffold_cli.vcs.repository import Repository

    try:
        repo = Repository.discover(Path.cwd())
    except UsageError:
        if scope is Scope.REPOSITORY:
            raise
        return user_folder(), load_policy(None, [], overrides(config)).root.memory
    if scope is Scope.USER:  # what a repository says, its capacity for one, is not for the user's own memory
        return user_folder(), load_policy(None, [], overrides(config)).root.memory
    return repository_folder(repo.common_dir), load_policy(FolderTree(repo.root), [], overrides(config)).root.memory


@contextmanager
def opened(scope: Scope | None, config: Path | None = None) -> Iterator[Store]:
    """The store that is meant, closed at the end."""
    with _memory(scope, config) as (store, _, _):
        yield store


@contextmanager
def retrieving(scope: Scope | None, config: Path | None = None) -> Iterator[Retriever]:
    """The retrieval rule over the store that is meant, which is closed at the end."""
    from scaffold_cli.memory.retrieval import RetrievalRule, Retriever

    with _memory(scope, config) as (store, vectors, settings):
        yield Retriever((store,), vectors, RetrievalRule.of(settings))


@contextmanager
def _memory(scope: Scope | None, config: Path | None) -> Iterator[tuple[Store, Embedding, MemorySettings]]:
    from scaffold_cli.memory.embedding import embedding
    from scaffold_cli.memory.store import open_store

    folder, settings = place(scope, config)
    vectors = embedding(settings.embedding)
    store = open_store(settings.backend, folder, vectors, settings.capacity)
    try:
        yield store, vectors, settings
    finally:
        store.close()


def found(store: Store, name: str) -> Case:
    """The case whose id begins with `name`. Raises UsageError unless there is exactly one."""
    case = store.get(name)
    if case is None:
        raise UsageError(
            f"No single case has an id that begins with {name!r}.", "`scaffold memory list` shows the ids."
        )
    return case
