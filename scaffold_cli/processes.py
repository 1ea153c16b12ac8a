"""The one module that starts processes: bytes in, bytes out, a time limit, the whole group ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError


@dataclass(frozen=True, slots=True)
class Completed:
    """A finished process. `code` is negative for a signal; `timed_out` means we ended it."""

    argv: tuple[str, ...]
    code: int
    stdout: bytes
    stderr: bytes
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        """True when it ended by itself with code 0."""
        return self.code == 0 and not self.timed_out


class ProgramNotFoundError(UndecidedError):
    """The program to run is not installed or not on PATH."""

    def __init__(self, program: str) -> None:
        super().__init__(f"The program {program!r} was not found.", "Install it or put it on PATH.")
        self.program = program


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float | None = None,
) -> Completed:
    """Run `argv` to its end and keep what it wrote.

    The child gets its own session, so a time-out (seconds) or Ctrl-C ends everything it started.
    Raises ProgramNotFoundError when the program does not exist.
    """
    try:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        if cwd is not None and not cwd.is_dir():
            raise UndecidedError(f"The folder {cwd} does not exist.") from error
        raise ProgramNotFoundError(argv[0]) from error
    try:
        stdout, stderr = process.communicate(stdin, timeout)
    except subprocess.TimeoutExpired:
        end_group(process)
        stdout, stderr = process.communicate()
        return Completed(tuple(argv), process.returncode, stdout, stderr, timed_out=True)
    except BaseException:
        end_group(process)
        process.wait()
        raise
    end_group(process)
    return Completed(tuple(argv), process.returncode, stdout, stderr)


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of the process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
