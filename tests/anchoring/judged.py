"""Judge a small change with the anchors layer, from source text."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent

from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.anchors import AnchorsLayer
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Effect, LayerResult, LayerStatus

Side = Mapping[str, str | bytes]


def version(path: str, text: str | bytes | None) -> FileVersion | None:
    """One side of a file; text is dedented."""
    if text is None:
        return None
    return FileVersion(path, text if isinstance(text, bytes) else dedent(text).encode())


def change_of(before: Side, after: Side) -> Change:
    """The change from one set of files to another."""
    paths = sorted({*before, *after})
    pairs = [(version(path, before.get(path)), version(path, after.get(path))) for path in paths]
    return Change.of(FileChange(one, other) for one, other in pairs if one != other)


def judge(before: str | Side, after: str | Side, path: str = "app.py") -> LayerResult:
    """The layer's result for one file (or several, by path)."""
    one = {path: before} if isinstance(before, str) else before
    other = {path: after} if isinstance(after, str) else after
    return AnchorsLayer().judge(change_of(one, other), JudgeContext())


def assert_rejected(before: str, after: str, path: str = "app.py") -> None:
    """The change of one file is rejected."""
    assert judge(before, after, path).status is LayerStatus.FAIL


def assert_accepted(before: str, after: str, path: str = "app.py") -> None:
    """The change of one file is accepted; what was found is shown where it is not."""
    result = judge(before, after, path)
    assert result.status is LayerStatus.PASS, result.violations


def assert_nothing_lost(before: str, after: str, path: str = "app.py") -> None:
    """No rule sees a loss in the change of one file. It may still be suspected: so small, it reads like many others."""
    blocking = [item for item in judge(before, after, path).violations if item.effect is Effect.BLOCKS]
    assert {item.code for item in blocking} <= {"suspected-loss"}, blocking
