"""Whether a change in which no single protection is seen to go reads, as a whole, like those that took one away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Mined, Unit
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.suspicion import forest
from scaffold_cli.anchoring.suspicion.signs import Signs, signs_of
from scaffold_cli.anchoring.suspicion.telling import reasons
from scaffold_cli.anchoring.suspicion.vocabulary import Vocabulary
from scaffold_cli.anchoring.values.edits import UnitEdits
from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.model.protection import AnchorFate, Doubt
from scaffold_cli.model.verdict import Place
from scaffold_cli.syntax.frontends import language_of
from scaffold_cli.syntax.outline import ExprKind, Language, Stmt, StmtKind, walk

LANGUAGES = frozenset({Language.PYTHON, Language.JAVA})
"""What was learnt from; of others nothing is said."""
BELIEVED = 0.05
"""The score below which a loss in doubt is believed to be none: so low that hardly a change that took a refusal away is
below it, by weights that saw nothing of its project."""
BELIEVED_ALONE = 0.1
"""The same for the function by itself, which scores higher than the whole change: nothing harmless is beside it."""
FILLED = 3
"""How many lines may come into a function for each that goes, for a loss in it to be believed to be none."""
LEAST = 3
"""Lines gone and new, together, from which on a change is weighed. Of one line put in the place of another too little
is seen: the rules judge those alone."""


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


class Weighing:
    """A change as the learnt weights see it: as a whole, and each changed unit by itself."""

    def __init__(
        self, edited: Sequence[UnitEdits], matching: Matching, files: Sequence[FileChange], catalogue: Catalogue
    ) -> None:
        """`edited` are the pairs of `matching` that differ, `files` the changed files."""
        self._edited = [item for item in edited if language_of(item.before.unit.path) in LANGUAGES]
        self._matching, self._catalogue = matching, catalogue
        self._files = [pair for pair in files if language_of(pair.path) in LANGUAGES and (pair.before is not None)]

    @cached_property
    def signs(self) -> Signs:
        """The signs in files of the languages that were learnt; none where nothing that was there before is touched."""
        if not self._files or not (self._edited or self._matching.removed):
            return Signs()
        return signs_of(self._edited, self._matching, self._files, _vocabulary(self._catalogue))

    @cached_property
    def score(self) -> float:
        """The probability that the whole change takes a protection away; 1 where nothing was learnt of it."""
        return forest.load().score(self.signs) if self.signs else 1.0

    @property
    def _is_large(self) -> bool:
        return self.signs["-lines"] + self.signs["+lines"] >= LEAST

    def is_weighty(self, explained: Container[Line]) -> bool:
        """True when it is large enough to be weighed, and more is touched than variables and the lines in `explained`.

        Those are of protections that are known to hold.
        """
        inlined = frozenset(
            item.unit.short_name for item in self._matching.removed if item.facts and _holds_on(item, explained)
        )
        touches_more = not all(_says_the_same(item) or _is_explained(item, explained, inlined) for item in self._edited)
        return touches_more and self._is_large

    def suspicion(self, explained: Container[Line]) -> Suspicion | None:
        """The suspicion about the change, None when there is none."""
        if not self.is_weighty(explained):
            return None
        learnt = forest.load()
        if self.score < learnt.limit:
            return None
        path, line, symbol = _most_changed(self._edited)
        return Suspicion(self.score, learnt.limit, reasons(self.signs, learnt), path, line, symbol)

    def believes(self, fate: AnchorFate) -> bool:
        """True when a loss in doubt is none: neither the whole change reads like one nor what became of its unit.

        Both, so that nothing harmless beside it can hide a loss.
        """
        if fate.doubt is Doubt.NONE or self.score >= BELIEVED:
            return False
        signs = self._signs_of_unit(fate.anchor.protection.place)
        if not signs or (fate.doubt is Doubt.SHAPE and signs["-lines"] + signs["+lines"] < LEAST):
            return False
        return forest.load().score(signs) < BELIEVED_ALONE

    def _signs_of_unit(self, place: Place) -> Signs:
        """The signs of the unit a place is in, as if nothing else were changed; none where it cannot be told."""
        for item in self._edited:
            one, other = item.before.unit, item.after.unit
            if (one.path, one.symbol) == (place.path, place.symbol) and one.line <= place.line <= one.end_line:
                alone = Matching(((item.before, item.after),), (), ())
                text = FileChange(*(_as_file(unit) for unit in (one, other)))
                signs = signs_of([item], alone, [text], _vocabulary(self._catalogue))
                return signs if _is_readable(item, signs) else Signs()
        return Signs()


def _is_readable(item: UnitEdits, signs: Signs) -> bool:
    """True when a unit is small enough to be aligned, and not filled up with so much that a loss would not show."""
    gone, come = signs["-lines"], signs["+lines"]
    return bool(item.edits or item.gone or item.come) and come <= FILLED * gone + LEAST


def _as_file(unit: Unit) -> FileVersion:
    return FileVersion(unit.path, "\n".join(unit.source).encode("utf-8", "surrogatepass"))


def _says_the_same(item: UnitEdits) -> bool:
    """True when only variables came or went: all else is there as often, and with values in their place reads alike."""
    return _parts(item.before) == _parts(item.after) and _forms(item.before) == _forms(item.after)


def _parts(item: Mined) -> Counter[tuple[str, str]]:
    """All expressions but variables: a value that is named and long, or named and not used, shows in no form."""
    known = item.scope.values
    nodes = (node for node in item.reading.nodes if node.kind is not ExprKind.NAME or node.text not in known)
    return Counter((node.kind, node.text) for node in nodes)


def _forms(item: Mined) -> Counter[tuple[str, ...]]:
    render = Normaliser(item.scope).render
    statements = (statement for statement in item.reading.statements if not _names_a_value(statement, item.scope))
    return Counter((statement.kind, *map(render, statement.exprs)) for statement in statements)


def _names_a_value(statement: Stmt, scope: Scope) -> bool:
    return statement.kind is StmtKind.ASSIGN and all(target.text in scope.values for target in statement.exprs[1:])


def _is_explained(item: UnitEdits, explained: Container[Line], inlined: frozenset[str]) -> bool:
    """True when all that is gone or edited belongs to protections that hold, or called one that moved to its caller."""
    path, calls = item.before.unit.path, item.before.reading.calls
    touched = [*item.gone, *(edit.statement for edit in item.edits)]
    known = [
        statement
        for statement in touched
        if (path, statement.line) in explained or not inlined.isdisjoint(calls[id(statement)])
    ]
    inside = {id(inner) for statement in known for block in statement.blocks for inner in walk(block)}
    inside.update(map(id, known))
    return all(id(statement) in inside for statement in touched)


def _holds_on(item: Mined, explained: Container[Line]) -> bool:
    return all((item.unit.path, fact.line) in explained for fact in item.facts)


@lru_cache(maxsize=2)
def _vocabulary(catalogue: Catalogue) -> Vocabulary:
    return Vocabulary(catalogue)


def _most_changed(edited: Sequence[UnitEdits]) -> tuple[str, int, str]:
    """Path, line after and name of the unit in which most is gone or edited."""
    most = max(edited, key=lambda item: len(item.gone) + len(item.edits))
    unit, changed = most.after.unit, most.edits
    return unit.path, changed[0].statement_new.line if changed else unit.line, unit.symbol
