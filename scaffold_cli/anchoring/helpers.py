"""Helper summaries: a call counts as the guards of the function it calls, within the files at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Later, Mined, plain_fact
from scaffold_cli.model.protection import Level, ProtectionKind

Helpers = Mapping[str, Sequence[Mined]]

_DEPTH = 3
"""How many calls deep a protection is looked for."""
_REFUSING = frozenset({"raise", "abort"})


def index(items: Iterable[Mined]) -> Helpers:
    """Functions by their last name."""
    found: dict[str, list[Mined]] = defaultdict(list)
    for item in items:
        if item.unit.function is not None:
            found[item.unit.short_name].append(item)
    return found


def with_helper_calls(items: Sequence[Mined], catalogue: Catalogue, unchanged: Sequence[Mined] = ()) -> list[Mined]:
    """The same units, with a fact for each call of a function at hand that refuses by a hard guard.

    `unchanged` are units of other files that may be called. A name that several functions carry says nothing, nor does
    one the catalogue knows already.
    """
    helpers = {
        name: found[0]
        for name, found in index((*items, *unchanged)).items()
        if len(found) == 1 and catalogue.protective(name) is None and not name.startswith("<")
    }
    refusing = _Refusing(helpers)
    return [_with_calls(item, refusing) for item in items]


class _Refusing:
    """The hard guard by which each helper refuses, or None; looked for when a caller's facts are asked for."""

    def __init__(self, helpers: Mapping[str, Mined]) -> None:
        self._helpers = helpers
        self._guards: dict[str, Fact | None] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._helpers

    def guard(self, name: str) -> Fact | None:
        if name not in self._guards:
            facts = self._helpers[name].facts
            found = (fact for fact in facts if fact.is_hard and (fact.name in _REFUSING or _only_cleans(fact, facts)))
            self._guards[name] = next(found, None)
        return self._guards[name]


def _only_cleans(fact: Fact, facts: Sequence[Fact]) -> bool:
    """True for a neutralising call of a function that does nothing else we know."""
    return fact.action == "neutralise" and all(other.action == "neutralise" for other in facts)


def _with_calls(item: Mined, refusing: _Refusing) -> Mined:
    names = [name for name in item.calls if name in refusing and name != item.unit.short_name]
    if not names:
        return item
    return replace(item, later=Later(lambda: (*item.facts, *_helper_calls(names, refusing, item))))


def _helper_calls(names: Iterable[str], refusing: _Refusing, item: Mined) -> Iterator[Fact]:
    for name in names:
        guard = refusing.guard(name)
        if guard is not None:
            yield _helper_call(name, guard, item)


def _helper_call(name: str, guard: Fact, item: Mined) -> Fact:
    return plain_fact(
        ProtectionKind.CALL,
        Level.DATA_FLOW,
        f"{name}()",
        item.unit.line,
        name=name,
        action="call",
        entry=guard.entry,
        because=f"hard because `{name}()` {_does(guard)}"[:200],
    )


def _does(guard: Fact) -> str:
    return (
        guard.because.partition("because it ")[2] if guard.action == "neutralise" else f"refuses when {guard.condition}"
    )


def found_through(fact: Fact, names: Iterable[str], helpers: Helpers) -> Fact | None:
    """A fact like `fact` in a function reached by calling one of `names`, at most three calls deep."""
    seen: set[str] = set()
    frontier = set(names)
    for _ in range(_DEPTH):
        seen |= frontier
        reached: set[str] = set()
        for name in sorted(frontier):
            for item in helpers.get(name, ()):
                for other in item.facts:
                    if _alike(other, fact):
                        return other
                reached.update(item.calls)
        frontier = reached - seen
    return None


def _alike(other: Fact, fact: Fact) -> bool:
    if other.kind is not fact.kind:
        return False
    if fact.kind is ProtectionKind.CALL and other.name == fact.name:
        return other.rank >= fact.rank
    if other.shape == fact.shape or (bool(fact.bare) and other.bare == fact.bare):
        return True
    if fact.asks and fact.asks in other.covers and other.action == fact.action:
        return True
    return other.takes_the_rest and tells_the_same(fact, other)


def tells_the_same(fact: Fact, other: Fact) -> bool:
    """True for two refusals that raise the same error with the same text, whatever they ask."""
    is_raised = fact.name == other.name == "raise" and other.action == fact.action
    return is_raised and bool(fact.constants) and other.constants == fact.constants
