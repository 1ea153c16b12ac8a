"""`scaffold trust`: approve the commands that the repository's configuration names."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli.streams import write

if TYPE_CHECKING:
    from scaffold_cli.config.trust import Command
    from scaffold_cli.vcs.repository import Repository


def trust(
    *,
    show: Annotated[bool, typer.Option("--list", help="Only show them, and whether they may run.")] = False,
    revoke: Annotated[bool, typer.Option("--revoke", help="Take every approval back.")] = False,
) -> int:
    """Approve the commands that the repository's configuration names.

    Those are tests.command, sast.command, sast.engine and run.proposer, as committed and as they are on disk now. An
    approval is bound to the words of the command and kept in .git/scaffold. What `scaffold init` finds is approved.
    """
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.config.trust import Approvals
    from scaffold_cli.report.escape import visible

    repo = repository()
    approvals = Approvals.read(repo.scaffold_dir, os.environ)
    assert approvals.file is not None
    if revoke:
        approvals.file.unlink(missing_ok=True)
        write("No command is approved any more.\n", sys.stdout)
        return 0
    named = _named(repo)
    if not named:
        write("The configuration names no command.\n", sys.stdout)
        return 0
    lines = []
    for command in named:
        known = approvals.allow(command)
        word = "approved" if known or not show else "not approved"
        lines.append(f"{word}{'' if known or show else ' now'}  {visible(str(command))}\n")
    if not show:
        approvals.with_approved(named)
    write("".join(lines), sys.stdout)
    return 0


def _named(repo: Repository) -> list[Command]:
    """What the committed settings and those on disk name."""
    from scaffold_cli.config.folder import FolderTree
    from scaffold_cli.config.loading import load_policy
    from scaffold_cli.config.trust import commands_of
    from scaffold_cli.vcs.index import head_tree
    from scaffold_cli.vcs.store import ObjectStore

    with ObjectStore.of(repo) as store:
        tree = head_tree(store, repo.head())
        found = set(commands_of(load_policy(tree, tree.paths())))
        settings = [path for path in tree.paths() if path.rpartition("/")[2] in ("scaffold.toml", "pyproject.toml")]
    found |= set(commands_of(load_policy(FolderTree(repo.root), ["scaffold.toml", *settings])))
    return sorted(found)
