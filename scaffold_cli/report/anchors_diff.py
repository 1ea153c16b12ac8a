"""What became of the protections between two versions, as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich.console import RenderableType

from scaffold_cli.anchoring.comparing import Fates
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.model.protection import AnchorFate, Outcome
from scaffold_cli.model.verdict import Place
from scaffold_cli.report.page import Cell, labelled, line, show, table
from scaffold_cli.report.terminal import Terminal

_MOST_SHOWN = 120
"""Characters of a condition in the table; the JSON has all of it."""


def diff_text(fates: Fates, here: Terminal, *, everything: bool) -> str:
    """What holds no more first; what was kept in place is counted, and listed with `everything`."""
    shown = [fate for fate in fates.fates if everything or fate.outcome is not Outcome.KEPT]
    parts: list[RenderableType] = []
    if shown:
        header = ("became", "strength", "where", "what")
        parts += [table(header, map(_row, _ordered(shown)), wrap=3), ""]
    parts.append(_count(fates))
    if fates.unparsable:
        parts.append(labelled(("unread", f"{item.path} ({item.side}): {item.problem}") for item in fates.unparsable))
    return show(parts, here.width, here.color)


def diff_document(fates: Fates) -> Json:
    """All fates, how many of each outcome, and the files that could not be read."""
    counts = Counter(fate.outcome for fate in fates.fates)
    return {
        "fates": [to_plain(fate) for fate in _ordered(fates.fates)],
        "summary": {outcome.value: counts[outcome] for outcome in Outcome},
        "unread": [to_plain(item) for item in fates.unparsable],
    }


def _ordered(fates: Iterable[AnchorFate]) -> list[AnchorFate]:
    return sorted(fates, key=lambda fate: (fate.outcome.holds, _place(fate).path, _place(fate).line, fate.anchor.id))


def _place(fate: AnchorFate) -> Place:
    return fate.anchor.protection.place


def _row(fate: AnchorFate) -> tuple[Cell, ...]:
    protection = fate.anchor.protection
    style = "green" if fate.outcome.holds else "bold red"
    return (
        line((fate.outcome.value, style)),
        fate.anchor.strength.value,
        f"{protection.place.path}:{protection.place.line}",
        " · ".join(
            part for part in (protection.kind.value, _cut(protection.condition), protection.action, _how(fate)) if part
        ),
    )


def _cut(condition: str) -> str:
    return condition if len(condition) <= _MOST_SHOWN else f"{condition[:_MOST_SHOWN]}…"


def _how(fate: AnchorFate) -> str:
    """How it changed and where its counterpart stands when that is elsewhere."""
    old, new = _place(fate), fate.after.place if fate.after is not None else None
    if new is None or fate.outcome is Outcome.KEPT or (new.path, new.line) == (old.path, old.line):
        return fate.how
    there = f"line {new.line}" if new.path == old.path else f"{new.path}:{new.line}"
    return f"{fate.how}, now at {there}" if fate.how else f"now at {there}"


def _count(fates: Fates) -> str:
    counts = Counter(fate.outcome for fate in fates.fates)
    told = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome])
    return f"Protections: {told}." if told else "No protections were found in what differs."
