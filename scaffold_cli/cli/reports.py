"""SARIF handed in with `check`."""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.gate.layer import Reports
from scaffold_cli.gate.session import SessionOptions
from scaffold_cli.model.change import Change
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import LayerName


def read_reports(before: Path | None, after: Path | None) -> Reports | None:
    """Both reports as bytes; None without any.

    Raises UsageError when only one is given or a file cannot be read.
    """
    if before is None and after is None:
        return None
    if before is None or after is None:
        raise UsageError(
            "--sarif-before and --sarif-after belong together.",
            "Let the same scanner write a report of each side: what it finds only after the change is new.",
        )
    return Reports((str(before), _bytes(before)), (str(after), _bytes(after)))


def refuse_unread(session: SessionOptions) -> None:
    """Raises UsageError for reports that no layer would read."""
    if session.reports is not None and session.layers is not None and LayerName.SAST not in session.layers:
        raise UsageError("--sarif-before and --sarif-after need the layer 'sast'.", "Add it: --layers sast,...")


def refuse_idle(session: SessionOptions, change: Change) -> None:
    """Raises UsageError for reports on a change that is empty: one tree cannot have two sets of findings."""
    if session.reports is not None and change.is_empty:
        raise UsageError(
            "The change is empty, so the two SARIF reports cannot be about its sides.",
            "Name the change they were made for, as with --base REV.",
        )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"The report {path} cannot be read: {error.strerror}.") from error
