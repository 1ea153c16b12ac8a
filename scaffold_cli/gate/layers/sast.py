"""Layer 2: no new finding of a gated severity, and no new mark that silences a scanner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from scaffold_cli.config.schema import SastSettings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.model.change import Change, FileChange
from scaffold_cli.model.finding import Finding
from scaffold_cli.model.verdict import Effect, LayerName, LayerResult, Place, Severity, Violation
from scaffold_cli.sast.inspection import FileProblem, Inspection, concerns, inspect, languages_of
from scaffold_cli.sast.rule_files import users_rules
from scaffold_cli.sast.rules import RuleSet, load

_NOTHING = "No changed file is in a language the rules speak of."
_WAYS_OUT = {
    "too-large": "Raise max-file-bytes or split the file.",
    "submodule-not-judged": "Judge the submodule's own change.",
}
"""What to do about a file that was not read, by the code of the problem."""
Fact = tuple[str, str | int | float | bool]


class SastLayer:
    """The SAST delta (SCAFFOLD-CEGIS layer 2, our choice SC-5: multisets per severity, delta_max = 0)."""

    name = LayerName.SAST

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        """Compare the findings of both sides, folder by folder as the configuration says.

        Raises UndecidedError when the engine gives no answer, UsageError for a bad rule of the user.
        """
        cache = context.cache / "sast" if context.cache else None
        violations: list[Violation] = []
        facts: list[Fact] = []
        for folder, pairs in _by_folder(change, context).items():
            settings = context.policy.for_folder(folder).sast
            rules = load(users_rules(settings.rules, folder, context.before), cache, languages_of(pairs))
            concerned = [pair for pair in pairs if concerns(pair, rules)]
            if not concerned:
                continue
            found = inspect(concerned, rules, engine=settings.engine, timeout=settings.timeout, cache=cache)
            violations.extend(_violations(found, settings))
            facts.extend(_facts(found, rules, settings, folder))
        reason = "" if facts else _NOTHING
        return LayerResult.judged(self.name, violations, reason=reason, facts=facts)


def _by_folder(change: Change, context: JudgeContext) -> dict[str, list[FileChange]]:
    folders: dict[str, list[FileChange]] = {}
    for pair in change.files:
        folders.setdefault(context.policy.folder_of(pair.path), []).append(pair)
    return folders


def _violations(found: Inspection, settings: SastSettings) -> Iterator[Violation]:
    for finding in found.findings.new:
        yield _new_finding(finding, settings.gate)
    for mark in found.suppressions.new:
        yield _new_suppression(mark)
    for problem in found.problems:
        yield _not_judged(problem)


def _new_finding(finding: Finding, gate: Iterable[Severity]) -> Violation:
    blocks = finding.severity in gate
    code = finding.place.text.strip().split("\n")[0].strip()[:120]
    return Violation(
        layer=LayerName.SAST,
        code=finding.rule,
        effect=Effect.BLOCKS if blocks else Effect.WARNS,
        what=f"The change brings a new {finding.severity.value} finding in {_where(finding)}: `{code}`.",
        why=finding.why,
        keep=finding.keep,
        because=f"new {finding.severity.value} findings are {'not allowed' if blocks else 'reported only'} (sast.gate)",
        cwe=finding.cwe,
        severity=finding.severity,
        after=finding.place,
        subject=finding.id,
    )


def _new_suppression(mark: Finding) -> Violation:
    return Violation(
        layer=LayerName.SAST,
        code="suppression-added",
        effect=Effect.BLOCKS,
        what=f"The change adds the mark `{mark.fingerprint.code[0]}` in {_where(mark)}, which silences a scanner.",
        why="A silenced scanner no longer sees the next defect on that line either.",
        keep="Remove the mark and mend what it hides, or have the person who runs the command waive it.",
        because="marks that silence security scanners may not be added by the change they would excuse",
        after=mark.place,
        subject=mark.id,
    )


def _not_judged(problem: FileProblem) -> Violation:
    return Violation(
        layer=LayerName.SAST,
        code=problem.code,
        effect=Effect.UNDECIDED,
        what=f"{problem.path} {problem.reason}, so its findings are not known.",
        why="An empty result for a file that was not read completely proves nothing.",
        keep=_WAYS_OUT.get(problem.code, "Mend the file and try again."),
        after=Place(problem.path, 1, 1),
        subject=f"{problem.path}\0{problem.code}",
    )


def _where(finding: Finding) -> str:
    return f"{finding.place.path}, {finding.place.symbol}" if finding.place.symbol else finding.place.path


def _facts(found: Inspection, rules: RuleSet, settings: SastSettings, folder: str) -> Iterator[Fact]:
    suffix = f" ({folder})" if folder else ""
    yield f"engine{suffix}", f"{Path(settings.engine).name} {found.engine}".strip()
    yield f"rules{suffix}", f"{len(rules.rules)} ({rules.digest[:12]})"
    if rules.unused:
        yield f"rules for other languages{suffix}", rules.unused
    yield f"files scanned{suffix}", found.files
    yield f"findings before{suffix}", found.before
    yield f"findings after{suffix}", found.after
    yield f"new{suffix}", len(found.findings.new)
    yield f"fixed{suffix}", len(found.findings.fixed)
    if found.suppressions.fixed:
        yield f"suppressions removed{suffix}", len(found.suppressions.fixed)
    fixed: dict[str, list[str]] = {}
    for finding in found.findings.fixed:
        fixed.setdefault(finding.rule, []).append(f"{finding.place.path}:{finding.place.line}")
    for rule, places in sorted(fixed.items()):
        yield f"fixed {rule}{suffix}", ", ".join(places)
    for remark in found.remarks:
        yield f"before side of {remark.path}", remark.reason
