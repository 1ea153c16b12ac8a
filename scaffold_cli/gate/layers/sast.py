"""Layer 2: no new finding of a gated severity, and no new mark that silences a scanner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli.config.schema import SastSettings
from scaffold_cli.config.trust import require
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.sast_evidence import new_finding, new_suppression, not_judged
from scaffold_cli.model.change import Change, FileChange
from scaffold_cli.model.verdict import Effect, LayerName, LayerResult, Violation
from scaffold_cli.sast.inspection import Inspection, concerns, inspect, languages_of
from scaffold_cli.sast.rule_files import users_rules
from scaffold_cli.sast.rules import RuleSet, load

if TYPE_CHECKING:
    from scaffold_cli.gate.layers.sast_reports import Part

Fact = tuple[str, str | int | float | bool]
_NOTHING = "No changed file is in a language the rules speak of."


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
            rules = replace(rules, packs=settings.packs)
            concerned = [pair for pair in pairs if concerns(pair, rules)]
            if not concerned:
                continue
            require(context.policy, "sast.engine", "", settings.engine)
            found = inspect(
                concerned, rules, engine=settings.engine, timeout=settings.timeout, cache=cache, warm=context.warm
            )
            violations.extend(_violations(found, settings))
            facts.extend(_facts(found, rules, settings, folder))
        for part in _further(change, context):
            violations.extend(part.violations)
            facts.extend(part.facts)
        reason = "" if facts or violations else _NOTHING
        return LayerResult.judged(self.name, _strictest(violations), reason=reason, facts=facts)


def _further(change: Change, context: JudgeContext) -> Sequence[Part]:
    """The other scanners; what they need is not even imported when there are none."""
    policies = (context.policy.root, *context.policy.folders.values())
    if context.reports is None and not any(settings.sast.command for settings in policies):
        return ()
    from scaffold_cli.gate.layers.sast_reports import further_scanners

    return further_scanners(change, context)


def _by_folder(change: Change, context: JudgeContext) -> dict[str, list[FileChange]]:
    folders: dict[str, list[FileChange]] = {}
    for pair in change.files:
        for folder in context.policy.folders_of(side.path for side in pair.sides):
            folders.setdefault(folder, []).append(pair)
    return folders


def _strictest(violations: list[Violation]) -> list[Violation]:
    """Each violation once: a file that moved between folders is judged by both, and the stricter one counts."""
    kept: dict[str, Violation] = {}
    for violation in sorted(violations, key=lambda item: item.effect is not Effect.BLOCKS):
        kept.setdefault(violation.id, violation)
    return [violation for violation in violations if kept.get(violation.id) is violation]


def _violations(found: Inspection, settings: SastSettings) -> Iterator[Violation]:
    for finding in found.findings.new:
        yield new_finding(finding, settings.gate)
    for mark in found.suppressions.new:
        yield new_suppression(mark)
    for problem in found.problems:
        yield not_judged(problem)


def _facts(found: Inspection, rules: RuleSet, settings: SastSettings, folder: str) -> Iterator[Fact]:
    suffix = f" ({folder})" if folder else ""
    yield f"engine{suffix}", f"{Path(settings.engine).name} {found.engine}".strip()
    yield f"rules for these languages{suffix}", f"{len(rules.rules)} ({rules.digest[:12]})"
    if rules.packs:
        yield f"packs{suffix}", ", ".join(rules.packs)
    if rules.unused:
        yield f"rules for other languages{suffix}", rules.unused
    yield f"file versions scanned{suffix}", found.files
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
