"""`scaffold anchors diff`: what became of the protections between two versions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.commands.anchors import AnchorsFormat, Form
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.model.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from scaffold_cli.vcs.compare import Comparison


def diff(
    before: Annotated[str, typer.Argument(metavar="A", help="A file, a folder or a revision.")],
    after: Annotated[str, typer.Argument(metavar="B", help="Another of the same sort.")],
    *,
    everything: Annotated[bool, typer.Option("--all", help="List what was kept in place, too.")] = False,
    form: Form = AnchorsFormat.TEXT,
    no_color: options.NoColor = False,
) -> int:
    """Show what became of each protection from A to B.

    Two paths, or two revisions compared as they are. Exit code 3 when a file could not be read, otherwise 0.
    """
    from scaffold_cli.anchoring.catalogue import load
    from scaffold_cli.anchoring.comparing import compare_change
    from scaffold_cli.report.anchors_diff import diff_document, diff_text

    with _open(before, after) as comparison:
        fates = compare_change(comparison.change, comparison.before, comparison.after, load(), everything=True)
    if form is AnchorsFormat.JSON:
        write(json.dumps(diff_document(fates), indent=2) + "\n", sys.stdout)
    else:
        here = terminal(sys.stdout, no_color=no_color)
        write(diff_text(fates, here, everything=everything), sys.stdout)
    return ExitCode.UNDECIDED if fates.unparsable else ExitCode.ACCEPTED


def _open(before: str, after: str) -> Comparison:
    """The comparison of two paths that exist, else of two revisions."""
    from scaffold_cli.cli.selection import MAX_FILE_BYTES

    exist = [Path(name).exists() for name in (before, after)]
    if all(exist):
        from scaffold_cli.vcs.doors.folders import folders

        return folders(Path(before), Path(after), max_file_bytes=MAX_FILE_BYTES)
    if any(exist):
        there, missing = (before, after) if exist[0] else (after, before)
        raise UsageError(f"{there} is a path, and there is no path {missing}.", "Give two paths, or two revisions.")
    return _revisions(before, after)


def _revisions(before: str, after: str) -> Comparison:
    from scaffold_cli.cli.selection import MAX_FILE_BYTES, repository
    from scaffold_cli.model.change import Door
    from scaffold_cli.vcs.compare import Comparison, compare
    from scaffold_cli.vcs.doors.revisions import resolve
    from scaffold_cli.vcs.store import ObjectStore
    from scaffold_cli.vcs.tree import GitTree

    repo = repository()
    store = ObjectStore.of(repo)
    with store.kept():
        names = [resolve(store, name) for name in (before, after)]
        old, new = (GitTree(store, store.tree_of(name)) for name in names)
        change = compare(old, new, max_file_bytes=MAX_FILE_BYTES, door=Door.RANGE, base=names[0], head=names[1])
        return Comparison.of(change, old, new, repo.root)
