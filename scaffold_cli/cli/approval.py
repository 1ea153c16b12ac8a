"""Asking for the approval of commands that configuration names, where somebody can answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scaffold_cli.cli.early import hook_index
from scaffold_cli.cli.streams import tell
from scaffold_cli.report.escape import visible

if TYPE_CHECKING:
    from scaffold_cli.config.policy import Policy
    from scaffold_cli.model.tree import Tree
    from scaffold_cli.vcs.repository import Repository


def approved(policy: Policy, repo: Repository | None, before: Tree | None, overrides: Mapping[str, object]) -> Policy:
    """The policy with the commands that may not run marked in it.

    Where a person sits at a terminal they are asked once; a hook, a pipe and CI are never made to wait.
    """
    from scaffold_cli.config.trust import Approvals, commands_of, with_trust

    approvals = Approvals.read(repo.scaffold_dir if repo else None, os.environ, before)
    unknown = [command for command in commands_of(policy, overrides) if not approvals.allow(command)]
    if unknown and approvals.file is not None and _somebody_is_there():
        tell("The configuration of this repository names commands that were not approved on this machine yet:")
        for command in unknown:
            tell(f"  {visible(str(command))}")
        if _answers_yes("Run them, now and from now on? [y/N] "):
            approvals = approvals.with_approved(unknown)
    return with_trust(policy, approvals, overrides)


def _somebody_is_there() -> bool:
    is_terminal = sys.stdin.isatty() and sys.stderr.isatty()
    return is_terminal and hook_index() is None and not os.environ.get("CI") and not os.environ.get("PRE_COMMIT")


def _answers_yes(question: str) -> bool:
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
