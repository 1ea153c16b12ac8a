"""Layer 1, the tests: whatever passed before must be there and pass after (SCAFFOLD-CEGIS, gate layer 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scaffold_cli.config.schema import TestsSettings
from scaffold_cli.config.trust import require
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.tests_evidence import Evidence
from scaffold_cli.gate.layers.tests_integrity import integrity_violation, told_by_run
from scaffold_cli.model.change import Change, FileStatus
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Effect, LayerName, LayerResult, Violation
from scaffold_cli.testing.baseline import Memory
from scaffold_cli.testing.comparing import Compared, Sides, compare_sides
from scaffold_cli.testing.integrity.interface import Breach, Material, TestCase
from scaffold_cli.testing.integrity.looking import look
from scaffold_cli.testing.integrity.tests_kept import stand_in

_NO_COMMAND = "no test command is configured"
_NO_TESTS = "there is no test before this change"
_NO_TREES = "the change comes without the whole trees that tests need"
_NO_CODE = "there is no code before this change"
_FAIL_CLOSED = "A change whose tests cannot be run must not be taken for one whose tests pass."


class TestsLayer:
    """Looks at what the change does to the tests, then runs each concerned folder's command on both whole trees.

    The first is done on the text alone (`testing.integrity`). The runs are made in isolation and compared by test id.
    Skipped without trees, without a command or without a test to lose, unless `tests.required` is set or the first
    look found something.
    """

    __test__ = False
    name = LayerName.TESTS

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        """Compare command by command; foreseen trouble (program not found, unreadable results) is raised."""
        material, breaches = _integrity(change, context)
        successors = _successors(material)
        outcomes = [
            _look(change, context, place, settings, successors) for place, settings in _commands(change, context)
        ]
        parts = [each for each in outcomes if isinstance(each, _Part)]
        skipped = [each for each in outcomes if isinstance(each, _Skipped)]
        missing = [each.violation() for each in skipped if each.required]
        run = [violation for part in parts for violation in part.violations()]
        broken = [integrity_violation(breach) for breach in breaches if not told_by_run(breach, run, _failing(parts))]
        if not parts and not missing and not broken:
            return LayerResult.skipped(self.name, skipped[0].reason if skipped else _NO_COMMAND)
        violations = [*run, *missing, *broken]
        return LayerResult.judged(self.name, violations, facts=_facts(parts, skipped))


def _integrity(change: Change, context: JudgeContext) -> tuple[Material, Sequence[Breach]]:
    """What the change does to the tests themselves."""
    if context.after is None:
        return look(change)
    return look(change, context.after.read, context.after.paths())


def _successors(material: Material) -> Mapping[str, str]:
    """Ids (as pytest writes them, without parameters) of renamed and moved tests, to what they are called now."""
    pairs = [(pair.before, pair.after) for pair in material.pairs]
    pairs += [(case, other) for case in material.gone if (other := stand_in(case, material)) is not None]
    names = ((_node(before), _node(after)) for before, after in pairs)
    return {before: after for before, after in names if before != after}


def _node(case: TestCase) -> str:
    return f"{case.path}::{case.name.replace('.', '::')}"


def _look(
    change: Change, context: JudgeContext, place: str, settings: TestsSettings, successors: Mapping[str, str]
) -> _Part | _Skipped:
    """What one command says about both sides, or why it was not run."""
    if not settings.command.strip():
        return _Skipped(place, settings.required, _NO_COMMAND)
    require(context.policy, "tests.command", place, settings.command)
    before, after = context.before, context.after
    if before is None or after is None or context.open_before is None or context.open_after is None:
        return _Skipped(place, settings.required, _NO_TREES)
    if not before.paths():
        return _Skipped(place, settings.required, _NO_CODE)
    sides = Sides(context.open_before, context.open_after, before.id, after.id)
    compared = compare_sides(sides, Memory(context.cache, settings, place), _renamer(change, place, successors))
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


def _renamer(change: Change, place: str, successors: Mapping[str, str]) -> Callable[[str], str]:
    """From a test's id before the change to its id after: its file, or the test itself, may have been renamed."""
    prefix = f"{place}/" if place else ""
    renames = {
        pair.before.path.removeprefix(prefix): pair.after.path.removeprefix(prefix)
        for pair in change.files
        if pair.status is FileStatus.RENAMED and pair.before is not None and pair.after is not None
    }

    def renamed(id_: str) -> str:
        bare, bracket, parameters = id_.partition("[")
        successor = successors.get(prefix + bare)
        if successor is not None:
            return f"{successor.removeprefix(prefix)}{bracket}{parameters}"
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


def _failing(parts: Sequence[_Part]) -> frozenset[str]:
    """Ids that did not pass before the change either."""
    runs = [(run, part.compared.baseline.stable) for part in parts for run in part.compared.baseline.runs]
    return frozenset(id_ for run, stable in runs for id_ in run.cases if id_ not in stable)


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
        facts.append(("confinement", ", ".join(sorted({each.confinement for each in compared if each.confinement}))))
    return [*facts, *((f"not run in {each.place or 'the root folder'}", each.reason) for each in skipped)]
