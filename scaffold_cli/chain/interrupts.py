"""Short pieces of work that Ctrl-C must not cut in two."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back a first Ctrl-C until the block has ended, then raise KeyboardInterrupt; a second one strikes at once.

    A commit and the record of it belong together, yet a hook that hangs must not take the terminal hostage.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = 0

    def remember(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed == 1:
            raise KeyboardInterrupt
