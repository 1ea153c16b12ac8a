"""Judge a change of a real folder or repository and look at the witnesses."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from scaffold_cli.gate.session import SessionOptions, judge_comparison
from scaffold_cli.model.verdict import LayerName, Verdict
from scaffold_cli.vcs.doors.folders import folders
from tests.support.repos import write

PLENTY = 60.0
"""Seconds no search here needs, so that a busy machine changes no result."""


def verdict(where: Path, before: dict[str, str], after: dict[str, str], seconds: float = PLENTY) -> Verdict:
    """The anchors layer's verdict on two folders made below `where`."""
    sides = []
    for name, files in (("before", before), ("after", after)):
        folder = where / name
        folder.mkdir()
        write(folder, {path: dedent(text) for path, text in files.items()})
        sides.append(folder)
    options = SessionOptions(layers=(LayerName.ANCHORS,), overrides={"anchors.witness-seconds": seconds})
    with folders(sides[0], sides[1], max_file_bytes=1_000_000) as comparison:
        return judge_comparison(comparison, options)


def witnesses(where: Path, before: str, after: str) -> list[str]:
    """The witnesses found for one file."""
    found = verdict(where, {"app.py": before}, {"app.py": after})
    return [violation.witness for violation in found.violations]
