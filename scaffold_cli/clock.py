"""The one module that reads the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime


def now() -> datetime:
    """The current moment, timezone-aware, UTC."""
    return datetime.now(UTC)


def seconds() -> float:
    """A monotonic clock for durations, in seconds."""
    return time.perf_counter()


def waited(done: Callable[[], bool], patience: float) -> bool:
    """True as soon as `done` says so; False when it does not within `patience` seconds."""
    end = seconds() + patience
    while not done():
        if seconds() >= end:
            return False
        time.sleep(0.02)
    return True
