"""Temporary folders that say in their name who made them, so that those of a killed process can be told and removed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 - only ever used through mkdtemp, for when /tmp cannot hold an overlay's upper
_NAME = re.compile(r"scaffold-(?P<space>[0-9a-f]{8})-(?P<pid>\d+)-(?P<started>\d+)-.+")


@dataclass(frozen=True, slots=True)
class Owner:
    """A process. `started` (clock ticks since boot) tells it from a later one of the same number.

    `space` stands for the boot and the process namespace in which the number means anything.
    """

    space: str
    pid: int
    started: int

    @property
    def gone(self) -> bool:
        """True when the process has ended; False also when that cannot be known from here."""
        return self.space == _space() and started_at(self.pid) != self.started


def me() -> Owner:
    """This process."""
    pid = os.getpid()
    return Owner(_space(), pid, started_at(pid) or 0)


def started_at(pid: int) -> int | None:
    """When a process started (clock ticks since boot), or None when there is none of this number, or a dead one."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[19])


def prefix(what: str = "") -> str:
    """The beginning of a temporary folder's name: ours, and this process's."""
    owner = me()
    return f"scaffold-{owner.space}-{owner.pid}-{owner.started}-{what}"


def new_folder(base: Path | None = None, what: str = "") -> Path:
    """A fresh private folder, in the usual place for temporary files or in `base`."""
    return Path(tempfile.mkdtemp(prefix=prefix(what), dir=base))


def owner_of(name: str) -> Owner | None:
    """Who made a temporary folder of this name; None when it is not one of ours."""
    match = _NAME.fullmatch(name)
    return Owner(match["space"], int(match["pid"]), int(match["started"])) if match else None


def abandoned(bases: Iterable[Path] | None = None) -> list[Path]:
    """The temporary folders of our user whose process is gone, in `bases` (default: wherever we make any)."""
    found = []
    for base in dict.fromkeys(bases or (Path(tempfile.gettempdir()).resolve(), MEMORY)):
        with contextlib.suppress(OSError):
            for entry in os.scandir(base):
                owner = owner_of(entry.name)
                if owner and owner.gone and entry.is_dir(follow_symlinks=False) and entry.stat().st_uid == os.geteuid():
                    found.append(Path(entry.path))
    return sorted(found)


def remove(folder: Path) -> None:
    """Remove a folder and all in it, also what its owner may not enter. Safe when it is gone already."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            child = Path(parent, name)
            with contextlib.suppress(OSError):
                mode = child.lstat().st_mode
                if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                    child.chmod(stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


@cache
def _space() -> str:
    known = []
    with contextlib.suppress(OSError):
        known.append(Path("/proc/sys/kernel/random/boot_id").read_text())
        known.append(str(Path("/proc/self/ns/pid").readlink()))
    return hashlib.sha256("".join(known).encode()).hexdigest()[:8]
