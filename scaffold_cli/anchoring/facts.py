"""Facts: protections as mining sees them, before they are pinned as anchors or compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from scaffold_cli.anchoring.library import Library
from scaffold_cli.anchoring.reading import Reading
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Block, Expr, Function, Outline, Stmt


class Fact(NamedTuple):
    """One defence in one unit.

    `form` is its normal form with names kept, `shape` the same with local names blanked: equal form means the
    same protection, equal shape the same up to renaming. `name` groups facts that can stand in for each other
    (a callee, a setting, an exception type). `terms` are the literals of one refusal of a guard, by shape.
    `protects` names the calls it dominates (guards) or wraps (calls). `rank` orders facts of one name by strength.
    `constants` are the fixed arguments of a call, the fixed texts a refusal tells.
    `entry` is the catalogue entry it was recognised by; `because` is the rule that makes it hard, "" when soft.
    """

    kind: ProtectionKind
    level: Level
    form: str
    shape: str
    name: str
    line: int
    end_line: int
    condition: str = ""
    action: str = ""
    subject: str = ""
    entry: str = ""
    because: str = ""
    terms: frozenset[str] = frozenset()
    protects: frozenset[str] = frozenset()
    rank: int = 0
    constants: tuple[str, ...] = ()
    bare: str = ""
    """Like `shape`, with no variable followed to its value: what a helper the code moved to would show."""
    stands_alone: bool = False
    """For calls: its answer is not used, so it protects by what it does (raising, most of all)."""
    covers: frozenset[frozenset[str]] = frozenset()
    """For guards: every case that is refused, enclosing and passed tests included, helpers and constants followed."""
    asks: frozenset[str] = frozenset()
    """For guards: the literals of its own condition, spelt as in `covers`."""
    answered: frozenset[str] = frozenset()
    """For guards: what had failed before it where another answer was given, spelt as in `covers`."""
    takes_the_rest: bool = False
    """For guards: it refuses whatever no branch before it took."""
    only_answers: bool = False
    """For guards: an answer to a question, no loss; it is looked at where the same in other words was a refusal."""
    shifting: bool = False
    """What it names is given anew in its function: one that reads the same elsewhere may be about another value."""
    absent_is_weak: bool = False
    """For ranked facts: leaving it out is as bad as the weakest value."""

    @property
    def is_hard(self) -> bool:
        """True when losing it blocks."""
        return bool(self.because)


def plain_fact(
    kind: ProtectionKind, level: Level, form: str, line: int, *, action: str, because: str, **more: Any
) -> Fact:
    """A fact of one line, named after its form and spelled alike with local names blanked unless `more` says so."""
    defaults = {"shape": form, "name": form, "end_line": line, "condition": form}
    return Fact(kind=kind, level=level, form=form, line=line, action=action, because=because, **{**defaults, **more})


@dataclass(frozen=True, slots=True)
class Unit:
    """A body that is mined and matched as a whole: a function, or what a class or module does itself."""

    path: str
    symbol: str
    block: Block
    line: int
    end_line: int
    function: Function | None = None
    is_public: bool = True
    lines: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """All lines of the file, shared by its units."""
    bases: tuple[Expr, ...] = ()
    """For classes: what they are derived from."""

    @property
    def short_name(self) -> str:
        """The last part of the dotted name."""
        return self.symbol.rpartition(".")[2]

    @property
    def source(self) -> tuple[str, ...]:
        """The unit's own lines."""
        return self.lines[self.line - 1 : self.end_line]


class Later:
    """Facts that are worked out when somebody first asks: most units of a changed file did not change."""

    __slots__ = ("_facts", "_work")

    def __init__(self, work: Callable[[], tuple[Fact, ...]]) -> None:
        self._work = work
        self._facts: tuple[Fact, ...] | None = None

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts; two threads that ask at once may both do the work, with one result."""
        if self._facts is None:
            facts = self._facts = self._work()
            self._work = lambda: facts  # lets go of the nodes the work was done on
        return self._facts


@dataclass(frozen=True, slots=True, eq=False)
class Mined:
    """One unit with its facts and what it mentions: callee names, counted, and identifiers. Equal only to itself."""

    unit: Unit
    later: Later = field(repr=False)
    reading: Reading = field(default_factory=Reading, repr=False)
    """Its statements and expressions, taken apart once for all that look at them."""
    scope: Scope = field(default_factory=partial(Scope, (), Reading()), repr=False)
    calls: Counter[str] = field(default_factory=Counter)
    defined: frozenset[str] = frozenset()
    """Names this unit gives: its parameters and what it assigns, attributes included."""
    library: Library = field(default_factory=Library, repr=False)
    """What the constants and one-line functions of its file stand for."""

    @property
    def names(self) -> frozenset[str]:
        """All identifiers it mentions."""
        return self.reading.names

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Its protections, mined at first use."""
        return self.later.facts


def units_of(outline: Outline) -> tuple[Unit, ...]:
    """All units of a file: functions (nested ones apart), then class bodies, then the module."""
    text = outline.text
    functions = [
        Unit(outline.path, item.name, item.body, item.line, item.end_line, item, item.is_public, text)
        for item in outline.functions
    ]
    classes = [
        Unit(outline.path, item.name, item.body, item.line, item.end_line, None, item.is_public, text, item.bases)
        for item in outline.classes
    ]
    module = Unit(outline.path, "", outline.body, 1, max(1, outline.lines), lines=text)
    return (*functions, *classes, module)


def last_line(statement: Stmt) -> int:
    """Where the head of a compound statement ends: the line before its first inner statement."""
    inner = [block[0].line for block in statement.blocks if block]
    return max(statement.line, min(inner, default=statement.end_line + 1) - 1)
