"""Guards beside guards: which of two refuses in more cases, and whether both ask the same."""

from __future__ import annotations

import re

from scaffold_cli.anchoring.conditions import compare_terms
from scaffold_cli.anchoring.covering import as_strict, takes_a_case_more
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.judging.judgement import Judgement
from scaffold_cli.anchoring.pools import PairDiff
from scaffold_cli.anchoring.words import words
from scaffold_cli.model.protection import Outcome, ProtectionKind
from scaffold_cli.syntax.outline import ExprKind

_OWNERS = re.compile(r"(?:[\w$]+(?:\(\))?\.)+(?=[\w$]+\()")
"""What a method is called on, by name or through getters: ``protocol.getParser().``."""

_SOUGHT = re.compile(r"('[^']+') in (?!.* and ).+")
"""A condition that looks for a fixed text in a value."""

_ONE_BY_ONE = frozenset({"append", "add", "push", "extend", "insert", "put"})
_AT_ONCE = frozenset({"collect", "toList", "toSet", "toMap", "map", "filter"})


def gathered_at_once(fact: Fact, before: Mined, after: Mined) -> bool:
    """True when what a guard stood before put things together one by one, and a comprehension or stream does it now."""
    if fact.protects.isdisjoint(_ONE_BY_ONE):
        return False
    was, now = (len(item.reading.of(ExprKind.COMPREHENSION)) for item in (before, after))
    return now > was or any(after.calls[name] > before.calls[name] for name in _AT_ONCE)


def weakened_guard(fact: Fact, gained: list[Fact]) -> Judgement | None:
    """A guard one of `gained` took the place of, on a condition that can be compared with its own; None without one."""
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


def timed(fact: Fact, gained: list[Fact]) -> Judgement | None:
    """A comparison that gave way to one whose time tells nothing."""
    if len(fact.asks) == 1 and any(operator in literal for literal in fact.asks for operator in (" == ", " != ")):
        for other in gained:
            if other.kind is ProtectionKind.CALL and other.entry == "constant-time":
                return Judgement(Outcome.STRENGTHENED, f"now compared by {other.name}", other)
    return None


def looks_for_another(fact: Fact, other: Fact) -> bool:
    """True when both look for one fixed text in a value, and not for the same."""
    one, two = (_SOUGHT.fullmatch(item.condition) for item in (fact, other))
    return one is not None and two is not None and one.group(1) != two.group(1)


def ranks_higher(other: Fact, fact: Fact, pair: PairDiff) -> bool:
    """True when a guard uses what the catalogue ranks above what the other used: ``is_private`` for ``is_loopback``."""
    was, now = (
        {item.name: item.rank for item in mined.facts if item.action == "use" and item.line == guard.line}
        for mined, guard in ((pair.before, fact), (pair.after, other))
        if mined is not None
    )
    return any(now.get(name, rank) > rank for name, rank in was.items())
