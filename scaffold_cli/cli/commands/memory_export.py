"""`scaffold memory export`: every case as JSON lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import ScopeOption, opened
from scaffold_cli.cli.streams import tell, write
from scaffold_cli.model.errors import UsageError


def export(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to; stdout if unset.")] = None,
    *,
    scope: ScopeOption = None,
    config: options.Config = None,
) -> int:
    """Write every case as JSON lines, for `import` elsewhere or another backend or embedding."""
    from scaffold_cli.memory.portable import dump

    with opened(scope, config) as store:
        lines = list(dump(store.cases()))
    if file is None:
        write(b"".join(lines).decode("ascii"), sys.stdout)
        return 0
    try:
        file.write_bytes(b"".join(lines))
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
    tell(f"Wrote {len(lines)} cases to {file}.")
    return 0
