"""What every backend of the dynamic memory does, and where the backends are made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from scaffold_cli.config.schema import MemoryBackend
from scaffold_cli.memory.case import Case, Hit
from scaffold_cli.memory.embedding import Embedding
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import canonical, from_plain, to_plain

CAPACITY = 10_000
"""Cases kept at most; see `case.worth` for what goes first."""


class MemoryFileError(UsageError):
    """The stored memory cannot be used as it is: damaged, of a newer version, or of another embedding."""


def of_another_embedding(path: Path, there: str, ours: str) -> MemoryFileError:
    """The error for vectors that cannot be compared with ours (our choice RX-11)."""
    return MemoryFileError(
        f"The memory {path} holds vectors of {there}, not of {ours}.",
        "Export it with the old embedding and import it into a new folder with the new one.",
    )


def unusable(path: Path, error: BaseException) -> MemoryFileError:
    """The error for a memory that its backend cannot read or write."""
    return MemoryFileError(
        f"The memory {path} cannot be used: {' '.join(str(error).split())}.",
        "Move it away to begin a new memory, and import an export into it if you have one.",
    )


def body_of(case: Case) -> str:
    """A case as backends store it: canonical JSON without what changes with use."""
    return canonical(to_plain(replace(case, uses=0, last_used=""))).decode("ascii")


def case_of(body: str, uses: int, last_used: str) -> Case:
    """The case that was stored as `body`. Raises ValueError, or PlainError, when that is anything else."""
    return replace(from_plain(Case, json.loads(body)), uses=uses, last_used=last_used)


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
