"""Ctrl-C must not fall between two halves of a write."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_Handler = Callable[[int, FrameType | None], object]


class Held:
    """While entered, SIGINT and SIGTERM wait for `pass_on`, for an `open` passage, or for the end.

    Only the main thread receives signals; in any other this does nothing. A signal nobody handles
    (SIGTERM by default ends the process at once) is left alone.
    """

    def __init__(self) -> None:
        self._handlers: dict[int, _Handler] = {}
        self._pending: int | None = None
        self._open = False

    def pass_on(self) -> None:
        """Deliver a signal that waits: normally raises KeyboardInterrupt."""
        if self._pending is not None:
            number, self._pending = self._pending, None
            self._handlers[number](number, None)

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        """A passage that may be interrupted at any point."""
        self._open = True
        try:
            self.pass_on()
            yield
        finally:
            self._open = False

    def _received(self, number: int, frame: FrameType | None) -> None:
        if self._open:
            self._handlers[number](number, frame)
        else:
            self._pending = number

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._received)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if error is None:
            self.pass_on()
