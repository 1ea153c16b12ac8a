"""What a running chain prints: each attempt on stdout as it ends, and on a terminal a bar on stderr meanwhile."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scaffold_cli.cli.progress import states_of
from scaffold_cli.cli.streams import tell, terminal, write
from scaffold_cli.model.progress import Progress
from scaffold_cli.report.chain_text import render_attempt, render_end, render_start
from scaffold_cli.report.interface import Detail, Options

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from scaffold_cli.model.chain import Attempt, ChainResult, ChainStart
    from scaffold_cli.model.verdict import LayerName, LayerResult


class ChainLines(Progress):
    """Prints what happens, line by line."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def note(self, text: str) -> None:
        """A note goes to stderr."""
        tell(text)

    def chain_started(self, start: ChainStart) -> None:
        """What the chain is for."""
        if self._options.detail is not Detail.QUIET:
            self._print(render_start(start, self._options))

    def attempt_finished(self, attempt: Attempt) -> None:
        """What became of the candidate, with the evidence when it was not accepted."""
        self._print(render_attempt(attempt, self._options))

    def chain_finished(self, result: ChainResult) -> None:
        """Why it ended."""
        self._print(render_end(result, self._options))

    def _print(self, text: str) -> None:
        write(text, sys.stdout)


class ChainBar(ChainLines):
    """The same, under a bar of the steps accepted so far and the layers at work."""

    def __init__(self, options: Options, bar: Bar) -> None:
        super().__init__(options)
        self._bar = bar
        self._task = bar.add_task("", total=None)
        self._place = ""
        self._states: dict[LayerName, str] = {}

    def chain_started(self, start: ChainStart) -> None:
        """The bar counts up to the steps asked for."""
        super().chain_started(start)
        self._bar.update(self._task, total=start.steps)

    def attempt_started(self, step: int, attempt: int) -> None:
        """A candidate is being made."""
        self._place = f"step {step}.{attempt}"
        self._states = {}
        self._bar.update(self._task, description=f"{self._place}  proposing")
        self._bar.start()

    def layer_started(self, layer: LayerName) -> None:
        """A layer begins."""
        self._layer(layer, "…")

    def layer_finished(self, result: LayerResult) -> None:
        """A layer has concluded."""
        self._layer(result.layer, result.status.value)

    def attempt_finished(self, attempt: Attempt) -> None:
        """An accepted step moves the bar."""
        super().attempt_finished(attempt)
        if attempt.commit:
            self._bar.advance(self._task)

    def _layer(self, layer: LayerName, state: str) -> None:
        # The layers report from threads of their own: a new mapping each time, never one that is being read.
        self._states = {**self._states, layer: state}
        self._bar.update(self._task, description=f"{self._place}  {states_of(self._states)}")

    def _print(self, text: str) -> None:
        """Take the bar away first: both may be on the same terminal. The next attempt brings it back."""
        self._bar.stop()
        super()._print(text)


@contextlib.contextmanager
def progress_for_run(options: Options, no_color: bool) -> Iterator[Progress]:
    """Lines alone, or with a bar when stderr is a terminal."""
    here = terminal(sys.stderr, no_color=no_color)
    if options.detail is Detail.QUIET or not here.live:
        yield ChainLines(options)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True, no_color=not here.color, highlight=False)
    columns = (BarColumn(20), MofNCompleteColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    bar = Bar(*columns, console=console, transient=True)
    try:
        yield ChainBar(options, bar)
    finally:
        bar.stop()
