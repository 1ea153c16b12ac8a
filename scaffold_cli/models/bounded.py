"""A time limit that holds whatever the other side does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable
from queue import Empty, SimpleQueue
from typing import TypeVar

from scaffold_cli import clock

T = TypeVar("T")


class OutOfTimeError(Exception):
    """The time is over and there was more to come."""


def bounded(make: Callable[[], Iterable[T]], seconds: float, give_up: Callable[[], None]) -> Generator[T, None, None]:
    """The items of `make()`, made in a thread of their own; OutOfTimeError once `seconds` are over.

    A library's time-outs are for each read, and its retries come on top: a server that sends a sign of life now and
    then keeps it busy for ever. Here the caller is free at the deadline. `give_up` is called when the items are left
    unread, and should make the thread fail soon; what it raises then goes nowhere. What `make` raises in time is
    raised here.
    """
    items: SimpleQueue[tuple[bool, T | BaseException | None]] = SimpleQueue()
    left = threading.Event()

    def work() -> None:
        try:
            for item in make():
                if left.is_set():
                    return
                items.put((True, item))
        except BaseException as error:
            items.put((False, error))
        else:
            items.put((False, None))

    deadline = clock.seconds() + seconds
    threading.Thread(target=work, name="model", daemon=True).start()
    ended = False
    try:
        while True:
            try:
                more, item = items.get(timeout=max(0.0, deadline - clock.seconds()))
            except Empty:
                raise OutOfTimeError from None
            if not more:
                ended = True
                if isinstance(item, BaseException):
                    raise item
                return
            yield item  # type: ignore[misc]
            if clock.seconds() > deadline:
                raise OutOfTimeError
    finally:
        if not ended:
            left.set()
            give_up()
