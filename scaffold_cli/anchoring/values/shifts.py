"""What a value rule looks at (two versions of a unit) and what it says (a shift)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Mined, plain_fact
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.values.edits import UnitEdits, edits_of
from scaffold_cli.anchoring.values.pattern_texts import named_texts
from scaffold_cli.model.protection import Doubt, Level, Outcome, ProtectionKind
from scaffold_cli.syntax.outline import Expr

_DEPTH = 3
"""How many calls deep a call may have moved."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A protection of a value that is weaker or gone, and how."""

    fact: Fact
    outcome: Outcome
    how: str
    doubt: Doubt = Doubt.NONE


@dataclass(frozen=True)
class Surroundings:
    """The rest of the change: how often each name is called on either side, what was renamed, what calls what."""

    calls_before: Counter[str]
    calls_after: Counter[str]
    renamed: frozenset[tuple[str, str]] = frozenset()
    calls_of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What each function of the after side calls."""
    names_lost: frozenset[str] = frozenset()
    """Names that a unit used before and no longer does: what is new in another unit may have come from there."""
    names_come: frozenset[str] = frozenset()
    """Names that a unit uses now and did not before: what is gone from another unit may have moved there."""
    classes_come: frozenset[str] = frozenset()
    """Names of classes that only the after side has."""
    before: Sequence[Mined] = ()
    after: Sequence[Mined] = ()

    def texts_before(self, item: Mined) -> Mapping[str, str]:
        """Fixed texts that the file of a unit names, before."""
        return self._texts_before.get(item.unit.path, {})

    def texts_after(self, item: Mined) -> Mapping[str, str]:
        """Fixed texts that the file of a unit names, after."""
        return self._texts_after.get(item.unit.path, {})

    @cached_property
    def _texts_before(self) -> Mapping[str, Mapping[str, str]]:
        return _texts(self.before)

    @cached_property
    def _texts_after(self) -> Mapping[str, Mapping[str, str]]:
        return _texts(self.after)

    @cached_property
    def called_before(self) -> Mapping[str, frozenset[str]]:
        """What each function of the before side calls."""
        return _calls_of(self.before)

    @cached_property
    def refusals(self) -> frozenset[str]:
        """The literals of all guards of the before side; mines every unit of the changed files."""
        guards = (fact for item in self.before for fact in item.facts if fact.kind is ProtectionKind.GUARD)
        return frozenset(term for fact in guards for term in fact.condition.split(" and "))

    def is_kept(self, name: str, now: Iterable[str] = ()) -> bool:
        """True when a call of `name` has only moved: the change calls it as often, or one of `now` calls it."""
        if self.calls_after[name] >= self.calls_before[name]:
            return True
        return any(self._reaches(other, name) or (name, other) in self.renamed for other in now if other != name)

    def claims_before(self, catalogue: Catalogue) -> frozenset[str]:
        """The names of headers a client may set at will that the before side reads anywhere."""
        lines = {id(item.unit.lines): item.unit.lines for item in self.before}
        text = "\n".join(line for found in lines.values() for line in found).lower()
        return frozenset(name for name in catalogue.claims if name in text)

    def takes_other_arguments(self, name: str) -> bool:
        """True when the change gives a function of this name other parameters."""
        return self._parameters(self.before, name) != self._parameters(self.after, name)

    def _parameters(self, items: Sequence[Mined], name: str) -> set[tuple[str, ...]]:
        functions = [item.unit.function for item in items if item.unit.short_name == name]
        return {tuple(param.name for param in function.params) for function in functions if function is not None}

    def _reaches(self, start: str, name: str) -> bool:
        seen: set[str] = set()
        frontier = {start}
        for _ in range(_DEPTH):
            seen |= frontier
            frontier = {other for one in frontier for other in self.calls_of.get(one, ())} - seen
            if name in frontier:
                return True
        return False


def surroundings(matching: Matching) -> Surroundings:
    """What the change as a whole calls on either side, and the functions it renames."""
    before = [*(one for one, _ in matching.pairs), *matching.removed]
    after = [*(other for _, other in matching.pairs), *matching.added]
    renamed = frozenset((one.unit.short_name, other.unit.short_name) for one, other in matching.pairs)
    lost = [one.names - other.names for one, other in matching.pairs] + [item.names for item in matching.removed]
    come = [other.names - one.names for one, other in matching.pairs] + [item.names for item in matching.added]
    return Surroundings(
        calls_before=_counted(before),
        calls_after=_counted(after),
        renamed=renamed,
        calls_of=_calls_of(after),
        names_lost=frozenset().union(*lost),
        names_come=frozenset().union(*come),
        classes_come=_classes(after) - _classes(before),
        before=before,
        after=after,
    )


def _texts(items: Iterable[Mined]) -> dict[str, dict[str, str]]:
    """The fixed texts of each file by name, those of its classes included."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    bodies = (item for item in items if item.unit.function is None)
    for item in sorted(bodies, key=lambda body: body.unit.symbol):
        known = found[item.unit.path]
        known.update((name, text) for name, (text, _) in named_texts(item.unit.block, known).items())
    return found


def _calls_of(items: Iterable[Mined]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for item in items:
        if item.unit.function is not None:
            name = item.unit.short_name
            found[name] = found.get(name, frozenset()) | item.calls.keys()
    return found


def _classes(items: Iterable[Mined]) -> frozenset[str]:
    return frozenset(item.unit.short_name for item in items if item.unit.function is None)


def _counted(items: Iterable[Mined]) -> Counter[str]:
    calls: Counter[str] = Counter()
    for item in items:
        calls.update(item.calls)
    return calls


class Versions:
    """Two versions of a unit."""

    def __init__(self, before: Mined, after: Mined, catalogue: Catalogue, around: Surroundings) -> None:
        self.before, self.after, self.catalogue, self.around = before, after, catalogue, around

    @cached_property
    def edits(self) -> UnitEdits:
        """What differs, expression by expression."""
        return edits_of(self.before, self.after)

    @property
    def values_before(self) -> Mapping[str, Expr]:
        """What names assigned once stand for, before."""
        return self.before.scope.values

    @property
    def values_after(self) -> Mapping[str, Expr]:
        """What names assigned once stand for, after."""
        return self.after.scope.values


def shift(
    form: str,
    line: int,
    because: str,
    how: str,
    *,
    entry: str,
    outcome: Outcome = Outcome.WEAKENED,
    doubt: Doubt = Doubt.NONE,
) -> Shift:
    """A shift of a value that stood on `line` before."""
    because = f"hard because {because}"
    fact = plain_fact(ProtectionKind.CALL, Level.DATA_FLOW, form, line, action="wrap", because=because, entry=entry)
    return Shift(fact, outcome, how, doubt)


def lost(form: str, line: int, because: str, how: str, entry: str) -> Shift:
    """A shift of what stood on `line` before and is gone."""
    return shift(form, line, because, how, entry=entry, outcome=Outcome.LOST)
