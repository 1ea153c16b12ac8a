"""Overrides that stood before a method of their base: once they are gone, callers reach the base itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from scaffold_cli.anchoring.facts import Unit
from scaffold_cli.anchoring.views import callee, expressions
from scaffold_cli.syntax.outline import Expr, ExprKind

Bases = Mapping[str, tuple[str, ...]]
"""What each class extends, by last names."""


def bases_of(units: Iterable[Unit]) -> Bases:
    """The bases of all classes among `units`."""
    classes = (unit for unit in units if unit.function is None and unit.symbol)
    return {unit.short_name: tuple(map(_last_name, unit.bases)) for unit in classes}


def _last_name(base: Expr) -> str:
    plain = base.parts[0] if base.kind is ExprKind.SUBSCRIPT else base
    return plain.text.partition("<")[0].rpartition(".")[2]


def uncovers_base(unit: Unit, before: Bases, after: Bases, newly_called: Counter[str]) -> bool:
    """True for a removed override that passed on to its base, where objects reach the base method now.

    That is so when its class still stands, when a class that extended its own still stands without it, or when the
    change makes objects of a base it had (`newly_called`) instead.
    """
    owner = unit.function.owner.rpartition(".")[2] if unit.function is not None else ""
    if not owner or not _passes_on(unit):
        return False
    if owner in after:
        return True
    if any(owner in names and name in after and owner not in after[name] for name, names in before.items()):
        return True
    return any(newly_called[name] > 0 for name in _ancestors(owner, before, after))


def _passes_on(unit: Unit) -> bool:
    calls = (node for top in expressions(unit.block) for node in top.walk() if node.kind is ExprKind.CALL)
    return any(_is_on_base(call) and callee(call) == unit.short_name for call in calls)


def _is_on_base(call: Expr) -> bool:
    """``super.m()`` and ``super().m()``."""
    function = call.parts[0]
    owner = function.parts[0] if function.kind is ExprKind.ATTRIBUTE else function
    return (callee(owner) if owner.kind is ExprKind.CALL else owner.text) == "super"


def _ancestors(name: str, before: Bases, after: Bases) -> set[str]:
    """All bases of a removed class, through bases that were removed as well."""
    found: set[str] = set()
    frontier = {name}
    while frontier:
        bases = {base for item in frontier if item not in after for base in before.get(item, ())}
        frontier = bases - found
        found |= bases
    return found
