"""Which processes of this machine are alive."""

from __future__ import annotations

import contextlib
from pathlib import Path


def running(mark: str) -> bool:
    """True when a process has `mark` among its words; what runs held in shows as well."""
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in place.read_bytes():
                return True
    return False
