"""`scaffold show`: the evidence of one step."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.report.interface import Options


class ShowFormat(StrEnum):
    """How a step is written."""

    TEXT = "text"
    JSON = "json"
    DIFF = "diff"
    AUDIT = "audit"


def show(
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="A number, CHAIN/STEP, either with .ATTEMPT; else the last.")
    ] = None,
    *,
    form: Annotated[
        ShowFormat, typer.Option("--format", help="diff: the candidates alone; audit: how they were made.")
    ] = ShowFormat.TEXT,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> int:
    """Show one step: its attempts, verdicts, evidence and diffs."""
    from scaffold_cli.chain.view import diff_of, find_step
    from scaffold_cli.cli.selection import repository

    repo = repository()
    found, attempts = find_step(repo, step)
    if form is ShowFormat.JSON:
        from scaffold_cli.report.chain_json import attempt_document

        write(json.dumps([attempt_document(attempt) for attempt in attempts], indent=2) + "\n", sys.stdout)
        return 0
    if form is ShowFormat.AUDIT:
        from scaffold_cli.chain.view import audits_of
        from scaffold_cli.report.chain_json import audit_documents

        told = audits_of(repo, found.chain, attempts)
        write(json.dumps(audit_documents(found, attempts, told), indent=2) + "\n", sys.stdout)
        return 0
    with_diffs = [(attempt, diff_of(repo, found.chain, attempt)) for attempt in attempts]
    if form is ShowFormat.DIFF:
        sys.stdout.flush()
        sys.stdout.buffer.write(b"".join(diff for _, diff in with_diffs))
        return 0
    from scaffold_cli.report.chain_text import render_step

    here = terminal(sys.stdout, no_color=no_color)
    shown = Options(width=here.width, color=here.color, detail=options.detail(quiet, verbose))
    write(render_step(found, with_diffs, shown), sys.stdout)
    return 0
