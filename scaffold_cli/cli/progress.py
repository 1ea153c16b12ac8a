"""Progress drawn on a terminal; silent anywhere else."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from scaffold_cli.cli.streams import terminal
from scaffold_cli.model.progress import Progress

if TYPE_CHECKING:
    from rich.status import Status

    from scaffold_cli.model.verdict import LayerName, LayerResult


@contextlib.contextmanager
def progress_for_check(quiet: bool, no_color: bool) -> Iterator[Progress]:
    """One line on stderr that names the layers at work, gone at the end; only on a terminal."""
    here = terminal(sys.stderr, no_color=no_color)
    if quiet or not here.live:
        yield Progress()
        return
    # Imported here: a pipe or a hook's log needs no drawing.
    from rich.console import Console

    with Console(stderr=True, no_color=not here.color).status("judging") as status:
        yield LayerLine(status)


class LayerLine(Progress):
    """Shows each layer as running or with its result."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._states: dict[LayerName, str] = {}
        self._lock = Lock()  # the layers report from threads of their own

    def layer_started(self, layer: LayerName) -> None:
        """A layer begins."""
        self._set(layer, "…")

    def layer_finished(self, result: LayerResult) -> None:
        """A layer has concluded."""
        self._set(result.layer, result.status.value)

    def _set(self, layer: LayerName, state: str) -> None:
        with self._lock:
            self._states[layer] = state
            self._status.update(states_of(self._states))


def states_of(states: Mapping[LayerName, str]) -> str:
    """``tests …  sast pass``."""
    return "  ".join(f"{layer.value} {state}" for layer, state in states.items())
