"""Progress is handed in; the library itself never prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scaffold_cli.model.verdict import LayerName, LayerResult


class Progress:
    """Does nothing. The command line hands in one that draws."""

    def layer_started(self, layer: LayerName) -> None:
        """A layer begins."""

    def layer_finished(self, result: LayerResult) -> None:
        """A layer has concluded."""

    def note(self, text: str) -> None:
        """Something worth a line."""
