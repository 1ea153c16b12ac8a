"""What a comparison of two test runs amounts to, in words a reviewer can act on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from scaffold_cli.config.schema import TestsSettings
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Effect, LayerName, Place, Violation
from scaffold_cli.sandbox.confinement import ConfinementKind
from scaffold_cli.testing.comparing import Compared
from scaffold_cli.testing.offline import without_network
from scaffold_cli.testing.outcomes import Case, TestRun
from scaffold_cli.testing.pytest_reader import BROKEN_OFF
from scaffold_cli.testing.regressions import Regression, RegressionKind

LISTED = 50
"""How many losses are listed one by one."""
_NAMED = 10
"""How many flaky tests are named."""
_LINES = 8
"""How many lines of a failure's report are shown, from its end."""
_LOST = "A test that no longer passes, or no longer runs, stops guarding what it guarded."
_FAIL_CLOSED = "Tests that say nothing must not be taken for tests that pass."
_OFFLINE = "The code of a candidate runs without a network, so a test that needs one cannot show what a change breaks."
_ALLOW = "Set `sandbox.network = true` in the committed configuration, or give the tests a server of their own."
_INCOMPLETE = (RegressionKind.MISSING, RegressionKind.NOTHING_RAN)
"""Losses that mean nothing in a run that was ended early."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One command's comparison as violations. `tree` is the one after the change."""

    place: str
    settings: TestsSettings
    compared: Compared
    tree: Tree

    def losses(self) -> Iterator[Violation]:
        """One for each test that passed before and does not now, up to a limit."""
        after = self.compared.after
        if after is None:
            return
        lost = [loss for loss in self.compared.lost if not (after.timed_out and loss.kind in _INCOMPLETE)]
        for loss in lost[:LISTED]:
            yield Violation(
                layer=LayerName.TESTS,
                code=loss.kind.value,
                effect=Effect.BLOCKS,
                what=self._what(loss, after),
                why=_LOST,
                keep=_keep(loss.kind),
                because=_report(loss, after),
                after=self._where(loss.after or loss.before),
                subject=loss.id or self.place,
            )
        yield from self._doubts(after)
        if len(lost) > LISTED:
            yield self._violation(
                "tests-more", f"{len(lost) - LISTED} more tests that passed before do not pass now.", _LOST
            )

    def _doubts(self, after: TestRun) -> Iterator[Violation]:
        """What makes the outcomes doubtful and is new with the change. A loss explains a run that broke off."""
        for oddity in after.oddities:
            explained = oddity == BROKEN_OFF and (after.timed_out or self.compared.lost)
            if oddity not in self.compared.baseline.oddities and not explained:
                what = f"What the tests report cannot be relied on: {oddity}, which was not so before the change."
                why = "Outcomes that the judged code can write itself say nothing."
                keep = "Leave it to the runner to say what became of a test."
                yield self._violation("test-outcome-changed", what, why, keep=keep)

    def undecided(self) -> Iterator[Violation]:
        """What keeps this comparison from saying anything."""
        baseline, after = self.compared.baseline, self.compared.after
        limit = f"its limit of {self.settings.timeout:g} seconds (tests.timeout)"
        if baseline.timed_out:
            what = f"The test command reached {limit} on the code before the change."
            yield self._undecided("tests-timed-out", what, "Raise tests.timeout, or name a quicker command.")
        elif after is not None and after.timed_out:
            what = f"The test command reached {limit} on the changed code; before the change it ended in time."
            yield self._undecided(
                "tests-timed-out", what, "Look for a loop or a wait the change brought in, or raise the limit."
            )
        elif after is not None and not baseline.stable and not after.passed:
            said = _last(baseline.runs[-1])
            what = f"No test passes before the change and none after it, so the tests cannot tell: {said}"
            yield self._undecided("tests-no-baseline", what, "Make the test command work on the unchanged code first.")

    def warnings(self) -> Iterator[Violation]:
        """What the reader should know and what does not count against the change."""
        baseline, after = self.compared.baseline, self.compared.after
        if after is not None and not baseline.stable and after.passed:
            yield self._warning("tests-no-baseline", "No test passed before the change, so none could be lost.", "")
        if baseline.flaky:
            what = f"{_count(len(baseline.flaky), 'test')} gave different results on the unchanged code and "
            what += f"{'was' if len(baseline.flaky) == 1 else 'were'} not judged: {_some(baseline.flaky)}."
            yield self._warning("tests-flaky", what, "A test that fails at times cannot show what a change breaks.")
        offline = without_network(baseline)
        if offline and self.compared.confinement not in ("", ConfinementKind.NONE):
            what = f"{_count(len(offline), 'test')} found no network, before the change as well, and "
            what += f"{'was' if len(offline) == 1 else 'were'} not judged: {_some(offline)}."
            yield self._violation("tests-without-network", what, _OFFLINE, Effect.WARNS, _ALLOW)
        for warning in self.compared.warnings:
            yield self._warning(
                "tests-isolation", warning, "Tests that run other code than the candidate's prove nothing."
            )

    def _what(self, loss: Regression, after: TestRun) -> str:
        message = _message(loss.after)
        match loss.kind:
            case RegressionKind.FAILED:
                return f"Test `{loss.id}` passed before and fails now{message}."
            case RegressionKind.MISSING:
                return f"Test `{loss.id}` passed before and was not run now (the command ended with code {after.code})."
            case RegressionKind.SKIPPED:
                return f"Test `{loss.id}` passed before and is skipped now{message}."
            case RegressionKind.XFAILED:
                return f"Test `{loss.id}` passed before and is expected to fail now{message}."
            case RegressionKind.UNCOLLECTED:
                name = f"`{loss.id}`" if loss.id else "The test session"
                return f"{name} cannot be collected now, so {_count(loss.tests, 'passing test')} did not run{message}."
            case RegressionKind.NOTHING_RAN:
                ended = f"the command ended with code {after.code}"
                return f"{_count(loss.tests, 'test')} passed before and none ran now ({ended}): {_last(after)}"
        assert_never(loss.kind)

    def _where(self, case: Case | None) -> Place | None:
        if case is None or not case.path:
            return None
        path = f"{self.place}/{case.path}" if self.place else case.path
        lines = (self.tree.read(path) or b"").decode("utf-8", "replace").splitlines()
        return Place(path, case.line, case.line, lines[case.line - 1]) if 0 < case.line <= len(lines) else None

    def _undecided(self, code: str, what: str, keep: str) -> Violation:
        return self._violation(code, what, _FAIL_CLOSED, Effect.UNDECIDED, keep)

    def _warning(self, code: str, what: str, why: str) -> Violation:
        return self._violation(code, what, why, Effect.WARNS)

    def _violation(self, code: str, what: str, why: str, effect: Effect = Effect.BLOCKS, keep: str = "") -> Violation:
        return Violation(LayerName.TESTS, code, effect, what, why, keep, subject=self.place)


def _keep(kind: RegressionKind) -> str:
    if kind in (RegressionKind.SKIPPED, RegressionKind.XFAILED):
        return "Take the mark away and make the test pass as it stood."
    if kind in _INCOMPLETE:
        return "Bring the test back under its name, or make the run reach it."
    return "Make the code do again what the test asks for."


def _message(case: Case | None) -> str:
    summary = (case.summary if case else "").strip().rstrip(".")
    return f": {summary}" if summary else ""


def _report(loss: Regression, after: TestRun) -> str:
    """The end of what the runner printed about it, on one line."""
    text = loss.after.detail if loss.after is not None else after.tail if loss.kind in _INCOMPLETE else ""
    return " | ".join([line.strip() for line in text.splitlines() if line.strip()][-_LINES:])


def _last(run: TestRun) -> str:
    return (run.tail.splitlines() or [f"it printed nothing and ended with code {run.code}."])[-1]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"
