"""The formats of a verdict behind one call; each format has its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from scaffold_cli.model.change import Change, Door
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.verdict import Decision, Verdict


class Format(StrEnum):
    """How a verdict is written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class Detail(StrEnum):
    """How much the text says."""

    QUIET = "quiet"
    NORMAL = "normal"
    VERBOSE = "verbose"


@dataclass(frozen=True, slots=True)
class Source:
    """Where the change came from. It is shown, and takes no part in the verdict."""

    door: Door
    base: str | None = None
    head: str | None = None

    @staticmethod
    def of(change: Change) -> Source:
        """The source a change names."""
        return Source(change.door, change.base, change.head)


@dataclass(frozen=True, slots=True)
class Options:
    """How to write it. `width` is in columns and, like `color` and `detail`, concerns text only."""

    source: Source = field(default_factory=lambda: Source(Door.FOLDERS))
    width: int = 100
    color: bool = False
    detail: Detail = Detail.NORMAL


def render(verdict: Verdict, form: Format, options: Options | None = None) -> str:
    """The verdict as text that ends with a newline."""
    return renderer(form)(verdict, options or Options())


def renderer(form: Format) -> Callable[[Verdict, Options], str]:
    """What `render` calls, imported: rich is for text only, and each format pays for itself."""
    match form:
        case Format.TEXT:
            from scaffold_cli.report.text import render_text

            return render_text
        case Format.JSON:
            from scaffold_cli.report.json_ import render_json

            return lambda verdict, options: render_json(verdict, options.source)
        case Format.SARIF:
            from scaffold_cli.report.sarif import render_sarif

            return lambda verdict, options: render_sarif(verdict, options.source)
    assert_never(form)


def exit_code(decision: Decision) -> ExitCode:
    """What the process ends with for a decision."""
    match decision:
        case Decision.ACCEPT:
            return ExitCode.ACCEPTED
        case Decision.REJECT:
            return ExitCode.REJECTED
        case Decision.UNDECIDED:
            return ExitCode.UNDECIDED
    assert_never(decision)
