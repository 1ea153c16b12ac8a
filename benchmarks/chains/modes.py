"""The ways of gating that are compared. All use the same chain runner; they differ by the layers that are asked.

Of the paper's baselines prompt-integrated security and self-refine change what a model is told, and the variant
without assimilation what it learns: there is no model here, so they are no modes of this benchmark (the reflection
benchmark has a model with and without them).
"""

from __future__ import annotations

from dataclasses import dataclass

from scaffold_cli.model.verdict import LayerName


@dataclass(frozen=True, slots=True)
class Mode:
    """`paper` is its name among the paper's baselines and ablation variants."""

    name: str
    paper: str
    layers: tuple[LayerName, ...]


MODES = (
    Mode("unprotected", "unprotected; baseline", (LayerName.BUDGET,)),
    Mode("sast", "post-hoc SAST", (LayerName.SAST,)),
    Mode("tests", "test-driven gating", (LayerName.TESTS,)),
    Mode("tests and sast", "hybrid gating", (LayerName.TESTS, LayerName.SAST)),
    Mode("gate without anchors", "gate-only", (LayerName.TESTS, LayerName.SAST, LayerName.BUDGET)),
    Mode("anchors", "anchor-only", (LayerName.ANCHORS,)),
    Mode("full", "full", (LayerName.TESTS, LayerName.SAST, LayerName.BUDGET, LayerName.ANCHORS)),
)
"""The diff budget never turns down a step of these tasks: with it alone every step is taken."""
