"""Everything a folder holds, so that a test can say it was left exactly as it was."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path


def snapshot(folder: Path) -> dict[str, tuple[str, int, str]]:
    """Path to (type and mode, modification time in ns, content or link target). Folder times are left out."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(parent, name)
            status = path.lstat()
            if stat.S_ISLNK(status.st_mode):
                content, time = str(path.readlink()), status.st_mtime_ns
            elif stat.S_ISREG(status.st_mode):
                content, time = hashlib.sha256(path.read_bytes()).hexdigest(), status.st_mtime_ns
            else:
                content, time = "", 0
            found[path.relative_to(folder).as_posix()] = (oct(status.st_mode), time, content)
    return found
