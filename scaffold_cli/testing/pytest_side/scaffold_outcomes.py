"""Loaded into the user's pytest: appends what became of each test to a file, one JSON object a line.

Standard library only, any Python 3.8 or later: this runs in the user's interpreter, not in ours. Each line is
written as it happens, so a crash loses nothing that was known before. Each line is numbered and sealed with a key
that is only in this closure and in the judge: what tests add, change or take away there does not go unseen.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
import unittest
from collections.abc import Callable, Iterator
from typing import Any

import pytest

_NAME = "scaffold_outcomes"
_VARIABLE = "SCAFFOLD_OUTCOMES_FILE"
_DETAIL = 4000
"""Characters kept of a failure's report, from its end."""
_HOOKS = (
    "pytest_runtest_makereport",
    "pytest_runtest_logreport",
    "pytest_runtest_protocol",
    "pytest_runtest_call",
    "pytest_runtestloop",
    "pytest_pyfunc_call",
    "pytest_sessionfinish",
    "pytest_unconfigure",
    "pytest_cmdline_main",
    "pytest_report_teststatus",
    "pytest_exception_interact",
    "pytest_make_collect_report",
    "pytest_pycollect_makeitem",
)
"""Hooks that can change what is reported; those of the project itself are named."""

_QUIET = ("Skipped", "SkipTest", "XFailed")
"""What a part of a test (a subtest) may raise while the whole passes."""


def _take_writer() -> Callable[..., None]:
    """Open the file named by the environment, and take the request back: a pytest inside a test must not answer it.

    Workers of pytest-xdist are started later and so do not load this; the controller sees their reports.
    """
    path = os.environ.pop(_VARIABLE, "")
    others = [name for name in os.environ.pop("PYTEST_PLUGINS", "").split(",") if name not in ("", _NAME)]
    if others:
        os.environ["PYTEST_PLUGINS"] = ",".join(others)
    if not path:
        return lambda **_: None
    with open(f"{path}.key", "rb") as stream:  # noqa: PTH123 - nothing heavier than needed in the user's interpreter
        key = stream.read()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    session, owner, write, digest, dumps = os.urandom(8).hex(), os.getpid(), os.write, hmac.new, json.dumps
    count = 0

    def record(**fields: object) -> None:
        nonlocal count
        if os.getpid() != owner:  # a fork of a test speaks for nobody
            return
        count += 1
        text = dumps({**fields, "session": session, "n": count}).encode("ascii")
        write(descriptor, digest(key, text, hashlib.sha256).hexdigest()[:32].encode() + b" " + text + b"\n")

    return record


_write = _take_writer()
_write(event="loaded")


def _assertions() -> dict[str, object]:
    """What tests assert with, by name: if any of it is another object at the end, it was replaced."""
    found: dict[str, object] = {"AssertionError": __builtins__["AssertionError"]}  # type: ignore[index]
    cases = vars(unittest.TestCase).items()
    found.update((f"unittest.TestCase.{name}", value) for name, value in cases if name.startswith(("assert", "fail")))
    for name in ("raises", "fail", "approx", "warns"):
        found[f"pytest.{name}"] = getattr(pytest, name, None)
    return found


class _Collector:
    """The hooks; an object of its own, so that no name in a module leads to it."""

    def __init__(self, write: Callable[..., None]) -> None:
        known = _assertions()
        self._look: Callable[[], Iterator[str]] = lambda: (
            f"{name} was replaced" for name, value in _assertions().items() if known.get(name) is not value
        )
        self._record = write
        self._raised: dict[tuple[str, str], str] = {}

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        """Remember what was raised, whatever becomes of the report."""
        if call.excinfo is not None and call.excinfo.typename not in _QUIET:
            self._raised[item.nodeid, call.when] = call.excinfo.typename
        yield

    def pytest_collectreport(self, report: Any) -> None:
        """A file or class that could not be collected, or skipped itself."""
        if report.outcome != "passed":
            self._record(event="collect", id=report.nodeid, outcome=report.outcome, **_story(report))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """One phase (setup, call, teardown) of one test, or one subtest."""
        path, line, _ = report.location
        part = getattr(report, "context", None) is not None
        raised = None if part else self._raised.pop((report.nodeid, report.when), None)
        outcome, story = report.outcome, _story(report)
        if raised is not None and outcome == "passed":
            outcome, what = "failed", f"it raised {raised} and was reported as passed"
            story = {"summary": what, "detail": what}
        self._record(
            event="test",
            id=report.nodeid,
            phase="subtest" if part else report.when,
            outcome=outcome,
            wasxfail=hasattr(report, "wasxfail"),
            path=path,
            line=(line or 0) + 1,
            **story,
        )

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: Any, exitstatus: int) -> None:
        """The run came to its end."""
        for oddity in (*self._look(), *_hooks(session.config)):
            self._record(event="oddity", id=oddity)
        if sys.flags.optimize:
            self._record(event="oddity", id="assert statements are switched off (python -O)")
        self._record(event="finished", code=int(exitstatus))


def pytest_configure(config: Any) -> None:
    """Hand over to the collector."""
    config.pluginmanager.register(_Collector(_write), None)
    sys.modules.pop(_NAME, None)
    globals().pop("_write", None)


def _hooks(config: Any) -> Iterator[str]:
    """Hooks of the project's own files that can change what is reported."""
    root = os.path.realpath(str(config.rootpath if hasattr(config, "rootpath") else config.rootdir))
    for name in _HOOKS:
        caller = getattr(config.hook, name, None)
        for impl in caller.get_hookimpls() if caller is not None else ():
            code = getattr(getattr(impl.function, "__wrapped__", impl.function), "__code__", None)
            file = os.path.realpath(code.co_filename) if code is not None else "?"
            inside = file.startswith(root + os.sep) and "site-packages" not in file
            if inside or not os.path.exists(file):  # noqa: PTH110 - as above
                yield f"{os.path.relpath(file, root) if inside else 'code without a file'} has a hook {name}"


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


def _marked(detail: str) -> Any:
    """The lines pytest marks as the error, or the last one."""
    lines = [line.strip() for line in detail.splitlines() if line.strip()]
    return [line[2:].strip() for line in lines if line.startswith("E ")] or lines[-1:]
