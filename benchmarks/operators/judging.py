"""What the anchors layer says about a rewritten file."""

from __future__ import annotations

from functools import lru_cache

from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.anchors import AnchorsLayer
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Effect, LayerResult


@lru_cache(maxsize=512)
def judge(before: str, after: str, path: str) -> LayerResult:
    """The layer's result for one file that changed from `before` to `after`."""
    sides = (FileVersion(path, before.encode()), FileVersion(path, after.encode()))
    return AnchorsLayer().judge(Change.of([FileChange(*sides)]), JudgeContext())


def blocking(result: LayerResult) -> list[str]:
    """What the violations that block say."""
    return [item.what for item in result.violations if item.effect is Effect.BLOCKS]
