"""From a proposer's edits to a candidate: a tree, a change, a diff."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import Json
from scaffold_cli.proposers.interface import Proposer, ProposerUnusableError, Request
from scaffold_cli.vcs.build import tree_with
from scaffold_cli.vcs.tree import GitTree

if TYPE_CHECKING:
    from scaffold_cli.sandbox.confinement import Confinement
    from scaffold_cli.sandbox.interface import IsolationKind

_DIFF = ("diff-tree", "-p", "-r", "-M", "--no-color", "--no-ext-diff", "--no-textconv")
_PREFIXES = ("--src-prefix=a/", "--dst-prefix=b/")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed version: `tree`, and in `files` what to put where to get there (None deletes).

    The rest is the proposer's word: `done` says that nothing is left to do.
    """

    summary: str
    detail: str
    done: bool
    tree: GitTree
    files: Mapping[str, FileVersion | None]
    audit: Json = None
    doubt: str = ""


def propose(
    proposer: Proposer,
    request: Request,
    current: GitTree,
    isolation: IsolationKind | None,
    rules: Confinement | None = None,
) -> Candidate:
    """Ask for a candidate in a workspace of its own, which is gone when this returns or raises.

    Raises what the proposer raises (its UsageError as ProposerUnusableError), and UndecidedError when no workspace can
    be opened.
    """
    from scaffold_cli.sandbox.workspaces import open_workspace

    with open_workspace(current, current.store.root, kind=isolation, rules=rules) as workspace:
        try:
            proposal = proposer.propose(request, workspace)
        except UsageError as error:
            raise ProposerUnusableError(error.message, error.hint) from error
        files = dict(workspace.changes())
    tree = tree_with(current, files)
    return Candidate(proposal.summary, proposal.detail, proposal.done, tree, files, proposal.audit, proposal.doubt)


def unified_diff(before: GitTree, after: GitTree) -> bytes:
    """The difference of two trees as git shows it, whatever the user configured."""
    return before.store.git(*_DIFF, *_PREFIXES, before.id, after.id)
