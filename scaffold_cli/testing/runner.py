"""Running a test command in a workspace and reading what came of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping

from scaffold_cli import owned
from scaffold_cli.config.schema import TestReader, TestsSettings
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.processes import Completed
from scaffold_cli.sandbox import temporary
from scaffold_cli.sandbox.commands import environment, words
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.testing import junit_reader, pytest_reader
from scaffold_cli.testing.outcomes import Case, Outcome, TestRun

_TAIL = 4000
"""Characters kept of the output, from its end."""
_COLLECT_TIMEOUT = 60.0
"""Seconds for collecting report files."""
_COLLECT = """\
import json, pathlib, sys
since, found = int(sys.argv[1]), {}
for pattern in sys.argv[2:]:
    for path in pathlib.Path().glob(pattern):
        if path.is_file() and path.stat().st_mtime_ns >= since:
            found[path.as_posix()] = path.read_bytes().decode("latin-1")
json.dump(found, sys.stdout)
"""


def run_tests(workspace: Workspace, settings: TestsSettings, folder: str = "") -> TestRun:
    """Run `settings.command` once in `folder` (POSIX, relative) of the workspace.

    Raises ProgramNotFoundError when the command does not exist, UsageError when it cannot be split into
    words, UndecidedError when its results cannot be read as asked.
    """
    argv = words(settings.command, "tests.command")
    place = temporary.new_folder(workspace.root)  # outside: what is written inside stays inside
    try:
        results, stamp = place / "outcomes.jsonl", place / "stamp"
        stamp.touch()
        scratch = place / "tmp"
        scratch.mkdir()
        # A folder of its own: other runs on this machine clean up, and fill, the shared one.
        env = {**pytest_reader.environment(results, environment()), "TMPDIR": str(scratch)}
        done = workspace.run(argv, timeout=settings.timeout, env=env, folder=folder)
        records = pytest_reader.read(results)
        if settings.reader in (TestReader.AUTO, TestReader.PYTEST) and records is not None:
            return _run(done, TestReader.PYTEST, records.cases, records.uncollected, records.oddities)
        if settings.reader is TestReader.PYTEST:
            raise UndecidedError(
                f"The test command did not start pytest: {_last_line(done)}",
                "Set tests.reader to 'exit-code' or 'junit' if it runs something else.",
            )
        if settings.reader in (TestReader.AUTO, TestReader.JUNIT) and not done.timed_out:
            files = _reports(workspace, folder, settings.junit, stamp.stat().st_mtime_ns)
            if files or settings.reader is TestReader.JUNIT:
                return _run(done, TestReader.JUNIT, junit_reader.read(files.items()))
    finally:
        owned.remove(place)
    return _run(done, TestReader.EXIT_CODE, _by_exit_code(settings.command, done))


def _run(
    done: Completed,
    reader: TestReader,
    cases: Mapping[str, Case],
    uncollected: Mapping[str, Case] | None = None,
    oddities: tuple[str, ...] = (),
) -> TestRun:
    return TestRun(cases, done.code, done.timed_out, _tail(done), reader, uncollected or {}, oddities)


def _by_exit_code(command: str, done: Completed) -> dict[str, Case]:
    """The whole command as one test; a command that was ended says nothing."""
    if done.timed_out:
        return {}
    return {command: Case(Outcome.PASSED) if done.ok else Case(Outcome.FAILED, _last_line(done), _tail(done))}


def _reports(workspace: Workspace, folder: str, patterns: Iterable[str], since: int) -> dict[str, bytes]:
    """The report files written since `since` (ns). Read from inside: outside they may not be where they seem."""
    argv = [sys.executable, "-I", "-c", _COLLECT, str(since), *patterns]
    done = workspace.run(argv, timeout=_COLLECT_TIMEOUT, env=environment(), folder=folder)
    if not done.ok:
        raise UndecidedError(f"The test reports could not be collected: {_last_line(done)}", "Check tests.junit.")
    return {name: text.encode("latin-1") for name, text in json.loads(done.stdout).items()}


def _tail(done: Completed) -> str:
    output = done.stdout.decode("utf-8", "replace").rstrip() + "\n" + done.stderr.decode("utf-8", "replace").rstrip()
    return output.strip()[-_TAIL:]


def _last_line(done: Completed) -> str:
    return (_tail(done).splitlines() or [f"it ended with code {done.code}."])[-1]
