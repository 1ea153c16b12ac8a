"""What every kind of look at a change of tests gets, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.verdict import Place


class BreachKind(StrEnum):
    """What became of a test, or of what its result rests on; the values are the codes of the violations."""

    GONE = "test-gone"
    EMPTIED = "test-emptied"
    SKIPPED = "test-newly-skipped"
    REMOVED = "test-assertion-removed"
    WEAKENED = "test-assertion-weakened"
    INVERTED = "test-assertion-inverted"
    PARAMETERS = "test-parameters-cut"
    MOCKED = "test-subject-mocked"
    FORGED = "test-outcome-changed"
    """Code that can change what a run reports."""
    DETECTED = "test-run-detected"
    """Production code that asks whether it is being tested."""
    LOOSENED = "test-settings-loosened"
    SNAPSHOT = "test-snapshot-rewritten"


@dataclass(frozen=True, slots=True)
class Breach:
    """One piece of evidence. `what` is a sentence; `subject` tells it from its siblings."""

    kind: BreachKind
    what: str
    subject: str
    before: Place | None = None
    after: Place | None = None


class Strength(IntEnum):
    """How much an assertion demands."""

    NOTHING = 0
    """A constant, a comparison of a thing with itself, or one whose failure is swallowed."""
    TRUTHY = 1
    """Truth, presence, a type, or that something differs."""
    BOUND = 2
    """Membership, order, a pattern, a size."""
    CLOSE = 3
    """Equality within a tolerance."""
    EXACT = 4
    """Equality, identity, an exact call."""


@dataclass(frozen=True, slots=True)
class Check:
    """One assertion. `key` is what is looked at, `expected` what is demanded of it, both in a form to compare.

    `positive` is false when the opposite is demanded. `error` is the demanded error ("" when any will do) and None for
    an assertion on a value; `pattern` says that its message is looked at too. `tolerance` is the allowed difference,
    larger is looser. `calls` are the functions named in it.
    """

    strength: Strength
    key: str
    expected: str = ""
    positive: bool = True
    error: str | None = None
    pattern: bool = False
    tolerance: float | None = None
    calls: frozenset[str] = frozenset()
    line: int = 0

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for assertions that demand the same."""
        return (self.strength, self.key, self.expected, self.positive, self.error, self.pattern, self.tolerance)


@dataclass(frozen=True, slots=True)
class TestCase:
    """One test function as it is written. `name` is dotted through classes, or through describe blocks by ``>``.

    `marks` are what keeps it from running or from counting ("skip", "xfail"). `parameters` is how many rows it is run
    with, 0 when it has none or they cannot be counted. `statements` counts those that do something.
    """

    __test__ = False

    name: str
    path: str
    line: int
    end_line: int
    checks: tuple[Check, ...] = ()
    marks: frozenset[str] = frozenset()
    parameters: int = 0
    statements: int = 0
    calls: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Renamed:
    """A test that goes on under another name or in another file."""

    before: TestCase
    after: TestCase


@dataclass(frozen=True, slots=True)
class TestPair:
    """A test on both sides."""

    __test__ = False

    before: TestCase
    after: TestCase


@dataclass(frozen=True, slots=True)
class Material:
    """What is looked at: the change, the tests of both sides and how they correspond.

    `removed` are names of production code that the change takes away: what tested only them may go too. `read` gives
    the bytes of any file after the change, `paths` all file names there (empty when the whole tree is not known).
    """

    change: Change
    pairs: Sequence[TestPair] = ()
    gone: Sequence[TestCase] = ()
    new: Sequence[TestCase] = ()
    removed: frozenset[str] = frozenset()
    text: Mapping[tuple[str, bool], Sequence[str]] = field(default_factory=dict)
    """Lines of changed files by path and side (True is after)."""
    read: Callable[[str], bytes | None] = lambda _: None
    paths: Sequence[str] = ()

    def place(self, path: str, line: int, *, after: bool, symbol: str = "") -> Place:
        """A line of one side."""
        lines = self.text.get((path, after), ())
        shown = lines[line - 1] if 0 < line <= len(lines) else ""
        return Place(path, line, line, shown, symbol)


Look = Callable[[Material], Iterator[Breach]]
"""One kind of look; they are listed in `looking`."""


def first(items: Iterable[Breach]) -> Breach | None:
    """The first breach, or None."""
    return next(iter(items), None)


def is_text(version: FileVersion | None) -> bool:
    """True for a side that exists and can be read."""
    return version is not None and version.is_text
