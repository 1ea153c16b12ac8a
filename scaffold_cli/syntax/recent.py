"""Remembers what was worked out lately from the content of files, within bounds: also of a chain that runs for days."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from scaffold_cli.model.change import FileVersion

V = TypeVar("V")

_MOST = 512
_MOST_BYTES = 8_000_000
"""Of source: what is worked out from it takes about 25 times as much memory."""


class Recent(Generic[V]):
    """Values by path, content and what else they depend on; those not asked for the longest go first. Thread-safe."""

    def __init__(self, most: int = _MOST, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._values: OrderedDict[tuple[str, bytes, int], V] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, version: FileVersion, make: Callable[[], V], other: int = 0) -> V:
        """The value for this path, content and `other`; made when it is not known. What `make` raises passes."""
        key = (version.path, version.data, other)
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            if key not in self._values:  # another thread may have made it meanwhile
                self._bytes += len(version.data)
            self._values[key] = value
            while len(self._values) > self._most or (self._bytes > self._most_bytes and len(self._values) > 1):
                (_, data, _), _ = self._values.popitem(last=False)
                self._bytes -= len(data)
        return value

    def knows(self, version: FileVersion, other: int = 0) -> bool:
        """True when the value need not be made."""
        with self._lock:
            return (version.path, version.data, other) in self._values

    def __len__(self) -> int:
        return len(self._values)
