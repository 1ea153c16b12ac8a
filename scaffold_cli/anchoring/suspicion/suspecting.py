"""Whether a change in which no single protection is seen to go reads, as a whole, like those that took one away."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.suspicion import forest
from scaffold_cli.anchoring.suspicion.signs import Signs, signs_of
from scaffold_cli.anchoring.suspicion.telling import reasons
from scaffold_cli.anchoring.suspicion.vocabulary import Vocabulary
from scaffold_cli.anchoring.values.edits import UnitEdits
from scaffold_cli.model.change import FileChange
from scaffold_cli.syntax.frontends import language_of
from scaffold_cli.syntax.outline import Language, walk

LANGUAGES = frozenset({Language.PYTHON, Language.JAVA})
"""What was learnt from; of others nothing is said."""
DOUBT = 0.3
"""The score below which a refusal in other words, of which nothing shows whether it is the stricter, is believed: half
of the harmless changes that have one are below it, of losses written to be tried on it none."""
LEAST = 3
"""Lines gone and new, together, from which on a change is weighed. Of one line put in the place of another, ordinary
changes are suspected more often and fewer losses are found than of any larger change; the rules judge those."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A change that reads like the loss of a protection.

    `score` is the probability by what was learnt, `limit` the one from which it is told; `path`, `line` and `symbol`
    are where most of the change is, after; `reasons` are the signs that weigh most.
    """

    score: float
    limit: float
    reasons: tuple[str, ...]
    path: str
    line: int
    symbol: str


Line = tuple[str, int]
"""Path and line, before."""


def suspect(
    edited: Sequence[UnitEdits],
    matching: Matching,
    files: Sequence[FileChange],
    catalogue: Catalogue,
    explained: Container[Line],
) -> Suspicion | None:
    """The suspicion about a change, None when there is none.

    `edited` are the pairs of `matching` that differ; `explained` are lines of protections that are known to hold. Where
    nothing but those is gone or edited there is nothing to suspect.
    """
    if all(_is_explained(item, explained) for item in edited):
        return None
    signs = signs_between(edited, matching, files, catalogue)
    if signs["-lines"] + signs["+lines"] < LEAST:
        return None
    learnt = forest.load()
    score = learnt.score(signs)
    if score < learnt.limit:
        return None
    path, line, symbol = _most_changed(edited, matching)
    return Suspicion(score, learnt.limit, reasons(signs, learnt), path, line, symbol)


def reads_harmless(
    edited: Sequence[UnitEdits], matching: Matching, files: Sequence[FileChange], catalogue: Catalogue
) -> bool:
    """True when the change as a whole reads so little like a loss that what is in doubt in it may be believed."""
    signs = signs_between(edited, matching, files, catalogue)
    return bool(signs) and forest.load().score(signs) < DOUBT


def _is_explained(item: UnitEdits, explained: Container[Line]) -> bool:
    path = item.before.unit.path
    touched = [*item.gone, *(edit.statement for edit in item.edits)]
    known = [statement for statement in touched if (path, statement.line) in explained]
    inside = {id(inner) for statement in known for block in statement.blocks for inner in walk(block)}
    return all((path, statement.line) in explained or id(statement) in inside for statement in touched)


def signs_between(
    edited: Sequence[UnitEdits], matching: Matching, files: Sequence[FileChange], catalogue: Catalogue
) -> Signs:
    """The signs in files of the languages that were learnt; none where nothing that was there before is touched."""
    ours = [pair for pair in files if language_of(pair.path) in LANGUAGES and pair.before is not None]
    if not ours or not (edited or matching.removed):
        return Signs()
    return signs_of(edited, matching, ours, _vocabulary(catalogue))


@lru_cache(maxsize=2)
def _vocabulary(catalogue: Catalogue) -> Vocabulary:
    return Vocabulary(catalogue)


def _most_changed(edited: Sequence[UnitEdits], matching: Matching) -> tuple[str, int, str]:
    """Path, line after and name of the unit in which most is gone or edited."""
    if not edited:
        unit = matching.removed[0].unit
        return unit.path, 1, unit.symbol
    most = max(edited, key=lambda item: len(item.gone) + len(item.edits))
    unit, changed = most.after.unit, most.edits
    return unit.path, changed[0].statement_new.line if changed else unit.line, unit.symbol
