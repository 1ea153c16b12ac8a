"""What each pair of units lost and gained, and gains that stand in for losses elsewhere in the change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Sequence
from dataclasses import dataclass, field

from scaffold_cli.anchoring.bypass import passes_by, passes_by_helper
from scaffold_cli.anchoring.covering import asks_only_what_came, is_presence, narrowed
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.renames import Renames
from scaffold_cli.anchoring.swallowed import swallowed
from scaffold_cli.model.protection import Outcome, ProtectionKind

Key = Callable[[Fact], Hashable]


@dataclass(slots=True)
class PairDiff:
    """One matched pair (either side may be missing) with what is still unexplained."""

    before: Mined | None
    after: Mined | None
    lost: list[Fact] = field(default_factory=list)
    gained: list[Fact] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Explained:
    """A fact with the counterpart that keeps it."""

    fact: Fact
    outcome: Outcome
    before: Mined
    counterpart: Fact
    after: Mined


def by_form(fact: Fact) -> Hashable:
    """Same protection, names included."""
    return (fact.kind, fact.name if fact.action != "list" else "", fact.form)


def by_shape(fact: Fact) -> Hashable:
    """Same protection up to local names."""
    return (fact.kind, fact.action if fact.kind.value == "guard" and fact.action != "raise" else "", fact.shape)


def by_bare(fact: Fact) -> Hashable:
    """Same protection up to local names, without following what they stand for."""
    action = fact.action if fact.kind.value == "guard" and fact.action != "raise" else ""
    return (fact.kind, action, fact.bare or fact.shape)


def diff(
    matching: Matching, renames: Renames, unchanged: Container[int] = ()
) -> tuple[list[PairDiff], list[Explained]]:
    """Cancel what is kept in place, then what moved within the change, then what was renamed.

    `unchanged` are positions of pairs that lost and gained nothing.
    """
    diffs = [
        PairDiff(one, other) if position in unchanged else PairDiff(one, other, list(one.facts), list(other.facts))
        for position, (one, other) in enumerate(matching.pairs)
    ]
    diffs += [PairDiff(one, None, list(one.facts), []) for one in matching.removed]
    diffs += [PairDiff(None, other, [], list(other.facts)) for other in matching.added]
    explained: list[Explained] = []
    for key, outcome in ((by_form, Outcome.KEPT), (by_shape, Outcome.KEPT), (renames.key, Outcome.RENAMED)):
        for item in diffs:
            explained += _cancel([item], [item], key, outcome)
    # facts that stayed lost in a removed unit must not use up the gains that explain surviving units
    surviving = [item for item in diffs if item.after is not None]
    removed = [item for item in diffs if item.after is None]
    for losers in (surviving, removed):
        for key in (by_form, by_shape, renames.key, by_bare):
            explained += _cancel(losers, diffs, key, Outcome.MOVED, _calls)
            explained += _cancel(losers, diffs, key, Outcome.MOVED)
    return diffs, explained


def _calls(loser: PairDiff, gainer: PairDiff) -> bool:
    """True when the one, as it is now, calls the other: what moved there is looked for first."""
    return loser.after is not None and gainer.after is not None and gainer.after.unit.short_name in loser.after.calls


def _cancel(
    losers: Sequence[PairDiff],
    gainers: Sequence[PairDiff],
    key: Key,
    outcome: Outcome,
    related: Callable[[PairDiff, PairDiff], bool] = lambda _loser, _gainer: True,
) -> list[Explained]:
    offers: dict[Hashable, list[tuple[PairDiff, Fact]]] = defaultdict(list)
    for gainer in gainers:
        for fact in gainer.gained:
            offers[key(fact)].append((gainer, fact))
    explained = []
    for loser in losers:
        rest = []
        for fact in loser.lost:
            candidates = offers.get(key(fact))
            place = next((i for i, (gainer, _) in enumerate(candidates or ()) if related(loser, gainer)), None)
            if candidates is None or place is None or loser.before is None:
                rest.append(fact)
                continue
            gainer, counterpart = candidates.pop(place)
            gainer.gained.remove(counterpart)
            if gainer.after is not None:
                became = _became(fact, counterpart, outcome, loser.before, gainer.after)
                if outcome is Outcome.MOVED and fact.is_hard and loser.after not in (None, gainer.after):
                    became = _moved(fact, gainer.after.unit.short_name, loser)
                explained.append(Explained(fact, became, loser.before, counterpart, gainer.after))
        loser.lost = rest
    return explained


def _moved(fact: Fact, helper: str, loser: PairDiff) -> Outcome:
    """What became of a guard that now stands in another function, which the one it stood in may call."""
    before, after = loser.before, loser.after
    if fact.kind is not ProtectionKind.GUARD or before is None or after is None or helper not in after.calls:
        return Outcome.MOVED
    if fact.name == "raise" and helper in swallowed(after):
        return Outcome.NEUTERED
    return Outcome.BYPASSED if passes_by_helper(fact, helper, before, after) else Outcome.MOVED


def _runs_otherwise(fact: Fact, counterpart: Fact) -> bool:
    """True when a call runs under a further condition, or for another value: ``m == "POST"``, now ``m == "PUT"``."""
    gone, come = fact.terms - counterpart.terms, counterpart.terms - fact.terms
    if not gone:
        return any(not is_presence(term) for term in come)
    if len(gone) != 1 or len(come) != 1:
        return False
    (was, found, value), (now, other, new_value) = (next(iter(side)).partition(" == ") for side in (gone, come))
    fixed = value[:1] in "'\"" and new_value[:1] in "'\""
    return bool(found and other) and was == now and fixed and value != new_value


def _became(fact: Fact, counterpart: Fact, outcome: Outcome, before: Mined, after: Mined) -> Outcome:
    """Weakened: a call that runs only under further conditions (presence checks aside), a guard with fewer cases."""
    is_guard = fact.kind is ProtectionKind.GUARD
    if is_guard and counterpart.name == fact.name and asks_only_what_came(fact, counterpart):
        return Outcome.WEAKENED
    if outcome is Outcome.MOVED:
        return outcome
    if is_guard:
        if fact.is_hard and passes_by(fact, counterpart, before, after):
            return Outcome.BYPASSED
        return Outcome.WEAKENED if narrowed(fact, counterpart, after.facts) else outcome
    return Outcome.WEAKENED if fact.stands_alone and _runs_otherwise(fact, counterpart) else outcome
