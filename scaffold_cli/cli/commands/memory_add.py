"""`scaffold memory add`: store a repair of your own, once the gate accepts it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import ScopeOption, opened
from scaffold_cli.cli.streams import tell
from scaffold_cli.model.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from scaffold_cli.model.change import Change

LAYERS = "sast,anchors"


def add(
    before: Annotated[Path, typer.Argument(help="The file before the repair.")],
    after: Annotated[Path, typer.Argument(help="The file after it.")],
    *,
    title: Annotated[str, typer.Option("--title", help="What it is about, in one line.")],
    lesson: Annotated[str, typer.Option("--lesson", help="The rule in one sentence.")] = "",
    cwe: Annotated[list[str] | None, typer.Option("--cwe", metavar="CWE-N", help="What it mends. Repeatable.")] = None,
    scope: ScopeOption = None,
    config: options.Config = None,
) -> int:
    """Store a repair of your own, once the gate accepts it.

    The change from BEFORE to AFTER is judged by the sast and anchors layers. Only an accepted one is stored; otherwise
    the exit code is that of the verdict.
    """
    from scaffold_cli.gate.engine import judge
    from scaffold_cli.gate.layer import JudgeContext
    from scaffold_cli.gate.layers import build
    from scaffold_cli.memory.cases_of import repair_case
    from scaffold_cli.memory.writer import redacted, remember
    from scaffold_cli.model.verdict import Decision, LayerName

    change = _change(before, after)
    verdict = judge(change, JudgeContext(), build(tuple(LayerName(name) for name in LAYERS.split(","))))
    if verdict.decision is not Decision.ACCEPT:
        told = f"Not stored: the gate says {verdict.decision.value}."
        tell(f"{told} See `scaffold check --layers {LAYERS} --before {before} --after {after}`.")
        return ExitCode.REJECTED if verdict.decision is Decision.REJECT else ExitCode.UNDECIDED
    case = repair_case(change, verdict, title=title, lesson=lesson, cwe=tuple(cwe or ()))
    with opened(scope, config) as store:
        new = remember(store, case, accepted=True)
        stored = redacted(case).id
    tell(f"Stored as {stored}." if new else f"Already there as {stored}.")
    return ExitCode.ACCEPTED


def _change(before: Path, after: Path) -> Change:
    """The change of one file, under the name it has afterwards."""
    from scaffold_cli.model.change import Change, FileChange, FileVersion

    try:
        old, new = before.read_bytes(), after.read_bytes()
    except OSError as error:
        raise UsageError(f"{error.filename} cannot be read: {error.strerror}.") from error
    if old == new:
        raise UsageError(f"{before} and {after} are equal: there is no repair.")
    return Change.of([FileChange(FileVersion(after.name, old), FileVersion(after.name, new))])
