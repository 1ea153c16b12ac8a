"""`scaffold resume`: put in order what a killed run left, and go on."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import tell, write
from scaffold_cli.model.errors import ScaffoldError

if TYPE_CHECKING:
    from scaffold_cli.chain.resume import Resumed
    from scaffold_cli.chain.view import ChainView


def resume(
    *,
    close: Annotated[bool, typer.Option("--close", help="Close the chain instead of going on with it.")] = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> int:
    """Finish, or take back, the step of a run that was killed, and go on.

    The step that was cut off is finished or taken back: files, index and branch are as before it or as after it, and
    an edit made since is kept. Then the chain goes on as it was asked for: same goal, proposer and options, and what is
    left of its limits. Where it cannot, it is closed and you are told why. Safe to call at any time, and again.
    """
    from scaffold_cli.chain.resume import resume as put_in_order
    from scaffold_cli.cli.running import RunRequest, Shown, drive
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.report.escape import visible

    repo = repository()
    done = put_in_order(repo, go_on=not close)
    write("".join(f"{visible(line)}\n" for line in _told(done)), sys.stdout)
    if not done.request or done.chain is None:
        return 0
    try:
        return drive(repo, RunRequest.of(done.request), Shown(quiet, verbose, no_color), done.chain)
    except ScaffoldError:
        closed = put_in_order(repo)
        if closed.chain is not None:
            tell("\n".join(visible(line) for line in _next(closed.chain)))
        raise


def _told(done: Resumed) -> Iterator[str]:
    if done.nothing:
        yield "Nothing was cut off."
        return
    if done.step is not None:
        yield f"A step had been cut off: {done.step.recovery}."
        if done.step.newer:
            from scaffold_cli.vcs.commits import versions

            yield versions(done.step.newer, done.step.tree)
    if done.removed:
        yield f"Removed {len(done.removed)} temporary folder{'s' * (len(done.removed) != 1)} of killed processes."
    if done.chain is not None:
        yield from _next(done.chain)


def _next(chain: ChainView) -> Iterator[str]:
    kept = len(chain.accepted)
    counted = f"{kept} step{'s' * (kept != 1)} kept"
    if chain.reason is None:
        yield f"Chain {chain.chain} goes on, with {counted} of {chain.start.steps}."
        return
    yield f"Chain {chain.chain} is closed with {counted}; `scaffold log` shows them."
    left = chain.start.steps - kept
    if left > 0:
        words = ["scaffold", "run", *chain.start.paths, "--goal", chain.start.goal, "--steps", str(left)]
        yield f"For a new one from here: {shlex.join(words)} (and the other options as before)"
