"""From a comparison to a verdict: the one path behind `check`, `run`, hooks and CI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli import clock
from scaffold_cli.config.loading import load_policy
from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import SandboxSettings
from scaffold_cli.config.waivers import standing
from scaffold_cli.gate.engine import judge
from scaffold_cli.gate.layer import JudgeContext, Mode, Reports
from scaffold_cli.gate.layers import build
from scaffold_cli.model.change import Change, FileChange
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.verdict import LayerName, Note, Verdict, Waiver

if TYPE_CHECKING:
    from scaffold_cli.sandbox.interface import IsolationKind, Workspace
    from scaffold_cli.sast.warm import Warm
    from scaffold_cli.vcs.compare import Comparison
    from scaffold_cli.vcs.tree import GitTree


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What the person who runs the command chose. `layers` None means those of the policy.

    `overrides` are dotted setting keys from the command line ("tests.command"); they win over every
    configuration file. `cache` is a folder for results keyed by content, or None for no cache.
    """

    mode: Mode = Mode.CHECK
    layers: tuple[LayerName, ...] | None = None
    waivers: tuple[Waiver, ...] = ()
    overrides: Mapping[str, object] = field(default_factory=dict)
    isolation: IsolationKind | None = None
    cache: Path | None = None
    reports: Reports | None = None
    """SARIF made elsewhere; the folders of the comparison are added to its roots."""
    warm: Warm | None = None
    """Resident scanners, kept by who gives many verdicts."""
    policy: Policy | None = None
    """A policy read elsewhere (a chain reads it once, at its baseline); None reads it from the before side."""


def policy_of(comparison: Comparison, overrides: Mapping[str, object]) -> Policy:
    """The policy in force for a comparison, from its before side: a change cannot excuse itself."""
    paths = [side.path for pair in comparison.change.files for side in pair.sides]
    return load_policy(comparison.before, paths, overrides)


def judge_comparison(
    comparison: Comparison,
    options: SessionOptions | None = None,
    *,
    baseline: Change | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Judge what a door, or a chain, hands in.

    `baseline` is the change from the chain's start, which the step is held against as well.
    Raises UsageError for a bad configuration or a waiver that names nothing.
    """
    options = options or SessionOptions()
    policy = options.policy or policy_of(comparison, options.overrides)
    context = JudgeContext(
        policy=policy,
        mode=options.mode,
        before=comparison.before,
        after=comparison.after,
        open_before=_Opener(comparison.before, comparison.before_folder, options.isolation, policy.root.sandbox),
        open_after=_Opener(comparison.after, comparison.folder, options.isolation, policy.root.sandbox),
        baseline=baseline,
        cache=options.cache,
        warm=options.warm,
        reports=options.reports and _rooted(options.reports, comparison),
        progress=progress or Progress(),
    )
    layers = build(policy.root.layers if options.layers is None else options.layers)
    by_hand = {waiver.violation for waiver in options.waivers}
    kept = [waiver for waiver in standing(policy, clock.today()) if waiver.violation not in by_hand]
    verdict = judge(comparison.change, context, layers, (*options.waivers, *kept))
    return replace(verdict, notes=(*verdict.notes, *_policy_notes(comparison.change)))


def _rooted(reports: Reports, comparison: Comparison) -> Reports:
    folders = (comparison.folder, comparison.before_folder)
    return replace(reports, roots=(*reports.roots, *(str(folder.resolve()) for folder in folders)))


@dataclass(frozen=True, slots=True)
class _Opener:
    """Opens a fresh workspace of one tree when called; loads the sandbox only then."""

    tree: GitTree
    folder: Path
    kind: IsolationKind | None
    settings: SandboxSettings

    def __call__(self) -> Workspace:
        from scaffold_cli.sandbox.confinement import Confinement
        from scaffold_cli.sandbox.workspaces import open_workspace

        return open_workspace(self.tree, self.folder, kind=self.kind, rules=Confinement.of(self.settings))


def _policy_notes(change: Change) -> Sequence[Note]:
    return [
        Note(
            "policy-not-in-force",
            f"{pair.path} changes the policy; the policy of the before side judged this change.",
            pair.path,
        )
        for pair in change.files
        if _touches_policy(pair)
    ]


def _touches_policy(pair: FileChange) -> bool:
    names = {side.path.rpartition("/")[2] for side in pair.sides}
    if "scaffold.toml" in names:
        return True
    return "pyproject.toml" in names and any(b"tool.scaffold" in side.data for side in pair.sides)
