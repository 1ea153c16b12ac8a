"""Running the driver in a workspace, with the Python of the project where there is one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TypeVar

from scaffold_cli import clock
from scaffold_cli.model.plain import Json, PlainError, from_plain
from scaffold_cli.processes import Completed, ProgramNotFoundError
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.witness.cases import Case

_VENVS = (".venv/bin/python", "venv/bin/python")
_FORGOTTEN = ("GIT_", "SCAFFOLD_", "PYTEST_", "COV_CORE_")
"""Variables that speak of a hook, a test run or a measurement of ours."""
_MOST_SHOWN = 300
"""Characters of a witness's arguments or answer."""
_LEAST_SECONDS = 0.2
"""With less time left nothing more is started."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Call:
    """How one call ended, as the driver tells it. `line` is where the function was left, 0 when it was not entered."""

    target: int
    case: tuple[str, ...]
    args: str
    ended: str
    text: str
    line: int
    truth: bool = True


def side_by_side(
    one: Callable[[], Result], other: Callable[[], Result], keep: Callable[[Result], object] = lambda _: None
) -> tuple[Result, Result]:
    """Both results, worked out at the same time; what came out is handed to `keep` even when the other failed."""
    with ThreadPoolExecutor(2) as pool:
        futures = [pool.submit(one), pool.submit(other)]
    for future in futures:
        if future.exception() is None:
            keep(future.result())
    return futures[0].result(), futures[1].result()


def pythons(command: Sequence[str]) -> tuple[str, ...]:
    """Interpreters to try, best first: that of the test command, the project's own, ours."""
    named = [word for word in command[:1] if PurePosixPath(word).name.startswith("python")]
    return tuple(dict.fromkeys((*named, *_VENVS, sys.executable)))


@dataclass(frozen=True, slots=True)
class Runner:
    """Runs our scripts in workspaces until `deadline` (of the monotonic clock) with the first Python there is."""

    commands: tuple[str, ...]
    deadline: float

    def calls(self, workspace: Workspace, targets: Sequence[Mapping[str, object]]) -> list[Call]:
        """Call functions; what the driver told before the time was up. Raises UndecidedError as workspaces do."""
        told = self._run(workspace, "driver.py", {"targets": list(targets)}) if targets else []
        return [call for item in told if (call := _call(item)) is not None]

    def further(self, workspace: Workspace, columns: Sequence[Mapping[str, object]], count: int) -> list[Case]:
        """Argument lists made by hypothesis; none when the project's Python lacks it."""
        told = self._run(workspace, "further.py", {"columns": list(columns), "count": count}) if columns else []
        return list(dict.fromkeys(tuple(map(str, item)) for item in told if isinstance(item, list)))

    def _run(self, workspace: Workspace, script: str, request: Mapping[str, object]) -> list[Json]:
        for python in self.commands:
            left = self.deadline - clock.seconds()
            if left < _LEAST_SECONDS:
                return []
            argv = [python, "-B", "-c", _text(script), json.dumps(request)]
            try:
                return _lines(workspace.run(argv, timeout=left, env=_environment()))
            except ProgramNotFoundError:
                continue
        return []


@cache
def _text(script: str) -> str:
    return Path(__file__).with_name(script).read_text(encoding="utf-8")


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FORGOTTEN)}
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def _lines(done: Completed) -> list[Json]:
    found = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:  # cut off when the time was up
            continue
    return found


def _call(told: Json) -> Call | None:
    """A call as told; None for what the code under test wrote in between."""
    try:
        call = from_plain(Call, told)
    except PlainError:
        return None
    return replace(call, args=call.args[:_MOST_SHOWN], text=call.text[:_MOST_SHOWN])
