"""Assertions of a test that goes on: removed, weakened or inverted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Check, Material, Strength, TestPair
from scaffold_cli.testing.integrity.tests_kept import emptied
from scaffold_cli.testing.integrity.words import BROAD_ERRORS

_LOOSER = 1.000001


def assertions(material: Material) -> Iterator[Breach]:
    """At most one breach for each test: the first assertion that demands less than it did."""
    elsewhere = _moved_in(material)
    for pair in material.pairs:
        nothing_left = emptied(pair, material)
        if nothing_left is not None:
            yield nothing_left
            continue
        breach = next(_compare(pair, material, elsewhere), None)
        if breach is not None:
            yield breach


def _moved_in(material: Material) -> Counter[tuple[object, ...]]:
    """Assertions that other tests of the change gained."""
    gained: Counter[tuple[object, ...]] = Counter()
    for pair in material.pairs:
        gained += _identities(pair.after.checks) - _identities(pair.before.checks)
    for case in material.new:
        gained += _identities(case.checks)
    return gained


def _identities(checks: Sequence[Check]) -> Counter[tuple[object, ...]]:
    return Counter(check.identity for check in checks if check.strength)


def _without(checks: Sequence[Check], others: Sequence[Check]) -> list[Check]:
    """The checks that have no equal among the others, one for one."""
    spare = _identities(others)
    rest = []
    for check in checks:
        if spare[check.identity] > 0:
            spare[check.identity] -= 1
        elif check.strength:
            rest.append(check)
    return rest


def _compare(pair: TestPair, material: Material, elsewhere: Counter[tuple[object, ...]]) -> Iterator[Breach]:
    lost = [check for check in _without(pair.before.checks, pair.after.checks) if not check.calls & material.removed]
    gained = _without(pair.after.checks, pair.before.checks)
    pairs = list(_paired(lost, gained))
    for old, new in pairs:
        kind, how = _verdict(old, new)
        if kind is not None:
            yield _breach(kind, how, pair, material, old, new)
    rest = [check for check in lost if not any(check is old for old, _ in pairs)]
    rest = [check for check in rest if not elsewhere[check.identity]]
    rows = _new_rows(pair)
    free = sorted((new for new in gained if not any(new is item for _, item in pairs)), key=lambda item: -item.strength)
    for index, old in enumerate(sorted(rest, key=lambda item: -item.strength)):
        if index >= len(free):
            if _subsumed(old, pair.after.checks) or index < len(free) + rows:
                continue
            yield _breach(BreachKind.REMOVED, "is removed", pair, material, old, None)
        elif old.error is not None and free[index].error is None:
            yield _breach(BreachKind.REMOVED, "is removed", pair, material, old, None)
        elif free[index].strength < min(old.strength, Strength.CLOSE) and free[index].strength < Strength.BOUND:
            yield _breach(BreachKind.WEAKENED, "gives way to one that demands less", pair, material, old, free[index])


def _new_rows(pair: TestPair) -> int:
    """How many assertions a table of parameters may stand for that the test did not have."""
    return max(0, pair.after.parameters - max(1, pair.before.parameters)) if pair.after.checks else 0


def _subsumed(old: Check, checks: Sequence[Check]) -> bool:
    """True when a check that stayed, or came, demands at least as much of the same thing."""
    return any(check.strength > old.strength and old.key and old.key in check.key for check in checks)


def _paired(lost: Sequence[Check], gained: Sequence[Check]) -> Iterator[tuple[Check, Check]]:
    """Lost and gained checks that look at the same thing."""
    free = list(gained)
    for old in lost:
        same = [new for new in free if new.key == old.key and (new.error is None) == (old.error is None)]
        if same:
            best = max(same, key=lambda new: (new.expected == old.expected, new.positive == old.positive, new.strength))
            free = [new for new in free if new is not best]
            yield old, best


def _verdict(old: Check, new: Check) -> tuple[BreachKind | None, str]:
    if old.error is not None:
        return _errors(old, new)
    if old.positive != new.positive and _comparable(old, new):
        return BreachKind.INVERTED, "demands the opposite now"
    if new.strength < old.strength:
        return BreachKind.WEAKENED, "demands less now"
    if old.tolerance is not None and new.tolerance is not None and new.tolerance > old.tolerance * _LOOSER:
        return BreachKind.WEAKENED, "allows a larger difference now"
    return None, ""


def _comparable(old: Check, new: Check) -> bool:
    return old.expected == new.expected or Strength.TRUTHY == old.strength == new.strength


def _errors(old: Check, new: Check) -> tuple[BreachKind | None, str]:
    assert old.error is not None
    assert new.error is not None
    if old.positive != new.positive:
        return BreachKind.INVERTED, "demands the opposite now"
    if old.error not in BROAD_ERRORS and new.error in BROAD_ERRORS:
        return BreachKind.WEAKENED, "accepts any error now"
    if old.pattern and not new.pattern and old.error == new.error:
        return BreachKind.WEAKENED, "does not look at the error's message any more"
    return None, ""


def _breach(
    kind: BreachKind, how: str, pair: TestPair, material: Material, old: Check, new: Check | None
) -> Breach:  # fmt: skip
    line = old.line or pair.before.line
    place = material.place(pair.before.path, line, after=False, symbol=pair.before.name)
    where = (new.line if new is not None else 0) or pair.after.line
    shown = place.text.strip()
    return Breach(
        kind,
        f"In the test `{pair.before.name}` the assertion `{shown}` {how}.",
        f"{pair.after.path}::{pair.after.name}::{old.key}::{old.expected}",
        before=place,
        after=material.place(pair.after.path, where, after=True, symbol=pair.after.name),
    )
