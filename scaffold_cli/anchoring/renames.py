"""Renames the change itself makes: a name that vanished from the whole change and the one that took its place."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterable, Sequence

from scaffold_cli.anchoring.facts import Fact, Mined

_NAME = re.compile(r"[A-Za-z_$][\w$]*")


class Renames:
    """Maps old names to new ones; facts are compared after applying it."""

    def __init__(self, mapping: dict[str, str]) -> None:
        self.mapping = mapping

    def apply(self, text: str) -> str:
        """`text` with every old name replaced."""
        if not self.mapping:
            return text
        return _NAME.sub(lambda match: self.mapping.get(match.group(), match.group()), text)

    def key(self, fact: Fact) -> Hashable:
        """A key under which a fact before equals its renamed self after."""
        return (fact.kind, self.apply(fact.name) if fact.action != "list" else "", self.apply(fact.shape))


def infer(pairs: Sequence[tuple[Mined, Mined]], unchanged: Container[int] = ()) -> Renames:
    """Names that are gone from every unit, each paired with the new name that replaced it in the same texts.

    A rename is believed when at least one form becomes equal by it, both names are given by the code itself (a swap of
    one imported constant for another is no rename), the old one is not left after and the new one was not there before.
    """
    old = _vocabulary(one for one, _ in pairs)
    new = _vocabulary(other for _, other in pairs)
    vanished = (old - new) & _definitions(one for one, _ in pairs)
    appeared = (new - old) & _definitions(other for _, other in pairs)
    votes: Counter[tuple[str, str]] = Counter()
    for position, (one, other) in enumerate(pairs):
        if position in unchanged:
            continue
        if one.unit.function is not None and other.unit.function is not None:
            _vote_symbols(one, other, vanished, appeared, votes)
        _vote_texts(one, other, vanished, appeared, votes)
    mapping: dict[str, str] = {}
    taken: set[str] = set()
    for (name, replacement), _ in votes.most_common():
        if name not in mapping and replacement not in taken:
            mapping[name] = replacement
            taken.add(replacement)
    return Renames(mapping)


def _vocabulary(items: Iterable[Mined]) -> set[str]:
    names: set[str] = set()
    for item in items:
        names |= item.names
        names.update(item.unit.symbol.split("."))
        names |= item.defined
    return names


def _definitions(items: Iterable[Mined]) -> set[str]:
    """Names the code itself gives: functions, classes, parameters, and what is assigned."""
    names: set[str] = set()
    for item in items:
        names.update(item.unit.symbol.split("."))
        names |= item.defined
    return names


def _vote_symbols(
    one: Mined, other: Mined, vanished: set[str], appeared: set[str], votes: Counter[tuple[str, str]]
) -> None:
    old, new = one.unit.short_name, other.unit.short_name
    if old != new and new in appeared:  # the old name may live on as somebody else's method
        votes[old, new] += 5


def _vote_texts(
    one: Mined, other: Mined, vanished: set[str], appeared: set[str], votes: Counter[tuple[str, str]]
) -> None:
    """Vote for renames that make a lost form equal to a gained one of the same skeleton."""
    gone = {fact.shape for fact in one.facts}
    came = {fact.shape for fact in other.facts}
    skeletons: dict[str, list[str]] = defaultdict(list)
    for text in came - gone:
        skeletons[_NAME.sub("\0", text)].append(text)
    for text in gone - came:
        for candidate in skeletons.get(_NAME.sub("\0", text), ()):
            pairs = zip(_NAME.findall(text), _NAME.findall(candidate), strict=True)
            different = {(old, new) for old, new in pairs if old != new}
            if all(old in vanished and new in appeared for old, new in different):
                votes.update(different)
