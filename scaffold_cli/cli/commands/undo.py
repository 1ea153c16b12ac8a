"""`scaffold undo`: take an accepted step back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from scaffold_cli.cli.streams import write


def undo(
    step: Annotated[
        str | None, typer.Argument(metavar="[STEP]", help="A number or CHAIN/STEP; else the last accepted one.")
    ] = None,
    *,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Do not run the repository's commit hooks.")] = False,
) -> int:
    """Take an accepted step back, unless anything would be lost.

    Only the files of that step are written, by a new commit. A refusal names its reason.
    """
    from scaffold_cli.chain.undo import undo as take_back
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.report.escape import visible

    attempt, commit = take_back(repository(), step, verify=not no_verify)
    write(f"Undid step {attempt.step} ({visible(attempt.summary)}) with commit {commit[:10]}.\n", sys.stdout)
    return 0
