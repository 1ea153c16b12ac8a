"""Further scanners of the SAST layer: a configured command that writes SARIF, and reports that were handed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scaffold_cli.config.schema import SastSettings
from scaffold_cli.config.trust import require
from scaffold_cli.gate.layer import JudgeContext, Reports
from scaffold_cli.gate.layers.sast_evidence import new_finding, no_report, not_judged
from scaffold_cli.model.change import Change
from scaffold_cli.model.errors import ScaffoldError, UndecidedError
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Severity, Violation
from scaffold_cli.sast.cache import ResultCache
from scaffold_cli.sast.sarif.comparing import Compared, compare_logs
from scaffold_cli.sast.sarif.places import Ground
from scaffold_cli.sast.sarif.reading import Log, read
from scaffold_cli.sast.sarif.scanner import Scanner, Trees, compare_scans

Fact = tuple[str, str | int | float | bool]


@dataclass(frozen=True, slots=True)
class Part:
    """What one further scanner came to."""

    violations: tuple[Violation, ...]
    facts: tuple[Fact, ...] = ()


def further_scanners(change: Change, context: JudgeContext) -> list[Part]:
    """One part for each configured command the change concerns, and one for the reports handed in."""
    parts = [_configured(change, context, place, settings) for place, settings in _commands(change, context)]
    if context.reports is not None:
        parts.append(_handed_in(change, context))
    return parts


def _commands(change: Change, context: JudgeContext) -> list[tuple[str, SastSettings]]:
    """The folders whose sast.command a change concerns, each once, with their settings."""
    policy = context.policy
    paths = [side.path for pair in change.files for side in pair.sides]
    found = {(policy.scanner_folder(path), policy.for_path(path).sast) for path in paths}
    wanted = {(place, settings.command): settings for place, settings in found if settings.command.strip()}
    return [(place, settings) for (place, _), settings in sorted(wanted.items())]


def _configured(change: Change, context: JudgeContext, place: str, settings: SastSettings) -> Part:
    require(context.policy, "sast.command", place, settings.command)
    scanner = Scanner(settings.command, settings.output, place, settings.timeout)
    cache = context.cache / "sast" if context.cache else None
    try:
        compared = compare_scans(scanner, _trees(change, context), ResultCache(cache))
    except ScaffoldError as error:
        return Part((no_report(error),))
    return _part(compared, settings.gate, f" ({place})" if place else "")


def _trees(change: Change, context: JudgeContext) -> Trees:
    if not (context.before and context.after and context.open_before and context.open_after):
        raise UndecidedError("The change comes without the whole trees that sast.command needs.")
    return Trees(change, context.before, context.after, context.open_before, context.open_after)


def _handed_in(change: Change, context: JudgeContext) -> Part:
    assert context.reports is not None
    given = context.reports
    try:
        before, after = _read(given, 0, context.before), _read(given, 1, context.after)
    except ScaffoldError as error:
        return Part((no_report(error),))
    compared = compare_logs(before, after, change, context.before, context.after)
    return _part(compared, context.policy.root.sast.gate, " (handed in)")


def _read(reports: Reports, index: int, tree: Tree | None) -> Log:
    name, data = (reports.before, reports.after)[index]
    return read(data, name, Ground(reports.roots, "", frozenset(tree.paths() if tree else ())))


def _part(compared: Compared, gate: Iterable[Severity], suffix: str) -> Part:
    violations = [new_finding(finding, gate) for finding in compared.findings.new]
    violations += [not_judged(problem) for problem in compared.problems]
    return Part(tuple(violations), tuple(_facts(compared, suffix)))


def _facts(compared: Compared, suffix: str) -> Iterator[Fact]:
    name = f"{', '.join(compared.tools)}{suffix}"
    yield f"{name} before", compared.before
    yield f"{name} after", compared.after
    yield f"{name} new", len(compared.findings.new)
    yield f"{name} fixed", len(compared.findings.fixed)
