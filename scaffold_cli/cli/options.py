"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scaffold_cli.report.interface import Detail
from scaffold_cli.sandbox.interface import IsolationKind

Layers = Annotated[
    str | None, typer.Option("--layers", metavar="NAMES", help="Only these layers: tests,sast,budget,anchors.")
]
Config = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Settings from FILE win over those of the repository.")
]
TestCommand = Annotated[
    str | None, typer.Option("--test-command", metavar="CMD", help="Run CMD as the tests, whatever is configured.")
]
Waive = Annotated[
    list[str] | None, typer.Option("--waive", metavar="ID", help="Let one violation pass; needs --reason. Repeatable.")
]
Reason = Annotated[
    list[str] | None, typer.Option("--reason", metavar="TEXT", help="Why it may pass; kept in the record.")
]
Isolation = Annotated[
    IsolationKind | None, typer.Option("--isolation", help="How candidates are isolated; the best that works if unset.")
]
RequireSandbox = Annotated[
    bool, typer.Option("--require-sandbox", help="Undecided where nothing can hold in what the candidate runs.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say the verdict in one line.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say all that was measured.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colours (as does NO_COLOR).")]


def detail(quiet: bool, verbose: bool) -> Detail:
    """How much to say; quiet wins."""
    if quiet:
        return Detail.QUIET
    return Detail.VERBOSE if verbose else Detail.NORMAL
