"""`scaffold memory show`: one case with its texts."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import Form, MemoryFormat, ScopeOption, found, opened
from scaffold_cli.cli.streams import terminal, write


def show(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of a case, or its beginning.")],
    *,
    scope: ScopeOption = None,
    form: Form = MemoryFormat.TEXT,
    config: options.Config = None,
    no_color: options.NoColor = False,
) -> int:
    """Show one case: both versions, the lesson, where it comes from."""
    from scaffold_cli.report.memory_text import case_text, plain_case

    with opened(scope, config) as store:
        case = found(store, name)
    if form is MemoryFormat.JSON:
        write(json.dumps(plain_case(case), indent=2) + "\n", sys.stdout)
    else:
        write(case_text(case, terminal(sys.stdout, no_color=no_color)), sys.stdout)
    return 0
