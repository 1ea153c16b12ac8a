"""Results kept by content in a folder; losing any of it costs time only."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

_MAX_ENTRIES = 4000
"""Entries kept; one is a few hundred bytes. The oldest go first."""


class ResultCache:
    """JSON values by key. Without a folder, or when it cannot be read or written, it remembers nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def read(self, key: str) -> Any | None:
        """The value stored under `key`, or None when there is none or it is damaged."""
        if self._folder is None:
            return None
        try:
            return json.loads((self._folder / f"{key}.json").read_bytes())
        except (OSError, ValueError):
            return None

    def write(self, key: str, value: object) -> None:
        """Store a value, whole or not at all."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".tmp")
            with os.fdopen(handle, "w") as file:
                file.write(json.dumps(value, separators=(",", ":")))  # unlike `dump` this is the fast encoder
            Path(name).replace(self._folder / f"{key}.json")

    def prune(self) -> None:
        """Drop the oldest entries when there are too many."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            entries = [(entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(self._folder)]
            for _, path in sorted(entries)[: max(0, len(entries) - _MAX_ENTRIES)]:
                Path(path).unlink(missing_ok=True)
