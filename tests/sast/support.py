"""Changes made of plain text, and the real layer over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import SastSettings, Settings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.sast import SastLayer
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Effect, LayerResult, Violation

Content = str | bytes


class Files:
    """A tree of files in memory."""

    id = "memory"

    def __init__(self, files: Mapping[str, Content]) -> None:
        self._files = {path: _bytes(content) for path, content in files.items()}

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def paths(self) -> Sequence[str]:
        return sorted(self._files)


def change(
    before: Mapping[str, Content], after: Mapping[str, Content], renames: Mapping[str, str] | None = None
) -> Change:
    """The change from one set of files to another; `renames` maps old paths to new ones, as git resolved them."""
    renames = renames or {}
    old_of = {new: old for old, new in renames.items()}
    pairs = [
        FileChange(_version(old_of.get(path, path), before), FileVersion(path, _bytes(content)))
        for path, content in after.items()
    ]
    gone = set(before) - set(after) - set(renames)
    return Change.of([*pairs, *(FileChange(_version(path, before), None) for path in gone)])


def one(before: Content, after: Content, path: str = "app.py") -> Change:
    """A change of one file."""
    return change({path: before}, {path: after})


def judge(judged: Change, *, cache: Path | None = None, before: Files | None = None, **settings: object) -> LayerResult:
    """The verdict of the real layer. `settings` are fields of the sast settings."""
    policy = Policy(Settings(sast=SastSettings(**settings)))  # type: ignore[arg-type]  # names are checked by the class
    return SastLayer().judge(judged, JudgeContext(policy=policy, cache=cache, before=before))


def blocking(result: LayerResult) -> list[Violation]:
    """The violations that make the layer fail."""
    return [violation for violation in result.violations if violation.effect is Effect.BLOCKS]


def facts(result: LayerResult) -> dict[str, object]:
    """The facts of a result by name."""
    return dict(result.facts)


def _version(path: str, files: Mapping[str, Content]) -> FileVersion | None:
    return FileVersion(path, _bytes(files[path])) if path in files else None


def _bytes(content: Content) -> bytes:
    return content.encode() if isinstance(content, str) else content
