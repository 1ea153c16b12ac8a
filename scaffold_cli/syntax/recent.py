"""Remembers what was worked out lately from the content of files, within bounds: also of a chain that runs for days."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Generic, TypeVar

from scaffold_cli.model.change import FileVersion

V = TypeVar("V")
_Key = tuple[str, bytes, int]

_MOST = 512
_MOST_BYTES = 8_000_000
"""Of source: what is worked out from it takes about 25 times as much memory."""
_MOST_VERSIONS = 6
"""Of one path: a chain looks at its baseline, the last accepted step and the candidate, in up to two forms each."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many values are remembered, of how many bytes of source, and how many of one path."""

    values: int = _MOST
    bytes: int = _MOST_BYTES
    versions: int = _MOST_VERSIONS


class Recent(Generic[V]):
    """Values by path, content and what else they depend on; those not asked for the longest go first. Thread-safe."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        self._bounds = bounds or Bounds()
        self._values: OrderedDict[_Key, V] = OrderedDict()
        self._versions: dict[str, OrderedDict[_Key, None]] = {}
        self._bytes = 0
        self._lock = Lock()

    def get(self, version: FileVersion, make: Callable[[], V], other: int = 0) -> V:
        """The value for this path, content and `other`; made when it is not known. What `make` raises passes."""
        key = (version.path, version.data, other)
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                self._versions[version.path].move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._drop(key)  # another thread may have made it meanwhile
            self._values[key] = value
            self._versions.setdefault(version.path, OrderedDict())[key] = None
            self._bytes += len(version.data)
            versions = self._versions[version.path]
            if len(versions) > self._bounds.versions:
                self._drop(next(iter(versions)))
            while len(self._values) > 1 and self._is_full:
                self._drop(next(iter(self._values)))
        return value

    def knows(self, version: FileVersion, other: int = 0) -> bool:
        """True when the value need not be made."""
        with self._lock:
            return (version.path, version.data, other) in self._values

    def __len__(self) -> int:
        return len(self._values)

    @property
    def _is_full(self) -> bool:
        return len(self._values) > self._bounds.values or self._bytes > self._bounds.bytes

    def _drop(self, key: _Key) -> None:
        if key not in self._values:
            return
        del self._values[key]
        path, data, _ = key
        self._bytes -= len(data)
        del self._versions[path][key]
        if not self._versions[path]:
            del self._versions[path]
