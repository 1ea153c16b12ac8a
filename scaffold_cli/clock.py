"""The one module that reads the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta


def now() -> datetime:
    """The current moment, timezone-aware, UTC."""
    return datetime.now(UTC)


def today() -> str:
    """The current day as ``2026-03-14``, UTC; days in this form compare as text."""
    return now().date().isoformat()


def is_day(text: str) -> bool:
    """Whether a text is a day in that form, and one that exists."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def stamp(after: str = "") -> str:
    """The moment as ``20260314-091500``; one second more than `after` where the clock is not later than that."""
    form = "%Y%m%d-%H%M%S"
    here = now().strftime(form)
    if here > after:
        return here
    return (datetime.strptime(after, form) + timedelta(seconds=1)).strftime(form)


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
