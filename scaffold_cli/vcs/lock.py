"""One chain at a time in a work tree: a lock that a killed process cannot leave behind."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from json import loads
from pathlib import Path

from scaffold_cli import clock, owned
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.model.plain import PlainError, canonical, from_plain, to_plain
from scaffold_cli.owned import Owner
from scaffold_cli.vcs.repository import Repository

_BUSY = frozenset({errno.EAGAIN, errno.EACCES})


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes to a work tree: a process, the command, when it began (ISO 8601, UTC), and the chain it works on.

    `place` is the top of the work tree.
    """

    owner: Owner
    command: str
    since: str
    place: str
    chain: str = ""

    @property
    def killed(self) -> bool:
        """True when the process is gone without having given the lock back."""
        return self.owner.gone


class LockedError(UsageError):
    """Another process writes to this work tree."""


class Lock:
    """The lock, held. `previous` is the holder that was killed, if one was."""

    def __init__(self, descriptor: int, holder: Holder, previous: Holder | None) -> None:
        self._descriptor = descriptor
        self._holder = holder
        self.previous = previous

    def name(self, chain: str) -> None:
        """Say which chain is worked on, for whoever finds the lock after a kill."""
        self._holder = replace(self._holder, chain=chain)
        self._write(canonical(to_plain(self._holder)))

    def settled(self) -> None:
        """What the killed holder left is in order."""
        self.previous = None

    def release(self, path: Path) -> None:
        """Give the lock back and leave no trace; a killed holder whose work is still open stays named."""
        if self.previous:
            self._write(canonical(to_plain(self.previous)))
            return
        with contextlib.suppress(OSError):
            path.unlink()
            path.parent.rmdir()  # only when there is nothing else of ours

    def _write(self, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the lock itself does not hang on what is written there
            os.pwrite(self._descriptor, data + b"\n", 0)  # only the first line counts, so this alone does it
            os.ftruncate(self._descriptor, len(data) + 1)


@contextlib.contextmanager
def work_tree_lock(repo: Repository, command: str) -> Iterator[Lock]:
    """Hold the lock of this worktree; other linked worktrees have their own.

    The system gives it back when the process ends, however it ends. Raises LockedError, naming who has it and what
    to do, and UndecidedError where no lock can be had.
    """
    path = repo.own_dir / "lock"
    descriptor = _opened(repo, path)
    try:
        previous = _read(descriptor)
        since = clock.now().isoformat(timespec="seconds")
        chain = previous.chain if previous else ""
        lock = Lock(descriptor, Holder(owned.me(), command, since, str(repo.root), chain), previous)
        lock.name(chain)
        try:
            yield lock
        finally:
            lock.release(path)
    finally:
        os.close(descriptor)


def holder(repo: Repository) -> Holder | None:
    """Who has the lock, or had it when it was killed; None when it was given back. Takes no lock."""
    try:
        descriptor = os.open(repo.own_dir / "lock", os.O_RDONLY)
    except OSError:
        return None
    try:
        return _read(descriptor)
    finally:
        os.close(descriptor)


def left_over(repo: Repository) -> bool:
    """True when a killed process left half a step in this worktree. Takes no lock."""
    if not repo.step_dir.exists():
        return False
    found = holder(repo)
    return found is None or found.killed


def _opened(repo: Repository, path: Path) -> int:
    """The lock file, locked. Whoever gives it back removes it, so what was opened may be gone once it is locked."""
    while True:
        try:
            repo.own_dir.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except FileNotFoundError:  # the folder went between the two
            continue
        except OSError as error:
            raise UndecidedError(
                f"The repository cannot be written: {error.strerror} at {path}.", "Make room, or mend the permissions."
            ) from error
        try:
            _take(repo, descriptor)
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_ino == os.fstat(descriptor).st_ino:
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _take(repo: Repository, descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in _BUSY:
            raise UndecidedError(
                f"No lock can be had in {repo.own_dir}: {error.strerror}.", "Keep the repository on a local disk."
            ) from error
        found = _read(descriptor)
        who = f"scaffold {found.command}, process {found.owner.pid}, since {found.since}" if found else "starting"
        end = f", or end it with `kill {found.owner.pid}`" if found else ""
        raise LockedError(
            f"Another run of scaffold writes to this work tree ({who}).",
            f"Wait for it to end{end}; a chain in a worktree of its own (git worktree add) can run beside it.",
        ) from error


def _read(descriptor: int) -> Holder | None:
    data = os.pread(descriptor, 1 << 16, 0).partition(b"\n")[0]
    try:
        return from_plain(Holder, loads(data)) if data else None
    except (ValueError, PlainError):
        return None
