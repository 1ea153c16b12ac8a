"""The one module that reads the clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now() -> datetime:
    """The current moment, timezone-aware, UTC."""
    return datetime.now(UTC)


def seconds() -> float:
    """A monotonic clock for durations, in seconds."""
    return time.perf_counter()
