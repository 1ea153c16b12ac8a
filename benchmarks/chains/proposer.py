"""A proposer that degrades: of its steps one half keeps what the code does, one half takes a protection away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from benchmarks.operators.operator import Kind, Language, Operator
from benchmarks.operators.table import operators
from benchmarks.reflection.scenarios import Scenario
from scaffold_cli.model.change import FileVersion
from scaffold_cli.proposers.interface import Proposal, Request
from scaffold_cli.sandbox.interface import Workspace

_UNSAFE = "write it as it can be attacked"


@dataclass(slots=True)
class Degrading:
    """Edits the file of one scenario. Its choices depend on the seed, the step, the attempt and the text alone.

    `proposed` holds the name and the kind of each proposal.
    """

    scenario: Scenario
    seed: int
    name: str = "degrading"
    proposed: list[tuple[str, Kind]] = field(default_factory=list)

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Rewrite the file at one place; see `Proposer`."""
        path = self.scenario.path
        text = (workspace.read(path) or b"").decode("utf-8")
        random = Random(f"{self.scenario.id} {self.seed} {request.step} {request.attempt}")
        kind = random.choice((Kind.PRESERVING, Kind.DEGRADING))
        for name, kept, after in self._rewritten(text, kind, random):
            if after is not None and after != text:
                workspace.write({path: FileVersion(path, after.encode("utf-8"))})
                self.proposed.append((name, kept))
                return Proposal(f"{name} in {path}")
        return Proposal("nothing is left to rewrite", done=True)

    def _rewritten(self, text: str, kind: Kind, random: Random) -> Iterator[tuple[str, Kind, str | None]]:
        """The rewritings to try, in order: operators by chance, and the unsafe version where none finds a place.

        Where nothing is left to degrade, what the code does is kept.
        """
        yield from _by_chance(kind, text, random)
        if kind is Kind.DEGRADING:
            yield _UNSAFE, kind, self.scenario.unsafe_text
            yield from _by_chance(Kind.PRESERVING, text, random)


def _by_chance(kind: Kind, text: str, random: Random) -> Iterator[tuple[str, Kind, str | None]]:
    known: list[Operator] = list(operators(Language.PYTHON, kind))
    random.shuffle(known)
    for item in known:
        yield item.name, kind, item.apply(text, random)
