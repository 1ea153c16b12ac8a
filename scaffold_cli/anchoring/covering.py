"""Whether guards still refuse every case they refused: told from the cases they cover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scaffold_cli.anchoring.conditions import compare_terms
from scaffold_cli.anchoring.facts import Fact
from scaffold_cli.anchoring.implication import entails, implies, is_empty, is_narrower, number, opposite
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.model.protection import ProtectionKind

STRICTNESS = {"continue": 0, "break": 0, "return": 1, "assert": 2, "skip": 3, "refuse": 3, "abort": 4, "raise": 4}
"""How firmly a guard refuses, by the way it ends."""


def as_strict(other: Fact, fact: Fact) -> bool:
    """True when `other` refuses as firmly as `fact`."""
    return STRICTNESS[other.name] >= min(STRICTNESS[fact.name], 3)


def covered(fact: Fact, others: Iterable[Fact], before: Iterable[Fact] = ()) -> bool:
    """True when each case `fact` refused is refused by one of `others`, in as many or more situations.

    A branch that ends the work in the end, `fact` inside it, is no stand-in for `fact`: it is one of `before` and asks
    nothing that `fact` asked.
    """
    if not fact.covers or (fact.shifting and all(map(is_empty, fact.covers))):
        return False  # of a name that is given anew, one value was asked about before and another one is now
    around = standing_around(fact, before)
    if fact.shifting:
        around |= {fact.form}
    guards = [
        other
        for other in others
        if other.kind is ProtectionKind.GUARD and as_strict(other, fact) and other.name != "skip"
        if other.form not in around
    ]
    cases = _cases(guards)
    # several cases may hold one together, but not one in which a bare return may be the way in
    together = _cases(other for other in guards if STRICTNESS[other.name] >= STRICTNESS[fact.name])
    return all(
        any(implies((wanted,), (case,)) for case in cases) or implies((wanted,), together) for wanted in fact.covers
    )


def _cases(guards: Iterable[Fact]) -> list[frozenset[str]]:
    return [case for other in guards for case in other.covers if case]


def standing_around(fact: Fact, before: Iterable[Fact]) -> frozenset[str]:
    """Forms of the guards around `fact` that ask nothing it asks: what stays of them is no stand-in for it."""
    return frozenset(other.form for other in before if other.asks and not other.asks & fact.asks)


def asks_less(fact: Fact, before: Iterable[Fact], gained: Iterable[Fact]) -> Fact | None:
    """One of `gained` that ends in the same way and asks nothing new, but strikes in fewer cases than before.

    Compared are whole conditions, all alternatives together: ``a or b`` turned into ``a and b``, ``not d.get(k)``
    into ``k not in d``, a range that got smaller.
    """
    whole = _cases_of(fact, before)
    for other in gained:
        if other.kind is not ProtectionKind.GUARD or (other.name, other.action) != (fact.name, fact.action):
            continue
        now = _cases_of(other, gained)
        if is_narrower(now, whole) and _asks_nothing_new(now, whole):
            return other
    return None


def _cases_of(fact: Fact, facts: Iterable[Fact]) -> frozenset[frozenset[str]]:
    """What the statement of `fact` asks, all its alternatives together."""
    return frozenset(other.asks for other in facts if _is_same_statement(other, fact)) | {fact.asks}


def _is_same_statement(other: Fact, fact: Fact) -> bool:
    return other.kind is ProtectionKind.GUARD and (other.line, other.action) == (fact.line, fact.action)


def _asks_nothing_new(now: frozenset[frozenset[str]], whole: frozenset[frozenset[str]]) -> bool:
    known = frozenset(literal for case in whole for literal in case)
    return all(any(literal == old or entails(literal, old) for old in known) for case in now for literal in case)


def narrowed(fact: Fact, counterpart: Fact, others: Iterable[Fact]) -> bool:
    """True when a guard that reads the same is reached, or holds, in fewer cases than before."""
    if not fact.covers or not counterpart.covers or fact.name not in ("raise", "abort"):
        answers = fact.name == "refuse" and not fact.protects  # an early return may be the way in
        return answers and is_narrower((counterpart.asks,), (fact.asks,))
    if fact.covers == counterpart.covers or covered(fact, others):
        return False
    is_dead = any(map(is_empty, counterpart.covers)) and not any(map(is_empty, fact.covers))
    if is_dead or counterpart.covers < fact.covers or is_narrower((counterpart.asks,), (fact.asks,)):
        return True
    known = frozenset(literal for case in fact.covers for literal in case)
    left_to_others = counterpart.answered - known  # what is answered before the guard does not pass it
    for case in fact.covers:
        for other in (reached - left_to_others for reached in counterpart.covers):
            if case < other and any(literal in known or not is_presence(literal) for literal in other - case):
                return True
            if compare_terms(case, other) < 0:
                return True
    return False


def asks_only_what_came(fact: Fact, counterpart: Fact) -> bool:
    """True when two values must agree, and what excuses it now is that the one looked up is missing.

    ``if expected and sent != expected`` refused what was left out; ``if sent and sent != expected`` does not.
    """
    gone, come = fact.asks - counterpart.asks, counterpart.asks - fact.asks
    if len(gone) != 1 or len(come) != 1:
        return False
    kept, sent = next(iter(gone)), next(iter(come))
    compared = fact.asks & {f"{kept} != {sent}", f"{sent} != {kept}"}
    return bool(compared) and kept.isidentifier() and sent.endswith((")", "]"))


def is_turned(fact: Fact, others: Iterable[Fact]) -> bool:
    """True when all that `fact` did not take is refused: ``if not ok: refuse`` in place of ``if ok: return work``."""
    if fact.name != "return":
        return False
    guards = (item for item in others if item.kind is ProtectionKind.GUARD and not item.only_answers)
    firm = [item for item in guards if STRICTNESS[item.name] >= STRICTNESS["refuse"]]
    refused = {item.asks for item in firm}.union(*(item.covers for item in firm))
    return all(frozenset({opposite(literal)}) in refused for literal in fact.asks)


def takes_a_case_more(fact: Fact, counterpart: Fact) -> bool:
    """True when a refusal of the rest leaves out more values of what several branches before it are chosen by."""
    by_type_only = fact.because.startswith("hard because it refuses by")
    subjects = Counter(_chosen_by(literal, by_type_only) for literal in fact.asks)
    further = [_chosen_by(literal, by_type_only) for literal in counterpart.asks - fact.asks]
    return fact.takes_the_rest and bool(further) and all(subject and subjects[subject] > 1 for subject in further)


def _chosen_by(literal: str, calls: bool) -> str:
    """What a branch not taken would have been chosen by: ``x`` for ``x != 'a'`` and ``!isinstance(x, A)``.

    With `calls`, also the arguments of any question: ``(x)`` for ``!is_number(x)``.
    """
    name, found, arguments = literal.partition("(")
    if calls and found and name[1:].isidentifier() and literal.startswith("!"):
        return arguments
    if literal.startswith("!isinstance("):
        return literal.partition(", ")[0]
    if literal.startswith("!") and " instanceof " in literal:
        return literal.partition(" instanceof ")[0]
    sides = literal.split(" != ")
    plain = [side for side in sides if not side.startswith("'") and number(side) is None]
    return plain[0] if len(sides) == 2 and len(plain) == 1 else ""


def is_presence(term: str) -> bool:
    """A test of nothing but whether a plain value is there; a flag by its name (``is_trusted``) is no such value."""
    plain = term.removesuffix(" != null").removesuffix(" == null").lstrip("!")
    parts = plain.split(".")
    return all(part.isidentifier() for part in parts) and polarity_of(parts[-1]) is Polarity.NONE
