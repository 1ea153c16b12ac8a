"""Helper summaries: a call counts as the guards of the function it calls, within the files at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Mined, plain_fact
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
    helpers = index((*items, *unchanged))
    refusing: dict[str, Fact] = {}
    for name, found in helpers.items():
        guards = [fact for item in found for fact in item.facts if fact.is_hard and fact.name in _REFUSING]
        if len(found) == 1 and guards and catalogue.protective(name) is None and not name.startswith("<"):
            refusing[name] = guards[0]
    return [_with_calls(item, refusing) for item in items]


def _with_calls(item: Mined, refusing: Mapping[str, Fact]) -> Mined:
    names = [name for name in item.calls if name in refusing and name != item.unit.short_name]
    if not names:
        return item
    return replace(item, facts=(*item.facts, *(_helper_call(name, refusing[name], item) for name in names)))


def _helper_call(name: str, guard: Fact, item: Mined) -> Fact:
    return plain_fact(
        ProtectionKind.CALL,
        Level.DATA_FLOW,
        f"{name}()",
        item.unit.line,
        name=name,
        action="call",
        entry=guard.entry,
        because=f"hard because `{name}()` refuses when {guard.condition}"[:200],
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
    return other.shape == fact.shape or (bool(fact.bare) and other.bare == fact.bare)
