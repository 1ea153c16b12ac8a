"""The one question answered before the command line is parsed: is anything staged at all?"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from scaffold_cli.cli.streams import write

STAGED = ("check", "--staged")
SAME_ANSWER = frozenset({"--quiet", "-q", "--verbose", "-v", "--no-color"})
"""Options that do not change what is said about an empty change."""
_MERGING = "GITHEAD_"


def nothing_staged(words: Sequence[str]) -> bool:
    """True, with the answer printed, for `check --staged` when git says the index equals HEAD.

    Every other call, and every doubt (no repository, no git, an unborn HEAD), is left to the full path,
    which says the same about an empty change.
    """
    if tuple(words[:2]) != STAGED or not set(words[2:]) <= SAME_ANSWER:
        return False
    from scaffold_cli.model.errors import ScaffoldError
    from scaffold_cli.vcs import quick

    try:
        index_is_head = quick.nothing_staged(Path.cwd(), hook_index())
    except ScaffoldError:
        return False
    if index_is_head:
        write("ACCEPTED  nothing to judge: the change is empty\n", sys.stdout)
    return index_is_head


def hook_index() -> Path | None:
    """The index git names to a hook (`git commit -a` and `git commit FILE` use one of their own)."""
    named = os.environ.get("GIT_INDEX_FILE")
    return Path(named) if named else None


def hook_merging() -> list[str]:
    """The commits `git merge` tells its hook to be merging, as ``GITHEAD_<commit>``: their names are in no file yet."""
    named = (name.removeprefix(_MERGING) for name in os.environ if name.startswith(_MERGING))
    return sorted(commit for commit in named if len(commit) in (40, 64) and set(commit) <= set("0123456789abcdef"))
