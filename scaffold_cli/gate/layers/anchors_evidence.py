"""Fates as evidence: one violation for one loss, in the author's own words, with the place to look at now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.protection import AnchorFate, Outcome, Protection, ProtectionKind, Strength
from scaffold_cli.model.verdict import Effect, LayerName, Place, Violation

_BAD = (Outcome.WEAKENED, Outcome.LOST, Outcome.BYPASSED, Outcome.NEUTERED)
_SHOWN = 100
"""Characters of source quoted in a sentence; longer code is shown by its frame alone."""
_RAISE_REACH = 12
"""Lines after a guard's condition in which its own raise may stand."""
_LOOK = 30
"""Lines looked at to find a neighbour of what is gone."""
_NAME = re.compile(r"([A-Za-z_]\w*)\($")


@dataclass(frozen=True, slots=True)
class Loss:
    """A fate that does not hold, and what went with it: the calls inside a guard are no losses of their own."""

    fate: AnchorFate
    where: Place | None
    parts: tuple[AnchorFate, ...] = ()

    @property
    def is_hard(self) -> bool:
        """True when it, or anything that went with it, is hard."""
        return any(fate.anchor.strength is Strength.HARD for fate in (self.fate, *self.parts))


def losses(fates: Sequence[AnchorFate], places: Sequence[Place | None]) -> tuple[Loss, ...]:
    """The fates that do not hold, calls that are part of a lost guard folded into it. Order is kept."""
    bad = [Loss(fate, where) for fate, where in zip(fates, places, strict=True) if fate.outcome in _BAD]
    guards = [loss for loss in bad if loss.fate.anchor.protection.kind is ProtectionKind.GUARD]
    owners = {id(loss): next((guard for guard in guards if _holds(guard.fate, loss.fate)), None) for loss in bad}
    return tuple(
        replace(loss, parts=tuple(other.fate for other in bad if owners[id(other)] is loss))
        for loss in bad
        if owners[id(loss)] is None
    )


def _holds(guard: AnchorFate, other: AnchorFate) -> bool:
    """True when `other` is a call in the guard's condition or the error the guard raises."""
    whole, part = guard.anchor.protection, other.anchor.protection
    if part.kind is not ProtectionKind.CALL or guard.outcome is not other.outcome:
        return False
    if (whole.place.path, whole.place.symbol) != (part.place.path, part.place.symbol):
        return False
    if part.condition in whole.condition or whole.place.line <= part.place.line <= whole.place.end_line:
        return True
    raised = part.condition.partition("(")[0].rpartition(".")[2]
    return raised == _error(whole) and 0 < part.place.line - whole.place.line <= _RAISE_REACH


def violation(loss: Loss, change: Change, catalogue: Catalogue) -> Violation:
    """The violation for one loss."""
    fate, protection = loss.fate, loss.fate.anchor.protection
    entry = catalogue.entries.get(protection.rule)
    title = f"{entry.title} " if entry is not None else ""
    action = f" ({protection.action})" if protection.kind is ProtectionKind.GUARD else ""
    how = f": {fate.how}" if fate.how else ""
    return Violation(
        layer=LayerName.ANCHORS,
        code=f"{protection.kind.value}-{fate.outcome.value}",
        effect=Effect.BLOCKS if loss.is_hard else Effect.WARNS,
        what=f"The {title}{protection.kind.value} `{_quoted(protection)}`{action} is {fate.outcome.value}{how}"
        f"{_along(loss)}.",
        why=entry.why if entry is not None else "The code refused or handled this case before.",
        keep=entry.keep if entry is not None else "Keep it, or put something at least as strict in its place.",
        because=_because(loss),
        cwe=entry.cwe if entry is not None else (),
        before=protection.place,
        after=loss.where if fate.after is not None else _neighbour(protection.place, change) or loss.where,
        subject=fate.anchor.id,
    )


def _because(loss: Loss) -> str:
    hard = [fate.anchor for fate in (loss.fate, *loss.parts) if fate.anchor.strength is Strength.HARD]
    return (hard[0] if hard else loss.fate.anchor).because


def _quoted(protection: Protection) -> str:
    """The protection as its author wrote it, or its normal form when that takes several lines."""
    lines = protection.place.text.splitlines()
    source = lines[0].strip().rstrip(":{").rstrip() if len(lines) == 1 else ""
    return source if 0 < len(source) <= _SHOWN else protection.condition


def _along(loss: Loss) -> str:
    """What went with it, but for the error that its action already names."""
    calls = dict.fromkeys(_call_name(part.anchor.protection.condition) for part in loss.parts)
    calls.pop(_error(loss.fate.anchor.protection), None)
    return f", and with it {', '.join(f'`{name}()`' for name in calls)}" if calls else ""


def _error(guard: Protection) -> str:
    """The short name of the error a guard raises."""
    return guard.action.removeprefix("raise ").rpartition(".")[2]


def _call_name(condition: str) -> str:
    """The name of the outermost call: what stands before the bracket that the last one closes."""
    depth = 0
    for index in range(len(condition) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(condition[index], 0)
        if condition[index] == "(" and depth == 0:
            found = _NAME.search(condition[: index + 1])
            return found.group(1) if found else condition
    return condition


def _neighbour(place: Place, change: Change) -> Place | None:
    """Where a reader looks for what is gone: the nearest line after it, else before it, that is still there once."""
    pair = next((pair for pair in change.files if pair.before is not None and pair.before.path == place.path), None)
    if pair is None or pair.before is None or pair.after is None:
        return None
    before, after = _lines(pair.before), _lines(pair.after)
    spots: dict[str, list[int]] = {}
    for number, line in enumerate(after, start=1):
        spots.setdefault(line.strip(), []).append(number)
    below = before[place.end_line : place.end_line + _LOOK]
    above = before[max(0, place.line - 1 - _LOOK) : place.line - 1][::-1]
    for line in (*below, *above):
        found = spots.get(line.strip(), ())
        if len(found) == 1 and len(line.strip()) > 3:
            return Place(pair.after.path, found[0], found[0], after[found[0] - 1], place.symbol)
    return None


def _lines(version: FileVersion) -> list[str]:
    return version.data.decode("utf-8", "replace").splitlines()
