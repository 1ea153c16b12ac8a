"""The four layers, one file each, in a hand-written table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from scaffold_cli.gate.layer import JudgeContext, Layer
from scaffold_cli.model.change import Change
from scaffold_cli.model.verdict import LayerName, LayerResult


def build(names: Iterable[LayerName]) -> tuple[Layer, ...]:
    """The layers called `names`, in their fixed order, each once."""
    wanted = set(names)
    return tuple(_Lazy(name) for name in LayerName if name in wanted)


class _Lazy:
    """A layer that is imported where it is at work, in its own thread: the scanner need not wait for the others."""

    def __init__(self, name: LayerName) -> None:
        self.name = name

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        return _make(self.name).judge(change, context)


def _make(name: LayerName) -> Layer:
    # Imported here: a run that asks for one layer must not pay for the others.
    match name:
        case LayerName.TESTS:
            from scaffold_cli.gate.layers.tests import TestsLayer

            return TestsLayer()
        case LayerName.SAST:
            from scaffold_cli.gate.layers.sast import SastLayer

            return SastLayer()
        case LayerName.BUDGET:
            from scaffold_cli.gate.layers.budget import BudgetLayer

            return BudgetLayer()
        case LayerName.ANCHORS:
            from scaffold_cli.gate.layers.anchors import AnchorsLayer

            return AnchorsLayer()
    assert_never(name)
