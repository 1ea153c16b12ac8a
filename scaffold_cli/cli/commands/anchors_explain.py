"""`scaffold anchors explain`: what an entry of the catalogue, an anchor or a violation is about."""

from __future__ import annotations

import json
import re
import sys
from difflib import get_close_matches
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.commands.anchors import AnchorsFormat, Form
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.model.errors import UsageError

if TYPE_CHECKING:
    from scaffold_cli.anchoring.catalogue import Catalogue
    from scaffold_cli.model.protection import Anchor
    from scaffold_cli.vcs.compare import Comparison

_ANCHOR = re.compile(r"(?:guard|handler|decorator|call|setting|signature)-[0-9a-f]{10}(?:\.\d+)?")
_VIOLATION = re.compile(r"anchors-[0-9a-f]{10}")


def explain(
    name: Annotated[
        str | None, typer.Argument(metavar="ID", help="An entry, an anchor or a violation; all entries if unset.")
    ] = None,
    *,
    form: Form = AnchorsFormat.TEXT,
    no_color: options.NoColor = False,
) -> int:
    """Explain an entry of the catalogue, an anchor or a violation.

    Anchors and violations are looked for in the working tree and in HEAD.
    """
    from scaffold_cli.anchoring.catalogue import load
    from scaffold_cli.model.plain import to_plain
    from scaffold_cli.report.anchors_explain import entries_text, explain_document, explain_text

    catalogue = load()
    here = terminal(sys.stdout, no_color=no_color)
    if name is None:
        known = list(catalogue.entries.values())
        listed = json.dumps([to_plain(entry) for entry in known], indent=2) + "\n"
        write(listed if form is AnchorsFormat.JSON else entries_text(known, here), sys.stdout)
        return 0
    anchor = None if name in catalogue.entries else _anchor(name, catalogue)
    entry = catalogue.entries.get(name if anchor is None else anchor.protection.rule)
    document = json.dumps(explain_document(entry, anchor), indent=2) + "\n"
    write(document if form is AnchorsFormat.JSON else explain_text(entry, anchor, here), sys.stdout)
    return 0


def _anchor(name: str, catalogue: Catalogue) -> Anchor:
    """The anchor of this id, or the one the violation of this id speaks of. Raises UsageError when there is none."""
    is_violation = _VIOLATION.fullmatch(name) is not None
    if not is_violation and _ANCHOR.fullmatch(name) is None:
        close = get_close_matches(name, list(catalogue.entries), n=1)
        hint = f"Did you mean {close[0]!r}?" if close else "`scaffold anchors explain` lists the entries."
        raise UsageError(f"The catalogue has no entry {name!r}.", hint)
    from scaffold_cli.cli.selection import MAX_FILE_BYTES, repository
    from scaffold_cli.vcs.doors.working_tree import working_tree

    with working_tree(repository(), max_file_bytes=MAX_FILE_BYTES) as comparison:
        wanted = _subject(name, comparison) if is_violation else name
        found = _mined(wanted, comparison, catalogue) if wanted else None
    if found is None:
        what = "violation" if is_violation else "anchor"
        raise UsageError(
            f"There is no {what} {name!r} in the working tree.",
            "`scaffold check` names violations, `scaffold anchors PATH` anchors.",
        )
    return found


def _subject(violation: str, comparison: Comparison) -> str:
    """The anchor a violation of the working tree speaks of; empty when there is no such violation."""
    from scaffold_cli.gate.layer import JudgeContext
    from scaffold_cli.gate.layers.anchors import AnchorsLayer

    context = JudgeContext(before=comparison.before, after=comparison.after)
    result = AnchorsLayer().judge(comparison.change, context)
    return next((item.subject for item in result.violations if item.id == violation), "")


def _mined(wanted: str, comparison: Comparison, catalogue: Catalogue) -> Anchor | None:
    from scaffold_cli.anchoring.mining import mine
    from scaffold_cli.cli.selection import MAX_FILE_BYTES
    from scaffold_cli.model.change import FileVersion

    for tree in (comparison.after, comparison.before):
        contents = ((path, tree.read(path)) for path in tree.paths())
        files = (FileVersion(path, data) for path, data in contents if data is not None and len(data) <= MAX_FILE_BYTES)
        found = next((anchor for anchor in mine(files, tree.read, catalogue) if anchor.id == wanted), None)
        if found is not None:
            return found
    return None
