"""`scaffold memory import`: cases from JSON lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import ScopeOption, opened
from scaffold_cli.cli.streams import tell
from scaffold_cli.model.errors import ExitCode, UsageError

_NAMED = 5


def import_(
    file: Annotated[Path, typer.Argument(help="What `scaffold memory export` wrote.")],
    *,
    scope: ScopeOption = None,
    config: options.Config = None,
) -> int:
    """Store the cases of an export, its secrets taken out again.

    Import only what you trust: an export says of itself that its cases passed a gate. A broken line is named and left
    out; the exit code is 2 then, and the other lines are stored.
    """
    from scaffold_cli.memory.portable import load

    try:
        with file.open("rb") as lines, opened(scope, config) as store:
            done = load(lines, store)
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    tell(f"{done.new} new cases, {done.known} known already.")
    for number, reason in done.broken[:_NAMED]:
        tell(f"{file}:{number}: left out: {reason}")
    if len(done.broken) > _NAMED:
        tell(f"{len(done.broken) - _NAMED} more lines were left out.")
    return ExitCode.USAGE if done.broken else ExitCode.ACCEPTED
