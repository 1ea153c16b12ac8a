"""Compare both sides of a change: what became of every protection the before side has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.defaults import weaker_defaults
from scaffold_cli.anchoring.disclosing import always_granting, newly_logged, turned_answers
from scaffold_cli.anchoring.facts import Fact, Mined, units_of
from scaffold_cli.anchoring.helpers import with_helper_calls
from scaffold_cli.anchoring.imported import Trees, imported_units
from scaffold_cli.anchoring.impostors import impostors
from scaffold_cli.anchoring.judging.judge import Judge
from scaffold_cli.anchoring.judging.judgement import Judgement
from scaffold_cli.anchoring.library import differing
from scaffold_cli.anchoring.matching import Matching, match_units
from scaffold_cli.anchoring.mining import anchor, place, protection
from scaffold_cli.anchoring.modules import swapped_modules
from scaffold_cli.anchoring.pools import PairDiff, diff
from scaffold_cli.anchoring.renames import infer
from scaffold_cli.anchoring.suspicion.suspecting import Suspicion, Weighing
from scaffold_cli.anchoring.text_facts import is_code, mine_text
from scaffold_cli.anchoring.turned import TurnedRound
from scaffold_cli.anchoring.unchanged import Around, same_marks, unchanged_pairs
from scaffold_cli.anchoring.units import mine_file
from scaffold_cli.anchoring.values.rules import shifts
from scaffold_cli.anchoring.values.shifts import Versions, surroundings
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.protection import AnchorFate, Doubt, Outcome, ProtectionKind, Strength
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Place
from scaffold_cli.syntax.frontends import has_front_end, language_of, outline
from scaffold_cli.syntax.outline import StmtKind
from scaffold_cli.syntax.roles import is_test_file

_NOWHERE: Trees = (None, None)
_GENERAL = frozenset({"", "validation"})
"""Entries of refusals that nothing but their shape speaks for."""
_DOUBTS = {
    Doubt.WORDING: "nothing shows which is the stricter",
    Doubt.SHAPE: "its shape alone says that it protects",
}
_HOW = {
    Outcome.WEAKENED: "runs only under a further condition",
    Outcome.BYPASSED: "what it protected is reached without it",
    Outcome.NEUTERED: "its error is caught and dropped",
}


@dataclass(frozen=True, slots=True)
class Unparsable:
    """One side of a file that cannot be lowered, and why."""

    path: str
    side: str
    problem: str


@dataclass(frozen=True, slots=True)
class Fates:
    """What became of each anchor of the before side, where it would stand now, and what could not be read."""

    fates: tuple[AnchorFate, ...]
    unparsable: tuple[Unparsable, ...]
    after_places: tuple[Place | None, ...]
    """For each fate, where a reader should look on the after side."""
    unchanged: int = 0
    """How many units of the changed files were not compared, because nothing of the change touches them."""
    suspicion: Suspicion | None = None
    """That the change as a whole reads like a loss, where no hard anchor is seen to be lost."""
    weighing: Weighing | None = field(default=None, compare=False, repr=False)
    """The change as the learnt weights see it."""

    @property
    def held(self) -> frozenset[tuple[str, int]]:
        """Paths and lines, before, of the protections that are known to hold."""
        return _held(self.fates)


def compare_change(
    change: Change, before: Tree | None, after: Tree | None, catalogue: Catalogue, *, everything: bool = False
) -> Fates:
    """The fate of every protection in the changed files; test files are left out.

    `before` and `after` are the whole trees, used to read unchanged helpers; None when there are none.
    What stands in functions that the change does not touch is kept, and is told only when `everything` is wanted.
    """
    files = [pair for pair in change.files if not is_test_file(pair.path)]
    unparsable = [problem for pair in files for problem in _problems(pair)]
    matching, imported = _matching(files, {problem.path for problem in unparsable}, catalogue, (before, after))
    unchanged = frozenset() if everything else unchanged_pairs(matching, imported)
    diffs, explained = diff(matching, infer(matching.pairs, unchanged), unchanged)
    judge = Judge(diffs, _aliases(files))
    rows: list[tuple[AnchorFate, Place | None]] = []
    for item in explained:
        counterpart = protection(item.counterpart, item.after.unit)
        how = _HOW.get(item.outcome, "")
        fate = AnchorFate(anchor(item.fact, item.before.unit), item.outcome, how, counterpart)
        rows.append((fate, counterpart.place))
    around, turned = surroundings(matching), TurnedRound(matching, catalogue)
    both: list[Versions] = []
    for position, pair in enumerate(diffs):
        if position in unchanged:  # the pairs stand first, as matched
            continue
        found = [row for fact in pair.lost if (row := _row(fact, pair, judge, turned)) is not None]
        if pair.before is not None and pair.after is not None:
            both.append(Versions(pair.before, pair.after, catalogue, around))
            found = [(_with_doubt(fate, both[-1]), where) for fate, where in found]
        rows += found
        if pair.before is not None and pair.after is not None:
            rows += _dropped(both[-1], found)
    for changed in files:
        rows += _swapped(changed, catalogue)
    fates, places = tuple(fate for fate, _ in rows), tuple(where for _, where in rows)
    weighing = Weighing([item.edits for item in both if _differs(item)], matching, files, catalogue)
    hard = [fate for fate in fates if _is_hard_loss(fate)]
    if hard and all(weighing.believes(fate) for fate in hard):
        fates = tuple(map(_believed, fates))
    suspicion = None if unparsable or hard else weighing.suspicion(_held(fates))
    return Fates(fates, tuple(unparsable), places, len(unchanged), suspicion, weighing)


def _held(fates: Iterable[AnchorFate]) -> frozenset[tuple[str, int]]:
    """Where the protections stood that are known to hold."""
    places = (fate.anchor.protection.place for fate in fates if fate.outcome.holds)
    return frozenset((place.path, place.line) for place in places)


def _believed(fate: AnchorFate) -> AnchorFate:
    """A loss in doubt, no longer hard: it is still told."""
    if not _is_hard_loss(fate):
        return fate
    because = f"soft because {_DOUBTS[fate.doubt]}, and the change as a whole reads harmless"
    return replace(fate, anchor=replace(fate.anchor, strength=Strength.SOFT, because=because))


def _with_doubt(fate: AnchorFate, versions: Versions) -> AnchorFate:
    """In doubt is a refusal that no entry knows and that is gone as a whole, with no new handler that may drop another.

    One that stands there, and is weaker or without effect, is known to protect less.
    """
    protected = fate.anchor.protection
    if protected.kind is not ProtectionKind.GUARD or fate.outcome is not Outcome.LOST or protected.rule not in _GENERAL:
        return fate
    edits = versions.edits
    gone = set(map(id, edits.gone))
    here = [item for item in edits.before.reading.statements if item.exprs and item.line == protected.place.line]
    is_gone = bool(here) and all(id(item) in gone for item in here)
    is_handled = any(statement.kind is StmtKind.HANDLER for statement in edits.come)
    return replace(fate, doubt=Doubt.SHAPE) if is_gone and not is_handled else fate


def _is_hard_loss(fate: AnchorFate) -> bool:
    return not fate.outcome.holds and fate.anchor.strength is Strength.HARD


def _differs(versions: Versions) -> bool:
    return versions.before.unit.source != versions.after.unit.source


def _row(fact: Fact, pair: PairDiff, judge: Judge, turned: TurnedRound) -> tuple[AnchorFate, Place | None] | None:
    assert pair.before is not None
    judgement: Judgement = judge.judge(fact, pair)
    outcome, how = judgement.outcome, judgement.how
    if outcome is None:
        return None
    counterpart = None
    if judgement.counterpart is not None and pair.after is not None:
        counterpart = protection(judgement.counterpart, pair.after.unit)
        if judgement.unsure and turned.weakens(pair.before, pair.after, judgement.counterpart.line):
            outcome, how = Outcome.STRENGTHENED, f"now {judgement.counterpart.condition}"
    where = counterpart.place if counterpart is not None else _unit_place(pair.after)
    pinned = fact._replace(because=fact.because or judgement.because)
    return AnchorFate(anchor(pinned, pair.before.unit), outcome, how, counterpart, _doubt(judgement)), where


def _doubt(judgement: Judgement) -> Doubt:
    return Doubt.WORDING if judgement.unsure else Doubt.NONE


def _aliases(files: list[FileChange]) -> frozenset[tuple[str, str]]:
    """Other local names for the same imported thing, before and after."""
    found: set[tuple[str, str]] = set()
    for pair in files:
        if pair.before is not None and pair.after is not None and _is_source(pair.before) and _is_source(pair.after):
            old, new = (
                {(item.module, item.name, item.level): item.local for item in outline(side).imports}
                for side in (pair.before, pair.after)
            )
            found |= {(old[key], new[key]) for key in old.keys() & new.keys() if old[key] != new[key]}
    return frozenset(found)


def _swapped(pair: FileChange, catalogue: Catalogue) -> list[tuple[AnchorFate, Place | None]]:
    if pair.before is None or pair.after is None or not (_is_source(pair.before) and _is_source(pair.after)):
        return []
    old = outline(pair.before)
    unit = next((unit for unit in units_of(old) if not unit.symbol), None)
    if unit is None:
        return []
    new = outline(pair.after)
    found = [*swapped_modules(old, new), *impostors(old, new, mine_file(pair.after, catalogue), catalogue)]
    return [(AnchorFate(anchor(fact, unit), Outcome.WEAKENED, how), None) for fact, how in found]


def _dropped(versions: Versions, known: list[tuple[AnchorFate, Place | None]]) -> list[tuple[AnchorFate, Place | None]]:
    """What only both versions together show; lines of which `known` says the same already are left out."""
    before, after, catalogue = versions.before, versions.after, versions.catalogue
    same = before.unit.source == after.unit.source and same_marks(before.unit, after.unit)
    if same and before.names.isdisjoint(differing(before.library, after.library)):
        return []
    where = _unit_place(after)
    found = [(fact, "now written to the log") for fact in newly_logged(before, after)]
    found += [(fact, "the answer is turned round") for fact in turned_answers(before, after)]
    found += [(fact, "it now says yes to all") for fact in always_granting(before, after, catalogue)]
    found += list(weaker_defaults(before, after, catalogue))
    changed = [(AnchorFate(anchor(fact, before.unit), Outcome.WEAKENED, how), where) for fact, how in found]
    said = {
        fate.anchor.protection.place.line
        for fate, _ in known
        if _is_hard_loss(fate) and fate.anchor.protection.kind is ProtectionKind.CALL
    }
    return changed + [
        (AnchorFate(anchor(item.fact, before.unit), item.outcome, item.how, doubt=item.doubt), where)
        for item in shifts(versions)
        if item.fact.line not in said
    ]


def _unit_place(item: Mined | None) -> Place | None:
    if item is None:
        return None
    first = place(item.unit, item.unit.line, item.unit.line)
    return replace(first, end_line=item.unit.line)


def _matching(
    files: list[FileChange], unreadable: set[str], catalogue: Catalogue, trees: Trees
) -> tuple[Matching, Around]:
    before: list[Mined] = []
    after: list[Mined] = []
    renamed: dict[str, str] = {}
    for pair in files:
        as_text = any(side.path in unreadable for side in pair.sides)
        before += _mined(pair.before, as_text, catalogue)
        after += _mined(pair.after, as_text, catalogue)
        if pair.before is not None and pair.after is not None:
            renamed[pair.before.path] = pair.after.path
    around = (
        imported_units(files, "before", trees[0], catalogue),
        imported_units(files, "after", trees[1], catalogue),
    )
    old = with_helper_calls(before, catalogue, around[0])
    new = with_helper_calls(after, catalogue, around[1])
    return match_units(old, new, renamed), around


def _mined(version: FileVersion | None, as_text: bool, catalogue: Catalogue) -> list[Mined]:
    if version is None or not version.is_text:
        return []
    if _is_source(version) and not as_text:
        return list(mine_file(version, catalogue))
    return [mine_text(version.path, outline(version).text, catalogue)] if is_code(version.path) else []


def _is_source(version: FileVersion) -> bool:
    return version.is_text and has_front_end(language_of(version.path, version.data))


def _problems(pair: FileChange) -> list[Unparsable]:
    found = []
    for name, side in (("before", pair.before), ("after", pair.after)):
        if side is not None and _is_source(side):
            problem = outline(side).problem
            if problem is not None:
                found.append(Unparsable(side.path, name, problem))
    return found


def holds(fate: AnchorFate) -> bool:
    """True when the protection still does its work."""
    return fate.outcome in (Outcome.KEPT, Outcome.MOVED, Outcome.RENAMED, Outcome.STRENGTHENED)
