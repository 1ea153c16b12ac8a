"""What every backend of the dynamic memory does, and where the backends are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from scaffold_cli.config.schema import MemoryBackend
from scaffold_cli.memory.case import Case, Hit
from scaffold_cli.memory.embedding import Embedding
from scaffold_cli.model.errors import UsageError

CAPACITY = 10_000
"""Cases kept at most; see `case.worth` for what goes first."""


class MemoryFileError(UsageError):
    """The stored memory cannot be used as it is: damaged, of a newer version, or of another embedding."""


class Store(Protocol):
    """Cases on disk. Several processes may use one at a time; every change is kept whole or not at all."""

    path: Path

    def add(self, cases: Iterable[Case]) -> int:
        """Store cases and return how many were new; one that is there already stays as it is.

        Above the capacity the least worthy cases are evicted.
        """
        ...

    def get(self, case_id: str) -> Case | None:
        """The case whose id begins with `case_id`; None when there is none, or more than one."""
        ...

    def cases(self) -> Iterator[Case]:
        """Every case, the newest first."""
        ...

    def search(self, text: str, k: int) -> list[Hit]:
        """The `k` cases most similar to `text`, ranked (`case.ranked`)."""
        ...

    def used(self, case_ids: Iterable[str], moment: str) -> None:
        """Count one use of each, at `moment` (ISO 8601, UTC)."""
        ...

    def forget(self, case_ids: Iterable[str]) -> int:
        """Remove cases by their full ids and return how many were there."""
        ...

    def __len__(self) -> int: ...

    def close(self) -> None:
        """Let go of files."""
        ...


def open_store(backend: MemoryBackend, folder: Path, embedding: Embedding, capacity: int = CAPACITY) -> Store:
    """The store in `folder`, made when it is not there.

    Raises UsageError when the packages of a backend are not installed, MemoryFileError when what is stored cannot be
    used.
    """
    match backend:
        case MemoryBackend.SQLITE:
            from scaffold_cli.memory.sqlite_store import SqliteStore

            return SqliteStore(folder, embedding, capacity)
        case MemoryBackend.CHROMA:
            from scaffold_cli.memory.chroma_store import ChromaStore

            return ChromaStore(folder, embedding, capacity)
