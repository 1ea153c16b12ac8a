"""Every backend with every embedding that is installed, for tests that all of them must pass."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from scaffold_cli.config.schema import EmbeddingName, MemoryBackend
from scaffold_cli.memory.case import Case, CaseKind
from scaffold_cli.memory.embedding import embedding
from scaffold_cli.memory.store import CAPACITY, Store, open_store

_NEEDS = {MemoryBackend.CHROMA: "chromadb", EmbeddingName.MINILM: "sentence_transformers"}


def _missing(*parts: MemoryBackend | EmbeddingName) -> bool:
    return any(part in _NEEDS and find_spec(_NEEDS[part]) is None for part in parts)


COMBINATIONS = [
    pytest.param(
        backend,
        vectors,
        id=f"{backend.value}-{vectors.value}",
        marks=pytest.mark.skipif(
            _missing(backend, vectors), reason="an extra; `make test-extras` runs these tests with it installed"
        ),
    )
    for backend in MemoryBackend
    for vectors in EmbeddingName
]


@contextmanager
def store(
    folder: Path,
    backend: MemoryBackend = MemoryBackend.SQLITE,
    vectors: EmbeddingName = EmbeddingName.HASHING,
    capacity: int = CAPACITY,
) -> Iterator[Store]:
    """An open store, closed at the end."""
    opened = open_store(backend, folder, embedding(vectors), capacity)
    try:
        yield opened
    finally:
        opened.close()


def case(query: str, *, title: str = "a case", kind: CaseKind = CaseKind.REPAIR, created: str = "2026-01-01") -> Case:
    """A case found by `query`."""
    return Case(kind, title, query, before=query, after=f"safe({query})", verdict="0" * 64, created=created)
