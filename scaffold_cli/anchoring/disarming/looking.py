"""All looks at disarmed protections over a change."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.diverted import diverted
from scaffold_cli.anchoring.disarming.dynamic import dynamic
from scaffold_cli.anchoring.disarming.falling import falling
from scaffold_cli.anchoring.disarming.hidden_text import hidden_text
from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides
from scaffold_cli.anchoring.disarming.losing_effect import losing_effect
from scaffold_cli.anchoring.disarming.marks import marks
from scaffold_cli.anchoring.disarming.overriding import overriding
from scaffold_cli.anchoring.disarming.replacing import replacing
from scaffold_cli.anchoring.disarming.second_way import second_way
from scaffold_cli.anchoring.disarming.unheeded import unheeded
from scaffold_cli.anchoring.disarming.unterminated import unterminated
from scaffold_cli.model.change import Change, FileChange
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Function, Outline
from scaffold_cli.syntax.roles import is_test_file


def disarmed(change: Change) -> Iterator[Disarmed]:
    """Everything of the kind that the change brings in, tests left out but for hidden text."""
    for pair in change.files:
        yield from hidden_text(pair)
    parsed = [sides for pair in change.files if (sides := _outlines(pair)) is not None]
    functions = {item.name: item for _, after in parsed for item in after.functions}
    for before, after in parsed:
        yield from _looks(before, after, functions)


def _looks(before: Outline, after: Outline, functions: dict[str, Function]) -> Iterator[Disarmed]:
    sides = Sides(before, after, functions)
    yield from losing_effect(sides)
    yield from replacing(sides)
    yield from overriding(sides)
    yield from dynamic(sides)
    yield from marks(sides)
    yield from falling(sides)
    yield from diverted(sides)
    yield from unheeded(sides)
    yield from second_way(sides)
    yield from unterminated(sides)


def _outlines(pair: FileChange) -> tuple[Outline, Outline] | None:
    if pair.after is None or not pair.after.is_text or is_test_file(pair.after.path):
        return None
    after = outline(pair.after)
    if pair.before is None:
        return Outline(after.path, after.language), after
    before = outline(pair.before)
    return None if before.problem or after.problem or not pair.before.is_text else (before, after)
