"""What became of a fact nothing equals any more: strengthened, weakened, lost, or gone with what it protected."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.model.protection import Outcome, ProtectionKind


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one fact. `outcome` None means it went with what it protected: nothing to report."""

    outcome: Outcome | None
    how: str = ""
    counterpart: Fact | None = None


_GONE = Judgement(None)


class Judge:
    """Judges the unexplained facts of each pair, knowing what the whole change calls before and after."""

    def __init__(self, diffs: list[PairDiff]) -> None:
        self._calls_after: Counter[str] = Counter()
        self._calls_before: Counter[str] = Counter()
        for item in diffs:
            if item.before is not None:
                self._calls_before.update(item.before.calls)
            if item.after is not None:
                self._calls_after.update(item.after.calls)

    def judge(self, fact: Fact, pair: PairDiff) -> Judgement:
        """What became of `fact`, lost from `pair.before`."""
        if pair.after is None:
            return _GONE
        if fact.kind is ProtectionKind.GUARD:
            return self._guard(fact, pair, pair.after)
        if fact.name.startswith("=") or "/" in fact.name:
            return _ranked(fact, pair, pair.after)
        if fact.kind is ProtectionKind.CALL:
            return self._call(fact, pair, pair.after)
        if fact.kind is ProtectionKind.HANDLER:
            return _handler(fact, pair)
        return Judgement(Outcome.LOST, "removed")

    def _guard(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        if fact.protects and not any(name in after.calls or name in self._calls_after for name in fact.protects):
            return _GONE
        guards = [other for other in after.facts if other.kind is ProtectionKind.GUARD]
        stronger = [other for other in guards if other.terms <= fact.terms and _as_strict(other, fact)]
        if stronger:
            return Judgement(Outcome.STRENGTHENED, "refuses in more cases", stronger[0])
        weaker = [other for other in pair.gained if other.kind is ProtectionKind.GUARD and other.terms > fact.terms]
        if weaker:
            return Judgement(Outcome.WEAKENED, "refuses only under a further condition", weaker[0])
        softer = [other for other in pair.gained if other.kind is ProtectionKind.GUARD and other.terms == fact.terms]
        if softer:
            return Judgement(Outcome.WEAKENED, f"now ends in {softer[0].action}", softer[0])
        return Judgement(Outcome.LOST, "removed")

    def _call(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        same = [other for other in pair.gained if other.kind is ProtectionKind.CALL and other.name == fact.name]
        if same:
            pair.gained.remove(same[0])
            return Judgement(Outcome.KEPT, "with other arguments", same[0])
        replaced = [other for other in pair.gained if other.entry == fact.entry and other.action == "call"]
        if replaced:
            pair.gained.remove(replaced[0])
            return Judgement(Outcome.KEPT, f"replaced by {replaced[0].name}", replaced[0])
        if fact.protects and not fact.protects & set(after.calls):
            return _GONE
        if self._calls_after[fact.name] >= self._calls_before[fact.name]:
            return _GONE
        return Judgement(Outcome.LOST, "removed")


def _as_strict(other: Fact, fact: Fact) -> bool:
    order = ("continue", "break", "return", "refuse", "abort", "raise")
    strict = ("refuse", "abort", "raise")
    return other.name == fact.name or other.name in strict or order.index(other.name) >= order.index(fact.name)


def _ranked(fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
    """Settings and families: weaker when the best that is left ranks lower."""
    gained = [other for other in pair.gained if other.name == fact.name]
    if not gained:
        return Judgement(Outcome.LOST, "removed") if fact.rank > 0 else _GONE
    best = max(gained, key=lambda other: other.rank)
    if best.rank < 0 or fact.rank < 0:
        return _GONE
    if best.rank < fact.rank:
        return Judgement(Outcome.WEAKENED, f"now {best.condition}", best)
    return Judgement(Outcome.STRENGTHENED, f"now {best.condition}", best)


def _handler(fact: Fact, pair: PairDiff) -> Judgement:
    same = [other for other in pair.gained if other.kind is ProtectionKind.HANDLER]
    for other in same:
        if other.name == fact.name:
            outcome = Outcome.NEUTERED if other.rank < fact.rank else Outcome.STRENGTHENED
            return Judgement(outcome, f"now ends in {other.action}", other)
    return Judgement(Outcome.LOST, "removed")
