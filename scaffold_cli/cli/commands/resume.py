"""`scaffold resume`: put in order what a killed run left."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scaffold_cli.cli.streams import write

if TYPE_CHECKING:
    from scaffold_cli.chain.resume import Resumed
    from scaffold_cli.chain.view import ChainView


def resume() -> int:
    """Finish, or take back, the step of a run that was killed.

    Whichever the step had come to: afterwards files, index and branch are as before it or as after it. An edit made
    since is kept. Safe to call at any time, and again.
    """
    from scaffold_cli.chain.resume import resume as put_in_order
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.report.escape import visible

    write("".join(f"{visible(line)}\n" for line in _told(put_in_order(repository()))), sys.stdout)
    return 0


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
    yield f"Chain {chain.chain} is closed with {kept} step{'s' * (kept != 1)} kept; `scaffold log` shows them."
    left = chain.start.steps - kept
    if left > 0:
        words = ["scaffold", "run", *chain.start.paths, "--goal", chain.start.goal, "--steps", str(left)]
        yield f"To go on: {shlex.join(words)} (and the other options as before)"
