"""Handlers beside those that took their place: what still ends the work, and what only goes on."""

from __future__ import annotations

from scaffold_cli.anchoring.effects import TRANSLATES
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.judging.judgement import GONE, LOST, Judgement
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.model.protection import Outcome, ProtectionKind

_SWALLOWS = frozenset({"pass", "log", "continue", "break"})


def handler(fact: Fact, pair: PairDiff, after: Mined, reached: set[str]) -> Judgement:
    """Lost when what it guarded is still called and no handler of its kind is left; neutered when it only goes on."""
    if fact.protects and not fact.protects & reached:
        return GONE
    near = [
        other
        for other in pair.gained
        if other.kind is ProtectionKind.HANDLER and (other.protects & fact.protects or not fact.protects)
    ]
    swallowing = next((other for other in near if other.action in _SWALLOWS), None)
    kept = next(
        (other for other in after.facts if other.action == fact.action and other.protects & fact.protects), None
    )
    if near and (swallowing is None or fact.rank <= 0):
        other = max(near, key=lambda candidate: candidate.rank)
        if other.rank >= min(fact.rank, TRANSLATES):
            return Judgement(Outcome.STRENGTHENED, f"now {other.condition} ends in {other.action}", other)
    if swallowing is not None and fact.rank > 0:
        because = f"hard because {fact.name} ended the work" if fact.action.startswith("raise") else ""
        how = f"now {swallowing.condition} ends in {swallowing.action}"
        return Judgement(Outcome.NEUTERED, how, swallowing, because)
    if kept is not None and kept.kind is ProtectionKind.HANDLER:
        return Judgement(Outcome.KEPT, f"now {kept.condition} ends in {kept.action}", kept)
    if near and fact.rank > TRANSLATES:
        return Judgement(Outcome.NEUTERED, f"now {near[0].condition} ends in {near[0].action}", near[0])
    return LOST
