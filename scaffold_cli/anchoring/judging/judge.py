"""What became of a fact nothing equals any more: strengthened, weakened, lost, or gone with what it protected."""

from __future__ import annotations

from collections import Counter

from scaffold_cli.anchoring.covering import as_strict, asks_less, covered, is_turned, standing_around
from scaffold_cli.anchoring.facts import Fact, Mined, Unit
from scaffold_cli.anchoring.helpers import found_through, index
from scaffold_cli.anchoring.inheriting import bases_of, uncovers_base
from scaffold_cli.anchoring.invariants import refused_where_given
from scaffold_cli.anchoring.judging.calls import decorator, is_like, is_registered, replaced_call, same_call
from scaffold_cli.anchoring.judging.guards import (
    gathered_at_once,
    looks_for_another,
    ranks_higher,
    timed,
    weakened_guard,
)
from scaffold_cli.anchoring.judging.handlers import handler
from scaffold_cli.anchoring.judging.judgement import GONE, LOST, Judgement
from scaffold_cli.anchoring.judging.settings import is_shorter_allow_list, ranked
from scaffold_cli.anchoring.matching import own_text
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.anchoring.refusing import only_refusal
from scaffold_cli.anchoring.rewording import ASKS_KNOWN, asks_as_much, is_known_to_differ
from scaffold_cli.anchoring.swallowed import swallowed
from scaffold_cli.model.protection import Outcome, ProtectionKind


class Judge:
    """Judges the unexplained facts of each pair, knowing what the whole change calls before and after."""

    def __init__(self, diffs: list[PairDiff], aliases: frozenset[tuple[str, str]] = frozenset()) -> None:
        """`aliases` are local names of one imported thing, before and after."""
        self._calls_after: Counter[str] = Counter()
        self._calls_before: Counter[str] = Counter()
        self._removed: dict[str, PairDiff] = {}
        for item in diffs:
            if item.before is not None:
                self._calls_before.update(item.before.calls)
            if item.after is not None:
                self._calls_after.update(item.after.calls)
            elif item.before is not None:
                self._removed[item.before.unit.short_name] = item
        self._added = frozenset(item.after.unit.short_name for item in diffs if item.before is None and item.after)
        self._bases = (
            bases_of(item.before.unit for item in diffs if item.before is not None),
            bases_of(item.after.unit for item in diffs if item.after is not None),
        )
        self._matched = [item for item in diffs if item.before is not None and item.after is not None]
        self._renamed = {
            (item.before.unit.short_name, item.after.unit.short_name)
            for item in diffs
            if item.before is not None and item.after is not None
        } | aliases
        self._helpers = index(item.after for item in diffs if item.after is not None)
        self._new_helpers = {name: self._helpers[name] for name in self._added if name in self._helpers}

    def judge(self, fact: Fact, pair: PairDiff) -> Judgement:
        """What became of `fact`, lost from `pair.before`."""
        if fact.only_answers:
            return GONE
        if pair.before is None or pair.after is None:
            gone_with_work = pair.before is None or not (
                is_registered(pair.before, fact)
                or self._is_spread(pair.before, fact)
                or (fact.is_hard and self._uncovers_base(pair.before.unit))
            )
            return GONE if gone_with_work else LOST
        if pair.before.unit.short_name != pair.after.unit.short_name and own_text(pair.before) == own_text(pair.after):
            return Judgement(Outcome.RENAMED, f"now {pair.after.unit.short_name}")
        if only_refusal(pair.after.unit.block) and pair.after.unit.function is not None:
            return GONE  # it refuses whatever comes
        new_calls = {name for name in pair.after.calls if name not in pair.before.calls or name in self._added}
        if new_calls and fact.name == "raise":
            new_calls -= swallowed(pair.after)
        through = found_through(fact, new_calls, self._helpers) if new_calls else None
        if through is not None:
            return Judgement(Outcome.MOVED, "into a helper", through)
        return self._by_kind(fact, pair, pair.after)

    def _by_kind(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        if fact.name.startswith("=") or fact.action == "use":
            return ranked(fact, pair, after)
        if fact.kind is ProtectionKind.GUARD:
            return self._guard(fact, pair, after)
        if fact.kind is ProtectionKind.CALL:
            return self._call(fact, pair, after)
        if fact.kind is ProtectionKind.DECORATOR:
            return decorator(fact, pair)
        if fact.kind is not ProtectionKind.HANDLER:
            went_along = bool(fact.protects) and not fact.protects & self._reached(after)
            return GONE if went_along or is_shorter_allow_list(fact, after) else LOST
        return handler(fact, pair, after, self._reached(after))

    def _guard(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        is_done = any(name in after.calls or name in self._calls_after for name in fact.protects)
        if fact.protects and not is_done and not (pair.before and gathered_at_once(fact, pair.before, after)):
            return GONE
        if fact.name == "skip" and (not fact.protects & set(after.calls) or self._asks_renamed(fact, pair, after)):
            return GONE
        before = pair.before.facts if pair.before is not None else ()
        turned = is_turned(fact, after.facts)
        if turned or covered(fact, after.facts, before):
            return Judgement(Outcome.KEPT, "whatever else comes is refused" if turned else "in other words")
        likes = {other.form for other in before if other.asks == fact.asks} if fact.shifting else set()
        around = standing_around(fact, before) | likes
        for other in after.facts:
            is_guard = other.kind is ProtectionKind.GUARD and other.form not in around
            if is_guard and other.terms <= fact.terms and as_strict(other, fact):
                return Judgement(Outcome.STRENGTHENED, "refuses in more cases", other)
        gained = [other for other in pair.gained if other.kind is ProtectionKind.GUARD]
        less = asks_less(fact, before, gained)
        if less is not None:
            how = f"asks the same, but strikes only when {less.condition}"
            return Judgement(Outcome.WEAKENED, how, less, f"hard because it {how}")
        return weakened_guard(fact, gained) or self._reworded(fact, pair, gained) or timed(fact, pair.gained) or LOST

    def _reworded(self, fact: Fact, pair: PairDiff, gained: list[Fact]) -> Judgement | None:
        """A guard that raises the same error on another condition: kept where that can be shown to ask as much."""
        before = pair.before.facts if pair.before is not None else ()
        others = [other for other in gained if (other.name, other.action) == (fact.name, fact.action)]
        if fact.name != "raise":  # only what the catalogue knows is believed where it is no error
            others = [other for other in others if other.because.startswith(ASKS_KNOWN)]
        for other in others:
            if looks_for_another(fact, other):
                return Judgement(Outcome.WEAKENED, f"now looks for something else: {other.condition}", other)
            if asks_as_much(other, fact, before, self._new_helpers) or ranks_higher(other, fact, pair):
                return Judgement(Outcome.KEPT, f"the condition is now {other.condition}", other)
        if not others or fact.name != "raise" or timed(fact, pair.gained) is not None:
            return None
        fewer = sum((item.name, item.action) == (fact.name, fact.action) for item in pair.lost) > len(others)
        unsure = not fewer and not is_known_to_differ(others[0], fact, self._new_helpers)
        return Judgement(Outcome.WEAKENED, f"now asks something else: {others[0].condition}", others[0], unsure=unsure)

    def _asks_renamed(self, fact: Fact, pair: PairDiff, after: Mined) -> bool:
        """True when what a condition asks has another name now, and is called as often as before."""
        before = pair.before.calls if pair.before is not None else Counter[str]()
        asked = {name for name in before if f"{name}(" in fact.condition and name not in after.calls}
        return any(old in asked and after.calls[new] >= before[old] for old, new in self._renamed)

    def _call(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        calls = [other for other in pair.gained if other.kind is ProtectionKind.CALL and is_like(other, fact)]
        same = next((other for other in calls if other.name == fact.name), None)
        replacement = same or next((other for other in calls if other.entry == fact.entry), None)
        if replacement is not None:
            pair.gained.remove(replacement)
            return self._exchanged(fact, replacement)
        if self._went_along(fact, after):
            return GONE
        renamed = next((name for name in after.calls if name != fact.name and (fact.name, name) in self._renamed), None)
        if renamed is not None:
            return Judgement(Outcome.RENAMED, f"now {renamed}")
        if self._is_inlined(fact, after):
            return Judgement(Outcome.MOVED, "its body stands in its place")
        helper = self._removed.get(fact.name)
        if helper is not None and helper.before is not None and pair.before is not None:
            after_all = (item.after for item in self._matched if item.after is not None)
            if refused_where_given(helper.before, pair.before, after_all):
                return Judgement(Outcome.KEPT, "what it refused is refused where the field is given")
        return LOST

    def _exchanged(self, fact: Fact, other: Fact) -> Judgement:
        if (fact.name, other.name) in self._renamed:
            return Judgement(Outcome.RENAMED, f"now {other.name}", other)
        return same_call(fact, other) if fact.name == other.name else replaced_call(fact, other)

    def _is_spread(self, helper: Mined, fact: Fact) -> bool:
        """True when callers of a removed function now do its work themselves, without this protection."""
        name = helper.unit.short_name
        if fact.kind is ProtectionKind.GUARD and fact.name not in ("raise", "abort"):
            return False  # an answer: what callers make of it is a guard of theirs
        if not fact.is_hard or helper.unit.function is None or self._calls_after[name] or not self._calls_before[name]:
            return False
        work = {other for other in helper.calls if other != fact.name} - {name}
        for pair in self._matched:
            if pair.before is not None and pair.after is not None and name in pair.before.calls:
                taken_over = work & pair.after.calls.keys() - pair.before.calls.keys()
                if taken_over and not any(other.shape == fact.shape for other in pair.after.facts):
                    return True
        return False

    def _uncovers_base(self, unit: Unit) -> bool:
        return uncovers_base(unit, *self._bases, self._calls_after - self._calls_before)

    def _reached(self, after: Mined) -> set[str]:
        """What a unit calls, itself or through functions the change adds."""
        reached: set[str] = set()
        frontier = set(after.calls)
        while frontier:
            reached |= frontier
            helpers = [item for name in frontier & self._added for item in self._helpers.get(name, ())]
            frontier = {name for item in helpers for name in item.calls} - reached
        return reached

    def _went_along(self, fact: Fact, after: Mined) -> bool:
        """True when nothing is left to protect, or several equal statements became one, or it is called elsewhere."""
        if fact.protects:
            if not fact.protects & set(after.calls):
                return True
        elif not fact.shifting and any(other.form == fact.form for other in after.facts):
            return True
        return fact.action == "call" and self._calls_after[fact.name] >= self._calls_before[fact.name]

    def _is_inlined(self, fact: Fact, after: Mined) -> bool:
        """True when the function called was removed and what it did is now done by the caller."""
        helper = self._removed.get(fact.name)
        if helper is None or helper.before is None:
            return False
        hard = [other for other in helper.before.facts if other.is_hard]
        shapes = {other.shape for other in after.facts}
        if hard:
            lost = [other for other in helper.lost if other.is_hard and other.shape not in shapes]
            return not lost
        return bool(helper.before.calls) and set(helper.before.calls) <= set(after.calls)
