"""The anchors layer: every protection of the before side must still do its work."""

from __future__ import annotations

from collections import Counter

from scaffold_cli.anchoring.catalogue import Catalogue, load, merged
from scaffold_cli.anchoring.comparing import Fates, compare_change
from scaffold_cli.anchoring.declared.looking import declared
from scaffold_cli.anchoring.disarming.interface import Disarmed
from scaffold_cli.anchoring.disarming.looking import disarmed
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.anchors_elsewhere import elsewhere
from scaffold_cli.gate.layers.anchors_evidence import losses, violation
from scaffold_cli.gate.layers.anchors_shadowed import shadowed
from scaffold_cli.gate.layers.anchors_suspected import suspected
from scaffold_cli.gate.layers.anchors_unread import unread
from scaffold_cli.model.change import Change
from scaffold_cli.model.protection import Outcome
from scaffold_cli.model.verdict import Effect, LayerName, LayerResult, Place, Violation


class AnchorsLayer:
    """Hard anchors that no longer hold block, soft ones warn, files nobody could read leave it undecided."""

    name = LayerName.ANCHORS

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        """Compare the step, and the whole way from the chain's baseline when there is one."""
        catalogue = _catalogue(context)
        step = compare_change(change, context.before, context.after, catalogue)
        violations = _violations(change, step, catalogue)
        if context.baseline is not None:
            whole = compare_change(context.baseline, None, context.after, catalogue)
            violations += _violations(context.baseline, whole, catalogue)
        violations += elsewhere(change, context.after)
        violations += shadowed(change, context.before, context.after)
        paths = context.after.paths if context.after is not None else tuple
        violations += [_disarmed(found, context) for found in (*disarmed(change), *declared(change, paths))]
        unique = {violation.id: violation for violation in violations}
        outcomes = Counter(fate.outcome for fate in step.fates)
        facts = [(outcome.value, outcomes[outcome]) for outcome in Outcome if outcomes[outcome]]
        count = len(step.fates)
        reason = f"{count} protection{'' if count == 1 else 's'} compared in what the change touches"
        found = _with_witnesses(tuple(unique.values()), change, context)
        return LayerResult.judged(self.name, found, reason=reason, facts=facts)


def _disarmed(found: Disarmed, context: JudgeContext) -> Violation:
    lines = ((context.after.read(found.path) if context.after else None) or b"").decode("utf-8", "replace").split("\n")
    text = lines[found.line - 1] if 0 < found.line <= len(lines) else ""
    return Violation(
        layer=LayerName.ANCHORS,
        code=found.code,
        effect=Effect.BLOCKS,
        what=found.what,
        why="A protection that is still written down but has no effect protects nothing.",
        keep="Let it take effect as it did, and let the text read as it runs.",
        because="the definition or its surroundings take the effect away",
        after=Place(found.path, found.line, found.line, text, found.symbol),
        subject=f"{found.code} {found.symbol}",
    )


def _with_witnesses(violations: tuple[Violation, ...], change: Change, context: JudgeContext) -> tuple[Violation, ...]:
    """The same violations, with inputs that show the difference where some are found in time."""
    settings = context.policy.root
    if context.open_before is None or context.open_after is None or not violations:
        return violations
    # Imported here: without a violation nothing is searched.
    from scaffold_cli.witness.search import Sides, with_witnesses

    command = settings.tests.command
    allowed = ("tests.command", context.policy.tests_folder(""), command) not in context.policy.refused
    sides = Sides(context.open_before, context.open_after, command.split() if allowed else [])
    return with_witnesses(violations, change, sides, settings.anchors.witness_seconds)


def _catalogue(context: JudgeContext) -> Catalogue:
    """The shipped catalogue with the folders the policy names, read from the before tree like the policy itself."""
    tree = context.before
    folders = _folders(context)
    if tree is None or not folders:
        return load()
    wanted = tuple(f"{base}/{name}".strip("/").rstrip("/") + "/" for base, name in folders)
    paths = [path for path in tree.paths() if path.startswith(wanted) and path.endswith(".yml")]
    return merged(tuple((path, tree.read(path) or b"") for path in paths))


def _folders(context: JudgeContext) -> list[tuple[str, str]]:
    policy = context.policy
    settings = [("", policy.root), *policy.folders.items()]
    return [(base, name) for base, found in settings for name in found.anchors.catalogue]


def _violations(change: Change, fates: Fates, catalogue: Catalogue) -> list[Violation]:
    violations = [*unread(change)]
    for problem in fates.unparsable:
        violations.append(
            Violation(
                layer=LayerName.ANCHORS,
                code="unparsable",
                effect=Effect.UNDECIDED,
                what=f"{problem.path} cannot be read on the {problem.side} side: {problem.problem}.",
                why="What cannot be read cannot be compared, so nothing is said about its protections.",
                keep="Make the file parse, or judge it by eye.",
                before=Place(problem.path, 1, 1) if problem.side == "before" else None,
                after=Place(problem.path, 1, 1) if problem.side == "after" else None,
            )
        )
    violations += [violation(loss, change, catalogue) for loss in losses(fates.fates, fates.after_places)]
    return violations + ([suspected(fates.suspicion, change)] if fates.suspicion is not None else [])
