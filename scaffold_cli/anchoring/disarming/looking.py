"""All looks at disarmed protections over a change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from scaffold_cli.anchoring.disarming.assigned import assigned
from scaffold_cli.anchoring.disarming.chosen import chosen
from scaffold_cli.anchoring.disarming.counted import counted
from scaffold_cli.anchoring.disarming.diverted import diverted
from scaffold_cli.anchoring.disarming.dynamic import dynamic
from scaffold_cli.anchoring.disarming.falling import falling, opened_cases
from scaffold_cli.anchoring.disarming.falling_back import falling_back
from scaffold_cli.anchoring.disarming.hidden_text import hidden_text
from scaffold_cli.anchoring.disarming.identity import identity
from scaffold_cli.anchoring.disarming.ignored import ignored
from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides
from scaffold_cli.anchoring.disarming.last_word import last_word
from scaffold_cli.anchoring.disarming.losing_effect import losing_effect
from scaffold_cli.anchoring.disarming.marks import marks
from scaffold_cli.anchoring.disarming.noted import noted
from scaffold_cli.anchoring.disarming.opened_up import opened_up
from scaffold_cli.anchoring.disarming.overriding import overriding
from scaffold_cli.anchoring.disarming.predictable import predictable
from scaffold_cli.anchoring.disarming.recorded import recorded
from scaffold_cli.anchoring.disarming.remembered import remembered
from scaffold_cli.anchoring.disarming.replacing import replacing
from scaffold_cli.anchoring.disarming.second_way import second_way
from scaffold_cli.anchoring.disarming.unescaped import unescaped
from scaffold_cli.anchoring.disarming.unheeded import unheeded
from scaffold_cli.anchoring.disarming.unlocked import unlocked
from scaffold_cli.anchoring.disarming.unterminated import unterminated
from scaffold_cli.anchoring.disarming.used_up import used_up
from scaffold_cli.model.change import Change, FileChange
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Function, Outline
from scaffold_cli.syntax.roles import is_test_file

_LOOKS: Sequence[Callable[[Sides], Iterator[Disarmed]]] = (
    *(losing_effect, replacing, overriding, dynamic, marks, falling, diverted, unheeded, second_way),
    *(opened_cases, unterminated, unlocked, remembered, falling_back, last_word, counted, identity, opened_up, used_up),
    *(noted, ignored, chosen, recorded, unescaped, predictable, assigned),
)


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
    for look in _LOOKS:
        yield from look(sides)


def _outlines(pair: FileChange) -> tuple[Outline, Outline] | None:
    if pair.after is None or not pair.after.is_text or is_test_file(pair.after.path):
        return None
    after = outline(pair.after)
    if pair.before is None:
        return Outline(after.path, after.language), after
    before = outline(pair.before)
    return None if before.problem or after.problem or not pair.before.is_text else (before, after)
