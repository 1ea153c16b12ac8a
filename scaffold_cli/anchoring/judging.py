"""What became of a fact nothing equals any more: strengthened, weakened, lost, or gone with what it protected."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from scaffold_cli.anchoring.conditions import asks_higher, compare_terms
from scaffold_cli.anchoring.covering import (
    STRICTNESS,
    as_strict,
    asks_less,
    covered,
    is_presence,
    is_turned,
    standing_around,
    takes_a_case_more,
)
from scaffold_cli.anchoring.effects import TRANSLATES
from scaffold_cli.anchoring.facts import Fact, Mined, Unit
from scaffold_cli.anchoring.helpers import found_through, index
from scaffold_cli.anchoring.inheriting import bases_of, uncovers_base
from scaffold_cli.anchoring.invariants import refused_where_given
from scaffold_cli.anchoring.matching import own_text
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.anchoring.refusing import only_refusal
from scaffold_cli.anchoring.rewording import ASKS_KNOWN, asks_as_much, is_known_to_differ
from scaffold_cli.anchoring.swallowed import swallowed
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.model.protection import Outcome, ProtectionKind


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


_OWNERS = re.compile(r"(?:[\w$]+(?:\(\))?\.)+(?=[\w$]+\()")
"""What a method is called on, by name or through getters: ``protocol.getParser().``."""

_SOUGHT = re.compile(r"('[^']+') in (?!.* and ).+")
"""A condition that looks for a fixed text in a value."""
_HOOKS = WordPatterns((word, "hook") for word in ("before request", "before app request", "before connect"))
"""Decorators of functions that run before every request."""
_GONE = Judgement(None)
_LOST = Judgement(Outcome.LOST, "removed")


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
            return _GONE
        if pair.before is None or pair.after is None:
            gone_with_work = pair.before is None or not (
                _is_registered(pair.before, fact)
                or self._is_spread(pair.before, fact)
                or (fact.is_hard and self._uncovers_base(pair.before.unit))
            )
            return _GONE if gone_with_work else _LOST
        if pair.before.unit.short_name != pair.after.unit.short_name and own_text(pair.before) == own_text(pair.after):
            return Judgement(Outcome.RENAMED, f"now {pair.after.unit.short_name}")
        if only_refusal(pair.after.unit.block) and pair.after.unit.function is not None:
            return _GONE  # it refuses whatever comes
        new_calls = {name for name in pair.after.calls if name not in pair.before.calls or name in self._added}
        if new_calls and fact.name == "raise":
            new_calls -= swallowed(pair.after)
        through = found_through(fact, new_calls, self._helpers) if new_calls else None
        if through is not None:
            return Judgement(Outcome.MOVED, "into a helper", through)
        return self._by_kind(fact, pair, pair.after)

    def _by_kind(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        if fact.name.startswith("=") or fact.action == "use":
            return _ranked(fact, pair, after)
        if fact.kind is ProtectionKind.GUARD:
            return self._guard(fact, pair, after)
        if fact.kind is ProtectionKind.CALL:
            return self._call(fact, pair, after)
        if fact.kind is ProtectionKind.DECORATOR:
            return _decorator(fact, pair)
        if fact.kind is not ProtectionKind.HANDLER:
            went_along = bool(fact.protects) and not fact.protects & self._reached(after)
            return _GONE if went_along or _is_shorter_allow_list(fact, after) else _LOST
        return _handler(fact, pair, after, self._reached(after))

    def _guard(self, fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
        if fact.protects and not any(name in after.calls or name in self._calls_after for name in fact.protects):
            return _GONE
        if fact.name == "skip" and (not fact.protects & set(after.calls) or self._asks_renamed(fact, pair, after)):
            return _GONE
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
        return _weakened_guard(fact, gained) or self._reworded(fact, pair, gained) or _timed(fact, pair.gained) or _LOST

    def _reworded(self, fact: Fact, pair: PairDiff, gained: list[Fact]) -> Judgement | None:
        """A guard that raises the same error on another condition: kept where that can be shown to ask as much."""
        before = pair.before.facts if pair.before is not None else ()
        others = [other for other in gained if (other.name, other.action) == (fact.name, fact.action)]
        if fact.name != "raise":  # only what the catalogue knows is believed where it is no error
            others = [other for other in others if other.because.startswith(ASKS_KNOWN)]
        for other in others:
            if _looks_for_another(fact, other):
                return Judgement(Outcome.WEAKENED, f"now looks for something else: {other.condition}", other)
            if asks_as_much(other, fact, before, self._new_helpers) or _ranks_higher(other, fact, pair):
                return Judgement(Outcome.KEPT, f"the condition is now {other.condition}", other)
        if not others or fact.name != "raise" or _timed(fact, pair.gained) is not None:
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
        calls = [other for other in pair.gained if other.kind is ProtectionKind.CALL and _is_like(other, fact)]
        same = next((other for other in calls if other.name == fact.name), None)
        replacement = same or next((other for other in calls if other.entry == fact.entry), None)
        if replacement is not None:
            pair.gained.remove(replacement)
            return self._exchanged(fact, replacement)
        if self._went_along(fact, after):
            return _GONE
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
        return _LOST

    def _exchanged(self, fact: Fact, other: Fact) -> Judgement:
        if (fact.name, other.name) in self._renamed:
            return Judgement(Outcome.RENAMED, f"now {other.name}", other)
        return _same_call(fact, other) if fact.name == other.name else _replaced_call(fact, other)

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


def _ranks_higher(other: Fact, fact: Fact, pair: PairDiff) -> bool:
    """True when a guard uses what the catalogue ranks above what the other used: ``is_private`` for ``is_loopback``."""
    was, now = (
        {item.name: item.rank for item in mined.facts if item.action == "use" and item.line == guard.line}
        for mined, guard in ((pair.before, fact), (pair.after, other))
        if mined is not None
    )
    return any(now.get(name, rank) > rank for name, rank in was.items())


def _is_like(other: Fact, fact: Fact) -> bool:
    """True for a call that protects in the same way, or for a known function in place of cleaning by hand."""
    return other.action == fact.action or (fact.action == "neutralise" and other.action == "call")


def _is_shorter_allow_list(fact: Fact, after: Mined) -> bool:
    """True for an item taken off a list of what is let in, others of which are left."""
    is_item = fact.action == "list" and fact.entry == "validation"
    return is_item and any(other.action == "list" and other.name == fact.name for other in after.facts)


def _is_registered(before: Mined, fact: Fact) -> bool:
    """A fixed string (a header), or a hook, in a removed function that nobody calls by name but a framework does."""
    function = before.unit.function
    if fact.kind is ProtectionKind.DECORATOR:
        return _HOOKS.find(fact.name) is not None
    return fact.action == "set" and fact.form == fact.name and function is not None and bool(function.decorators)


def _weakened_guard(fact: Fact, gained: list[Fact]) -> Judgement | None:
    for other in gained:
        if other.terms > fact.terms or other.asks > fact.asks:
            if takes_a_case_more(fact, other):
                return Judgement(Outcome.KEPT, "one case more has a branch of its own", other)
            return Judgement(Outcome.WEAKENED, "refuses only under a further condition", other)
        if other.terms == fact.terms:
            outcome = Outcome.KEPT if as_strict(other, fact) else Outcome.WEAKENED
            return Judgement(outcome, f"now ends in {other.action}", other)
        if other.bare and _is_same_question(fact, other) and as_strict(other, fact):
            return Judgement(Outcome.KEPT, f"now ends in {other.action}", other)
    for other in gained:
        relation = compare_terms(fact.terms, other.terms) if as_strict(other, fact) else 0
        if relation != 0:
            outcome = Outcome.WEAKENED if relation < 0 else Outcome.STRENGTHENED
            return Judgement(outcome, f"now refuses when {other.condition}", other)
    return None


def _is_same_question(fact: Fact, other: Fact) -> bool:
    """True when both ask the same, however it ends, and `other` perhaps of what the first got from elsewhere."""
    asked, now = (item.bare.rpartition(" -> ")[0] for item in (fact, other))
    if asked == now:
        return True
    one, two = _OWNERS.sub("", asked), _OWNERS.sub("", now)
    return one == two and "(" in one and not one.endswith("()") and set(words(now)) <= set(words(asked))


def _timed(fact: Fact, gained: list[Fact]) -> Judgement | None:
    """A comparison that gave way to one whose time tells nothing."""
    if len(fact.asks) == 1 and any(operator in literal for literal in fact.asks for operator in (" == ", " != ")):
        for other in gained:
            if other.kind is ProtectionKind.CALL and other.entry == "constant-time":
                return Judgement(Outcome.STRENGTHENED, f"now compared by {other.name}", other)
    return None


def _looks_for_another(fact: Fact, other: Fact) -> bool:
    """True when both look for one fixed text in a value, and not for the same."""
    one, two = (_SOUGHT.fullmatch(item.condition) for item in (fact, other))
    return one is not None and two is not None and one.group(1) != two.group(1)


_GRADED = ("authorization", "authentication", "csrf")
"""Entries whose decorators ask more or less: one is no stand-in for another."""


def _decorator(fact: Fact, pair: PairDiff) -> Judgement:
    for other in pair.gained:
        if other.kind is fact.kind and other.name == fact.name and asks_higher(fact.form, other.form):
            return Judgement(Outcome.STRENGTHENED, f"now {other.form}", other)
        if other.kind is fact.kind and other.entry == fact.entry not in ("", *_GRADED):
            return Judgement(Outcome.KEPT, f"replaced by {other.form}", other)
    return _LOST


def _same_call(fact: Fact, other: Fact) -> Judgement:
    if fact.entry == "authorization" and other.constants != fact.constants:
        if asks_higher(" ".join(fact.constants), " ".join(other.constants)):
            return Judgement(Outcome.STRENGTHENED, f"now asks {other.condition}", other)
        return Judgement(Outcome.WEAKENED, f"now asks {other.condition}", other)
    further = [term for term in other.terms - fact.terms if not is_presence(term)]
    if fact.stands_alone and fact.terms < other.terms and further:
        return Judgement(Outcome.WEAKENED, f"now only if {min(further)}", other)
    return Judgement(Outcome.KEPT, "with other arguments", other)


def _replaced_call(fact: Fact, other: Fact) -> Judgement:
    if set(words(other.name)) < set(words(fact.name)):
        return Judgement(Outcome.WEAKENED, f"now only {other.name}", other)
    return Judgement(Outcome.KEPT, f"replaced by {other.name}", other)


def _ranked(fact: Fact, pair: PairDiff, after: Mined) -> Judgement:
    """Settings and families: weaker when the best that is left ranks lower."""
    gained = [other for other in pair.gained if other.name == fact.name]
    if not gained:
        if any(other.name == fact.name and other.rank >= fact.rank for other in after.facts):
            return _GONE
        if "raise" in words(fact.name) and _is_asked_instead(fact, pair, after):
            return Judgement(Outcome.KEPT, "its answer is asked, and refused by the caller")
        return _LOST if fact.absent_is_weak and fact.rank != 0 else _GONE
    best = max(gained, key=lambda other: other.rank)
    if best.rank < 0 or fact.rank < 0 or best.rank == fact.rank:
        return _GONE
    outcome = Outcome.WEAKENED if best.rank < fact.rank else Outcome.STRENGTHENED
    return Judgement(outcome, f"now {best.condition}", best)


def _is_asked_instead(fact: Fact, pair: PairDiff, after: Mined) -> bool:
    """True when a check that was told to raise itself is now asked in the condition of a refusal."""
    before = pair.before.facts if pair.before is not None else ()
    checks = {item.name for item in before if item.kind is ProtectionKind.CALL and item.line == fact.line}
    guards = [item for item in after.facts if item.kind is ProtectionKind.GUARD and STRICTNESS[item.name] >= _FIRM]
    return any(f"{name}(" in item.condition for name in checks for item in guards if item.name != "skip")


_FIRM = STRICTNESS["refuse"]
_SWALLOWS = frozenset({"pass", "log", "continue", "break"})


def _handler(fact: Fact, pair: PairDiff, after: Mined, reached: set[str]) -> Judgement:
    """Lost when what it guarded is still called and no handler of its kind is left; neutered when it only goes on."""
    if fact.protects and not fact.protects & reached:
        return _GONE
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
    return _LOST
