"""Whether guards still refuse every case they refused: told from the cases they cover."""

from __future__ import annotations

from collections.abc import Iterable

from scaffold_cli.anchoring.conditions import compare_terms
from scaffold_cli.anchoring.facts import Fact
from scaffold_cli.model.protection import ProtectionKind

STRICTNESS = {"continue": 0, "break": 0, "return": 1, "assert": 2, "skip": 3, "refuse": 3, "abort": 4, "raise": 4}
"""How firmly a guard refuses, by the way it ends."""


def as_strict(other: Fact, fact: Fact) -> bool:
    """True when `other` refuses as firmly as `fact`."""
    return STRICTNESS[other.name] >= min(STRICTNESS[fact.name], 3)


def covered(fact: Fact, others: Iterable[Fact]) -> bool:
    """True when each case `fact` refused is refused by one of `others`, in as many or more situations."""
    if not fact.covers:
        return False
    cases = [
        case
        for other in others
        if other.kind is ProtectionKind.GUARD and as_strict(other, fact) and other.name != "skip"
        for case in other.covers
    ]
    return all(any(case and case <= wanted for case in cases) for wanted in fact.covers)


def narrowed(fact: Fact, counterpart: Fact, others: Iterable[Fact]) -> bool:
    """True when a guard that reads the same is reached, or holds, in fewer cases than before."""
    if not fact.covers or not counterpart.covers or fact.name not in ("raise", "abort"):
        return False
    if fact.covers == counterpart.covers or covered(fact, others):
        return False
    if counterpart.covers < fact.covers:
        return True
    known = frozenset(literal for case in fact.covers for literal in case)
    for case in fact.covers:
        for other in counterpart.covers:
            if case < other and any(literal in known or not is_presence(literal) for literal in other - case):
                return True
            if compare_terms(case, other) < 0:
                return True
    return False


def is_presence(term: str) -> bool:
    """A test of nothing but whether a plain value is there."""
    plain = term.removesuffix(" != null").removesuffix(" == null").lstrip("!")
    return all(part.isidentifier() for part in plain.split("."))
