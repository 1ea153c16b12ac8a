"""The one module that starts processes: bytes in, bytes out, a time limit, the whole group ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from scaffold_cli import clock
from scaffold_cli.model.errors import UndecidedError

_SLICE = 0.5
"""Seconds between two looks at whether the process itself has ended."""
_PIPE = 4096
"""Bytes that fit into any pipe, so that writing them waits for nobody."""
_GLANCE = 0.005
"""Seconds between two looks at whether waiting for a process still makes sense."""


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


class EndedError(UndecidedError):
    """The work this process belonged to is being ended (Ctrl-C), so it was not started or was ended."""

    def __init__(self, program: str) -> None:
        super().__init__(f"{program!r} was ended because the run was interrupted.")


class _Running:
    """The processes alive right now, so that an interrupt in one thread can end those of all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._one = threading.Condition(self._lock)
        self._alive: set[subprocess.Popen[bytes]] = set()
        self._ending = 0

    def add(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._alive.add(process)
            self._one.notify_all()
            late = self._ending > 0
        if late:  # started between the interrupt and now
            end_group(process)

    def discard(self, process: subprocess.Popen[bytes]) -> None:
        with self._lock:
            self._alive.discard(process)

    @property
    def ending(self) -> bool:
        return self._ending > 0

    def wait_for_one(self, seconds: float, unless: Callable[[], bool]) -> None:
        deadline = clock.seconds() + seconds
        with self._one:
            while not self._alive and not unless() and clock.seconds() < deadline:
                self._one.wait(_GLANCE)

    @contextlib.contextmanager
    def end_all(self) -> Iterator[None]:
        with self._lock:
            self._ending += 1
            alive = tuple(self._alive)
        for process in alive:
            end_group(process)
        try:
            yield
        finally:
            with self._lock:
                self._ending -= 1


_running = _Running()


def ending() -> contextlib.AbstractContextManager[None]:
    """End every process of this program that is still running; while entered, none starts but essential ones."""
    return _running.end_all()


def wait_for_one(seconds: float, unless: Callable[[], bool] = bool) -> None:
    """Wait until a process of this program runs: from then on others may use the interpreter.

    No longer than `seconds`, and not once `unless` holds.
    """
    _running.wait_for_one(seconds, unless)


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    timeout: float | None = None,
    essential: bool = False,
    output: int | None = None,
) -> Completed:
    """Run `argv` to its end and keep what it wrote.

    The child gets its own session, so a time-out (seconds) or Ctrl-C ends everything it started.
    `output` is how much is kept of stdout and of stderr, in bytes, from the end; the rest is read and dropped.
    `essential` is for cleaning up: such a process runs even while the others are being ended.
    Raises ProgramNotFoundError when the program does not exist, EndedError while the run is ending.
    """
    if _running.ending and not essential:
        raise EndedError(argv[0])
    process = _start(argv, cwd, env)
    if not essential:
        _running.add(process)
    try:
        if output is None:
            timed_out, stdout, stderr = _communicate(process, stdin, timeout)
        else:
            timed_out, stdout, stderr = _follow(process, timeout, output)
    finally:
        end_group(process)
        process.wait()
        _running.discard(process)
    return Completed(tuple(argv), process.returncode, stdout, stderr, timed_out)


class Resident:
    """A process that stays between questions. It ends with `close`, with the run, or when we do."""

    def __init__(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> None:
        """Raises ProgramNotFoundError when the program does not exist, EndedError while the run is ending."""
        if _running.ending:
            raise EndedError(argv[0])
        self._process = _start(argv, cwd, env)
        _running.add(self._process)
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        assert all(pipes)
        self.stdin, self.stdout, self.stderr = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def end(self) -> None:
        """End it and everything it started; its pipes then read as empty. Safe to call twice."""
        end_group(self._process)
        self._process.wait()
        _running.discard(self._process)

    def close(self) -> None:
        """End it and close its pipes, which nobody may be reading any more; safe to call twice."""
        self.end()
        for pipe in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(OSError):
                pipe.close()


def _communicate(process: subprocess.Popen[bytes], stdin: bytes, timeout: float | None) -> tuple[bool, bytes, bytes]:
    """Feed and read the process; returns (timed out, stdout, stderr).

    Waits in slices: a program that has ended but left a child holding its pipes must not hold us too.
    """
    deadline = None if timeout is None else clock.seconds() + timeout
    _feed(process, stdin)
    while True:
        left = _SLICE if deadline is None else min(_SLICE, max(0.0, deadline - clock.seconds()))
        try:
            return False, *process.communicate(timeout=left)
        except subprocess.TimeoutExpired:
            late = deadline is not None and clock.seconds() >= deadline
            if late or process.poll() is not None:
                timed_out = process.poll() is None
                end_group(process)
                return timed_out, *process.communicate()


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write a process its whole input, however long it takes to read it; `communicate` forgets it after a time-out."""
    pipe, process.stdin = process.stdin, None
    assert pipe is not None

    def write() -> None:
        with contextlib.suppress(OSError), pipe:  # it may end without having read all
            pipe.write(data)

    if len(data) <= _PIPE:
        write()
    else:
        threading.Thread(target=write, daemon=True).start()


class _Tail(threading.Thread):
    """Reads a pipe to its end and keeps the last `most` bytes or a little more."""

    def __init__(self, pipe: IO[bytes], most: int) -> None:
        super().__init__(daemon=True)
        self._pipe = pipe
        self._most = most
        self.kept = bytearray()
        self.start()

    def run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while part := os.read(self._pipe.fileno(), 1 << 16):
                self.kept += part
                if len(self.kept) > 2 * self._most:
                    del self.kept[: -self._most]


def _follow(process: subprocess.Popen[bytes], timeout: float | None, most: int) -> tuple[bool, bytes, bytes]:
    """As `_communicate`, without input, and with a bound on what is kept, however much is written."""
    pipes = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", (process.stdin, process.stdout, process.stderr))
    pipes[0].close()
    readers = [_Tail(pipe, most) for pipe in pipes[1:]]
    timed_out = False
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
    end_group(process)
    process.wait()
    for reader in readers:  # a program that left its group may hold the pipes for ever
        reader.join(_SLICE)
    stdout, stderr = (bytes(reader.kept) for reader in readers)
    for reader, pipe in zip(readers, pipes[1:], strict=True):
        if not reader.is_alive():
            pipe.close()
    return timed_out, stdout, stderr


def _start(argv: Sequence[str], cwd: Path | None, env: Mapping[str, str] | None) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
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


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill whatever is left of the process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
