"""Calls and decorators beside those that took their place."""

from __future__ import annotations

from scaffold_cli.anchoring.conditions import asks_higher
from scaffold_cli.anchoring.covering import is_presence
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.judging.judgement import LOST, Judgement
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.model.protection import Outcome, ProtectionKind

_HOOKS = WordPatterns((word, "hook") for word in ("before request", "before app request", "before connect"))
"""Decorators of functions that run before every request."""
_GRADED = ("authorization", "authentication", "csrf")
"""Entries whose decorators ask more or less: one is no stand-in for another."""


def is_like(other: Fact, fact: Fact) -> bool:
    """True for a call that protects in the same way, or for a known function in place of cleaning by hand."""
    return other.action == fact.action or (fact.action == "neutralise" and other.action == "call")


def same_call(fact: Fact, other: Fact) -> Judgement:
    """The same function called with other arguments, or only under a further condition."""
    if fact.entry == "authorization" and other.constants != fact.constants:
        if asks_higher(" ".join(fact.constants), " ".join(other.constants)):
            return Judgement(Outcome.STRENGTHENED, f"now asks {other.condition}", other)
        return Judgement(Outcome.WEAKENED, f"now asks {other.condition}", other)
    further = [term for term in other.terms - fact.terms if not is_presence(term)]
    if fact.stands_alone and fact.terms < other.terms and further:
        return Judgement(Outcome.WEAKENED, f"now only if {min(further)}", other)
    return Judgement(Outcome.KEPT, "with other arguments", other)


def replaced_call(fact: Fact, other: Fact) -> Judgement:
    """Another function in place of the one called: weaker when its name says less."""
    if set(words(other.name)) < set(words(fact.name)):
        return Judgement(Outcome.WEAKENED, f"now only {other.name}", other)
    return Judgement(Outcome.KEPT, f"replaced by {other.name}", other)


def decorator(fact: Fact, pair: PairDiff) -> Judgement:
    """A decorator that asks for more, or one that does the same."""
    for other in pair.gained:
        if other.kind is fact.kind and other.name == fact.name and asks_higher(fact.form, other.form):
            return Judgement(Outcome.STRENGTHENED, f"now {other.form}", other)
        if other.kind is fact.kind and other.entry == fact.entry not in ("", *_GRADED):
            return Judgement(Outcome.KEPT, f"replaced by {other.form}", other)
    return LOST


def is_registered(before: Mined, fact: Fact) -> bool:
    """A fixed string (a header), or a hook, in a removed function that nobody calls by name but a framework does."""
    function = before.unit.function
    if fact.kind is ProtectionKind.DECORATOR:
        return _HOOKS.find(fact.name) is not None
    return fact.action == "set" and fact.form == fact.name and function is not None and bool(function.decorators)
