"""`scaffold verify`: recompute the hashes of a chain's record."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from scaffold_cli.cli.streams import write
from scaffold_cli.model.errors import ExitCode


def verify(
    chain: Annotated[str | None, typer.Argument(metavar="[CHAIN]", help="Its name; else the latest one.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Every chain of the repository.")] = False,
) -> int:
    """Recompute the record of a chain: hashes, order, commits.

    Exit code 1 when something is not as recorded.
    """
    from scaffold_cli.chain.ledger import chains, find_chain
    from scaffold_cli.chain.verify import verify as recompute
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.report.escape import visible

    repo = repository()
    names = (chains(repo) if every else ()) or (find_chain(repo, chain),)
    done = [recompute(repo, name) for name in names]
    for item in done:
        state = "is as recorded" if item.ok else "is not as recorded"
        write(f"Chain {item.chain} {state}: {item.entries} entries.\n", sys.stdout)
        for fault in item.faults:
            write(f"  entry {fault.seq}: {visible(fault.what)}\n", sys.stdout)
    return ExitCode.ACCEPTED if all(item.ok for item in done) else ExitCode.REJECTED
