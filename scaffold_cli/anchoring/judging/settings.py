"""Settings, families and lists: weaker when the best that is left ranks lower."""

from __future__ import annotations

from scaffold_cli.anchoring.covering import STRICTNESS
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.judging.judgement import GONE, LOST, Judgement
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.anchoring.words import words
from scaffold_cli.model.protection import Outcome, ProtectionKind

_FIRM = STRICTNESS["refuse"]


def ranked(fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
    """Settings and families: weaker when the best that is left ranks lower."""
    gained = [other for other in pair.gained if other.name == fact.name]
    if not gained:
        if any(other.name == fact.name and other.rank >= fact.rank for other in after.facts):
            return GONE
        if "raise" in words(fact.name) and _is_asked_instead(fact, pair, after):
            return Judgement(Outcome.KEPT, "its answer is asked, and refused by the caller")
        return LOST if fact.absent_is_weak and fact.rank != 0 else GONE
    best = max(gained, key=lambda other: other.rank)
    if best.rank < 0 or fact.rank < 0 or best.rank == fact.rank:
        return GONE
    outcome = Outcome.WEAKENED if best.rank < fact.rank else Outcome.STRENGTHENED
    return Judgement(outcome, f"now {best.condition}", best)


def _is_asked_instead(fact: Fact, pair: PairDiff, after: Mined) -> bool:
    """True when a check that was told to raise itself is now asked in the condition of a refusal."""
    before = pair.before.facts if pair.before is not None else ()
    checks = {item.name for item in before if item.kind is ProtectionKind.CALL and item.line == fact.line}
    guards = [item for item in after.facts if item.kind is ProtectionKind.GUARD and STRICTNESS[item.name] >= _FIRM]
    return any(f"{name}(" in item.condition for name in checks for item in guards if item.name != "skip")


def is_shorter_allow_list(fact: Fact, after: Mined) -> bool:
    """True for an item taken off a list of what is let in, others of which are left."""
    is_item = fact.action == "list" and fact.entry == "validation"
    return is_item and any(other.action == "list" and other.name == fact.name for other in after.facts)
