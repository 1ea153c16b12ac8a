"""Texts as unit vectors, so that a dot product is their cosine similarity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from scaffold_cli.config.schema import EmbeddingName

Vector = Sequence[float]


class Embedding(Protocol):
    """Turns texts into vectors of one size. Equal texts give equal vectors, in every process."""

    name: str
    """Stored beside the vectors: similarities of two embeddings cannot be compared (our choice RX-11)."""
    size: int
    lexical: bool
    """Two texts without a word in common are never similar, so an index of words may choose the candidates."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector for each text; a text without content gives the zero vector."""
        ...


def embedding(name: EmbeddingName) -> Embedding:
    """The embedding of that name. Raises UsageError when its packages are not installed."""
    match name:
        case EmbeddingName.HASHING:
            from scaffold_cli.memory.hashing import HashingEmbedding

            return HashingEmbedding()
        case EmbeddingName.MINILM:
            from scaffold_cli.memory.minilm import MiniLmEmbedding

            return MiniLmEmbedding()
