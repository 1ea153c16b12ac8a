"""Layer 1, the tests: whatever passed before must be there and pass after (SCAFFOLD-CEGIS, gate layer 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scaffold_cli.config.schema import TestsSettings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.tests_evidence import Evidence
from scaffold_cli.model.change import Change, FileStatus
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Effect, LayerName, LayerResult, Violation
from scaffold_cli.testing.baseline import Memory
from scaffold_cli.testing.comparing import Compared, Sides, compare_sides

_NO_COMMAND = "no test command is configured"
_NO_TESTS = "there is no test before this change"
_NO_TREES = "the change comes without the whole trees that tests need"
_NO_CODE = "there is no code before this change"
_FAIL_CLOSED = "A change whose tests cannot be run must not be taken for one whose tests pass."


class TestsLayer:
    """Runs each concerned folder's test command on both whole trees, in isolation, and compares by test id.

    Skipped without trees, without a command or without a test to lose, unless `tests.required` is set.
    """

    __test__ = False
    name = LayerName.TESTS

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        """Compare command by command; foreseen trouble (program not found, unreadable results) is raised."""
        outcomes = [_look(change, context, place, settings) for place, settings in _commands(change, context)]
        parts = [each for each in outcomes if isinstance(each, _Part)]
        skipped = [each for each in outcomes if isinstance(each, _Skipped)]
        missing = [each.violation() for each in skipped if each.required]
        if not parts and not missing:
            return LayerResult.skipped(self.name, skipped[0].reason if skipped else _NO_COMMAND)
        violations = [*(violation for part in parts for violation in part.violations()), *missing]
        return LayerResult.judged(self.name, violations, facts=_facts(parts, skipped))


def _look(change: Change, context: JudgeContext, place: str, settings: TestsSettings) -> _Part | _Skipped:
    """What one command says about both sides, or why it was not run."""
    if not settings.command.strip():
        return _Skipped(place, settings.required, _NO_COMMAND)
    before, after = context.before, context.after
    if before is None or after is None or context.open_before is None or context.open_after is None:
        return _Skipped(place, settings.required, _NO_TREES)
    if not before.paths():
        return _Skipped(place, settings.required, _NO_CODE)
    sides = Sides(context.open_before, context.open_after, before.id, after.id)
    compared = compare_sides(sides, Memory(context.cache, settings, place), _renamer(change, place))
    if compared.baseline.nothing_collected:
        return _Skipped(place, settings.required, _NO_TESTS)
    return _Part(place, settings, compared, after)


def _commands(change: Change, context: JudgeContext) -> list[tuple[str, TestsSettings]]:
    """The folders whose test command a change concerns, each once, with their settings."""
    policy = context.policy
    paths = [side.path for pair in change.files for side in pair.sides]
    return sorted(
        {(policy.tests_folder(path), policy.for_path(path).tests) for path in paths},
        key=lambda item: (item[0], item[1].command),
    )


def _renamer(change: Change, place: str) -> Callable[[str], str]:
    """From a test's id before the change to its id after: its file may have been renamed."""
    prefix = f"{place}/" if place else ""
    renames = {
        pair.before.path.removeprefix(prefix): pair.after.path.removeprefix(prefix)
        for pair in change.files
        if pair.status is FileStatus.RENAMED and pair.before is not None and pair.after is not None
    }

    def renamed(id_: str) -> str:
        file, separator, rest = id_.partition("::")
        return f"{renames.get(file, file)}{separator}{rest}"

    return renamed


@dataclass(frozen=True, slots=True)
class _Skipped:
    """A folder whose tests were not run, and why."""

    place: str
    required: bool
    reason: str

    def violation(self) -> Violation:
        where = f" for {self.place}" if self.place else ""
        return Violation(
            layer=LayerName.TESTS,
            code="tests-required",
            effect=Effect.UNDECIDED,
            what=f"The configuration requires tests{where}, but {self.reason}.",
            why=_FAIL_CLOSED,
            keep="Set tests.command, or run `scaffold init` to have it found.",
            because="tests.required is set",
            subject=self.place,
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """One command's comparison."""

    place: str
    settings: TestsSettings
    compared: Compared
    after: Tree

    def violations(self) -> Iterator[Violation]:
        """Losses first, then what could not be decided, then what the reader should know."""
        evidence = Evidence(self.place, self.settings, self.compared, self.after)
        yield from evidence.losses()
        yield from evidence.undecided()
        yield from evidence.warnings()


def _facts(parts: Sequence[_Part], skipped: Sequence[_Skipped]) -> list[tuple[str, str | int | float | bool]]:
    compared = [part.compared for part in parts]
    runs = [each.after for each in compared if each.after is not None]
    facts: list[tuple[str, str | int | float | bool]] = [
        ("passed before", sum(len(each.baseline.stable) for each in compared)),
        ("passed after", sum(len(run.passed) for run in runs)),
        ("flaky", sum(len(each.baseline.flaky) for each in compared)),
    ]
    kinds = sorted({each.isolation for each in compared if each.isolation})
    if kinds:
        facts.append(("isolation", ", ".join(kinds)))
    return [*facts, *((f"not run in {each.place or 'the root folder'}", each.reason) for each in skipped)]
