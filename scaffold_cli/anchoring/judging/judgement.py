"""What a fact nothing equals any more is judged to have become."""

from __future__ import annotations

from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Fact
from scaffold_cli.model.protection import Outcome


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one fact. `outcome` None means it went with what it protected: nothing to report."""

    outcome: Outcome | None
    how: str = ""
    counterpart: Fact | None = None
    because: str = ""
    """What makes a fact hard that was not hard by itself."""
    unsure: bool = False
    """Nothing shows which of both is the stricter."""


GONE = Judgement(None)
LOST = Judgement(Outcome.LOST, "removed")
