"""`scaffold anchors`: the protections that are found in files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import terminal, write

if TYPE_CHECKING:
    from scaffold_cli.model.change import FileVersion
    from scaffold_cli.model.protection import Anchor
    from scaffold_cli.model.tree import Tree


class AnchorsFormat(StrEnum):
    """How anchors are written."""

    TEXT = "text"
    JSON = "json"


Form = Annotated[AnchorsFormat, typer.Option("--format", help="How it is written.")]


def anchors(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Files or folders of the repository.")],
    *,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Sensitive calls instead: which stand behind a protection.")
    ] = False,
    form: Form = AnchorsFormat.TEXT,
    no_color: options.NoColor = False,
) -> int:
    """List the protections found in files: what no change may lose.

    The files are read as they are now, uncommitted edits included. `scaffold anchors explain [ID]` says what an
    anchor, a violation or an entry of the catalogue is about, `scaffold anchors diff A B` what became of the
    protections between two files, folders or revisions.
    """
    if coverage:
        return _show_coverage(paths, form, no_color)
    found = _mined(paths)
    if form is AnchorsFormat.JSON:
        from scaffold_cli.model.plain import to_plain

        write(json.dumps([to_plain(anchor) for anchor in found], indent=2) + "\n", sys.stdout)
        return 0
    from scaffold_cli.report.page import show, table

    here = terminal(sys.stdout, no_color=no_color)
    if not found:
        write("No protections were found.\n", sys.stdout)
        return 0
    rows = [_row(anchor) for anchor in found]
    header = ("where", "kind", "strength", "what", "id")
    write(show([table(header, rows, wrap=3)], here.width, here.color), sys.stdout)
    return 0


def _show_coverage(paths: Sequence[Path], form: AnchorsFormat, no_color: bool) -> int:
    from scaffold_cli.anchoring.catalogue import load
    from scaffold_cli.anchoring.coverage import coverage
    from scaffold_cli.report.anchors_coverage import coverage_document, coverage_text

    with _files(paths) as (files, _):
        sinks = coverage(files, load())
    if form is AnchorsFormat.JSON:
        write(json.dumps(coverage_document(sinks), indent=2) + "\n", sys.stdout)
    else:
        write(coverage_text(sinks, terminal(sys.stdout, no_color=no_color)), sys.stdout)
    return 0


def _mined(paths: Sequence[Path]) -> tuple[Anchor, ...]:
    from scaffold_cli.anchoring.mining import mine

    with _files(paths) as (files, tree):
        found = mine(files, tree.read)
    return tuple(sorted(found, key=lambda anchor: (anchor.protection.place.path, anchor.protection.place.line)))


@contextmanager
def _files(paths: Sequence[Path]) -> Iterator[tuple[list[FileVersion], Tree]]:
    """The text files at or below `paths` in the working tree, and that tree."""
    from scaffold_cli.cli.selection import MAX_FILE_BYTES, paths_below, repository
    from scaffold_cli.model.change import FileVersion
    from scaffold_cli.vcs.doors.working_tree import working_tree

    repo = repository()
    with working_tree(repo, max_file_bytes=MAX_FILE_BYTES) as comparison:
        tree = comparison.after
        contents = ((path, tree.read(path)) for path in paths_below(tree, repo, paths))
        files = [FileVersion(path, data) for path, data in contents if data is not None]
        yield [file for file in files if file.is_text and file.size <= MAX_FILE_BYTES], tree


def _row(anchor: Anchor) -> tuple[str, ...]:
    protection = anchor.protection
    parts = (protection.subject, protection.condition, protection.action)
    what = " · ".join(part for part in parts if part)
    place = protection.place
    return f"{place.path}:{place.line}", protection.kind.value, anchor.strength.value, what, anchor.id
