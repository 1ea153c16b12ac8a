"""A tree that lives in memory: what a configuration test needs of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class MemoryTree:
    """Files by path."""

    id = "memory"

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = {path: data.encode() if isinstance(data, str) else data for path, data in files.items()}

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def paths(self) -> Sequence[str]:
        return sorted(self.files)
