"""`scaffold log`: what a chain did, step by step."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.report.interface import Options


class LogFormat(StrEnum):
    """How a log is written."""

    TEXT = "text"
    JSON = "json"


def log(
    chain: Annotated[str | None, typer.Argument(metavar="[CHAIN]", help="Its name, or a unique part.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="One line for each chain of the repository.")] = False,
    form: Annotated[LogFormat, typer.Option("--format", help="How it is written.")] = LogFormat.TEXT,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> int:
    """Show what a chain did, step by step.

    The latest chain, unless another one is named.
    """
    from scaffold_cli.chain.ledger import chains, find_chain
    from scaffold_cli.chain.view import view
    from scaffold_cli.cli.selection import repository

    repo = repository()
    names = (chains(repo) if every else ()) or (find_chain(repo, chain),)
    views = [view(repo, name) for name in names]
    if form is LogFormat.JSON:
        from scaffold_cli.report.chain_json import chain_document

        write(json.dumps([chain_document(found) for found in views], indent=2) + "\n", sys.stdout)
        return 0
    from scaffold_cli.chain.metrics import measure
    from scaffold_cli.report.chain_text import render_chains, render_log

    here = terminal(sys.stdout, no_color=no_color)
    shown = Options(width=here.width, color=here.color, detail=options.detail(False, verbose))
    if every:
        write(render_chains(views, shown), sys.stdout)
    for found in () if every else views:
        write(render_log(found, measure(found.start, found.attempts), shown), sys.stdout)
    return 0
