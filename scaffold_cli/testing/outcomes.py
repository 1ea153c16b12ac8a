"""What a test run said: facts, and the rules that put phases together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scaffold_cli.config.schema import TestReader


class Outcome(StrEnum):
    """What became of one test. An error in set-up or tear-down is a failure."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    """Failed, as its mark expects."""
    XPASSED = "xpassed"
    """Passed although its mark expects failure, and the mark is not strict."""

    @property
    def vouches(self) -> bool:
        """True when the test ran and what it asserts held."""
        return self in (Outcome.PASSED, Outcome.XPASSED)


@dataclass(frozen=True, slots=True)
class Case:
    """One test, or one file that could not be collected.

    `summary` says on one line what went wrong or why it was skipped, `detail` is the end of the report;
    `path` and `line` (1-based, 0 when unknown) say where the test is, as the runner names it.
    """

    outcome: Outcome
    summary: str = ""
    detail: str = ""
    path: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class TestRun:
    """One run of a test command.

    `cases` maps test ids to what became of them, `uncollected` files or classes to why none of their tests
    ran. `reader` says how they were read. `tail` is the end of the output, for people.
    """

    __test__ = False

    cases: Mapping[str, Case] = field(default_factory=dict)
    code: int = 0
    timed_out: bool = False
    tail: str = ""
    reader: TestReader = TestReader.EXIT_CODE
    uncollected: Mapping[str, Case] = field(default_factory=dict)
    oddities: tuple[str, ...] = ()
    """What makes the outcomes doubtful (see `pytest_reader`); what the runs before the change show too is theirs."""

    @property
    def passed(self) -> frozenset[str]:
        """The ids that ran and held."""
        return frozenset(id_ for id_, case in self.cases.items() if case.outcome.vouches)

    @property
    def nothing_collected(self) -> bool:
        """True when the runner worked and found no test (pytest's code 5)."""
        return self.reader is TestReader.PYTEST and not self.cases and not self.uncollected and self.code == 5
