"""Short pieces of work that Ctrl-C must not cut in two."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back a first Ctrl-C until the block has ended, then raise KeyboardInterrupt; a second one strikes at once.

    A commit and the record of it belong together, yet a hook that hangs must not take the terminal hostage.
    SIGTERM counts as Ctrl-C where the program handles it; its default, which ends the process at once, is left alone.
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

    handled = [number for number in _SIGNALS if callable(signal.getsignal(number))]
    before = {number: signal.signal(number, remember) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if pressed == 1:
            raise KeyboardInterrupt
