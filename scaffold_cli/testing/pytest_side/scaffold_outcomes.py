"""Loaded into the user's pytest: appends what became of each test to a file, one JSON object a line.

Standard library only, any Python 3.8 or later: this runs in the user's interpreter, not in ours. Each line is
written as it happens, so a crash loses nothing that was known before.
"""

from __future__ import annotations

import json
import os
from typing import Any

_NAME = "scaffold_outcomes"
_VARIABLE = "SCAFFOLD_OUTCOMES_FILE"
_DETAIL = 4000
"""Characters kept of a failure's report, from its end."""


def _take_file() -> int | None:
    """Open the file named by the environment, and take the request back: a pytest inside a test must not answer it.

    Workers of pytest-xdist are started later and so do not load this; the controller sees their reports.
    """
    path = os.environ.pop(_VARIABLE, "")
    others = [name for name in os.environ.pop("PYTEST_PLUGINS", "").split(",") if name not in ("", _NAME)]
    if others:
        os.environ["PYTEST_PLUGINS"] = ",".join(others)
    if not path:
        return None
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


_descriptor = _take_file()


def _write(**record: object) -> None:
    if _descriptor is not None:
        os.write(_descriptor, json.dumps(record).encode("ascii") + b"\n")


_write(event="loaded")


def pytest_collectreport(report: Any) -> None:
    """A file or class that could not be collected, or skipped itself."""
    if report.outcome != "passed":
        _write(event="collect", id=report.nodeid, outcome=report.outcome, **_story(report))


def pytest_runtest_logreport(report: Any) -> None:
    """One phase (setup, call, teardown) of one test, or one subtest."""
    path, line, _ = report.location
    _write(
        event="test",
        id=report.nodeid,
        phase="subtest" if getattr(report, "context", None) is not None else report.when,
        outcome=report.outcome,
        wasxfail=hasattr(report, "wasxfail"),
        path=path,
        line=(line or 0) + 1,
        **_story(report),
    )


def pytest_sessionfinish(exitstatus: int) -> None:
    """The run came to its end."""
    _write(event="finished", code=int(exitstatus))


def _story(report: Any) -> dict[str, str]:
    """One line on what went wrong, and the end of the report."""
    longrepr = report.longrepr
    if not longrepr or report.outcome == "passed":
        return {"summary": "", "detail": ""}
    if isinstance(longrepr, tuple):  # a skip: file, line, reason
        return {"summary": str(longrepr[2])[:_DETAIL], "detail": str(longrepr[2])[-_DETAIL:]}
    detail = str(longrepr)
    crash = getattr(longrepr, "reprcrash", None)
    lines = crash.message.splitlines() if crash is not None else _marked(detail)
    return {"summary": lines[0][:_DETAIL] if lines else "", "detail": detail[-_DETAIL:]}


def _marked(detail: str) -> list[str]:
    """The lines pytest marks as the error, or the last one."""
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    return [line[2:].strip() for line in lines if line.startswith("E ")] or lines[-1:]
