"""Progress is handed in; the library itself never prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scaffold_cli.model.chain import Attempt, ChainResult, ChainStart
    from scaffold_cli.model.verdict import LayerName, LayerResult


class Progress:
    """Does nothing. The command line hands in one that draws."""

    def layer_started(self, layer: LayerName) -> None:
        """A layer begins."""

    def layer_finished(self, result: LayerResult) -> None:
        """A layer has concluded."""

    def note(self, text: str) -> None:
        """Something worth a line."""

    def chain_started(self, start: ChainStart) -> None:
        """A chain begins; nothing has been proposed yet."""

    def attempt_started(self, step: int, attempt: int) -> None:
        """A candidate is being made; both count from 1."""

    def candidate_ready(self, summary: str, files: int) -> None:
        """The candidate is there and goes to the gate."""

    def attempt_finished(self, attempt: Attempt) -> None:
        """What became of the candidate; an accepted one is committed by now."""

    def chain_finished(self, result: ChainResult) -> None:
        """The chain has ended."""
