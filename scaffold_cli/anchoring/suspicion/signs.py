"""All signs of a change, counted: what is gone, what is new, what became what in the whole change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.suspicion.context import count_context
from scaffold_cli.anchoring.suspicion.expressions import count_edit
from scaffold_cli.anchoring.suspicion.statements import count_statement, unmatched
from scaffold_cli.anchoring.suspicion.texts import count_texts
from scaffold_cli.anchoring.suspicion.vocabulary import Vocabulary
from scaffold_cli.anchoring.values.edits import UnitEdits
from scaffold_cli.model.change import FileChange
from scaffold_cli.syntax.outline import Stmt, walk

Signs = Counter[str]
"""How often each sign shows. "-" in front: on the before side only; "+": on the after side only."""


def signs_of(
    edited: Sequence[UnitEdits], matching: Matching, files: Iterable[FileChange], vocabulary: Vocabulary
) -> Signs:
    """The signs of a change; `edited` are the pairs of `matching` that differ."""
    signs: Signs = Counter()
    gone: list[Stmt] = []
    come: list[Stmt] = []
    for item in edited:
        gone += item.gone
        come += item.come
        signs["functions changed" if item.before.unit.function is not None else "bodies changed"] += 1
        signs["edits"] += len(item.edits)
        for edit in item.edits:
            count_edit(edit, vocabulary, signs)
    gone += _whole(matching.removed, "-", vocabulary, signs)
    come += _whole(matching.added, "+", vocabulary, signs)
    lost, gained = unmatched(gone, come)
    signs["-statements"] += len(lost)
    signs["+statements"] += len(gained)
    for side, items in (("-", lost), ("+", gained)):
        for statement in items:
            count_statement(statement, side, vocabulary, signs)
    count_context(edited, matching, vocabulary, signs)
    for pair in files:
        signs["files"] += 1
        count_texts(pair, signs)
    return signs


def _whole(items: Iterable[Mined], side: str, vocabulary: Vocabulary, signs: Signs) -> list[Stmt]:
    """The statements of units that are on one side only."""
    found: list[Stmt] = []
    for item in items:
        signs[f"{side}functions" if item.unit.function is not None else f"{side}bodies"] += 1
        signs[f"{side}protective functions"] += vocabulary.is_protective(item.unit.short_name)
        found += walk(item.unit.block)
    return found
