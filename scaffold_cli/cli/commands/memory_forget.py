"""`scaffold memory forget`: remove cases."""

from __future__ import annotations

from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import ScopeOption, found, opened
from scaffold_cli.cli.streams import tell
from scaffold_cli.model.errors import UsageError


def forget(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="Ids of cases, or their beginnings.")
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Remove every case.")] = False,
    scope: ScopeOption = None,
    config: options.Config = None,
) -> int:
    """Remove cases from memory. An export made before brings them back."""
    if bool(names) == every:
        raise UsageError("Name the cases to forget, or give --all.", "`scaffold memory list` shows their ids.")
    with opened(scope, config) as store:
        ids = [case.id for case in store.cases()] if every else [found(store, name).id for name in names or ()]
        tell(f"Forgot {store.forget(ids)}.")
    return 0
