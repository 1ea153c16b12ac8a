"""The change turned round: what would weaken a check in that direction strengthens it in this one."""

from __future__ import annotations

from functools import cached_property

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.values.rules import shifts
from scaffold_cli.anchoring.values.shifts import Surroundings, Versions, surroundings


class TurnedRound:
    """Asks the value rules about pairs of units from after to before; only of a few is it ever asked."""

    def __init__(self, matching: Matching, catalogue: Catalogue) -> None:
        self._matching, self._catalogue = matching, catalogue
        self._lines: dict[int, frozenset[int]] = {}

    def weakens(self, before: Mined, after: Mined, line: int) -> bool:
        """True when a rule sees something get weaker that stands on `line` of the after side."""
        if id(after) not in self._lines:
            found = shifts(Versions(after, before, self._catalogue, self._around))
            self._lines[id(after)] = frozenset(item.fact.line for item in found if item.fact.is_hard)
        return line in self._lines[id(after)]

    @cached_property
    def _around(self) -> Surroundings:
        pairs = tuple((after, before) for before, after in self._matching.pairs)
        return surroundings(Matching(pairs, self._matching.added, self._matching.removed))
