"""Layer 3, the diff budget: one step stays small enough to be read (SCAFFOLD-CEGIS; limits are our choice SC-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scaffold_cli.config.schema import BudgetEffect, BudgetSettings
from scaffold_cli.gate.layer import JudgeContext, Mode
from scaffold_cli.gate.layers.budget_count import FileCount, lost_in, measure
from scaffold_cli.model.change import Change, FileChange, FileStatus
from scaffold_cli.model.verdict import Effect, LayerName, LayerResult, Place, Violation

_NAMED = 3
"""How many contributors a violation names."""
_WHY = "A step that is larger than agreed cannot be reviewed with the care that each check in it needs."
_SMALLER = "Split the step, or raise {key} if a step of this size is intended."


class BudgetLayer:
    """Holds changed lines, net deleted lines, files and public signatures against their limits.

    Each folder with a configuration of its own has its own sums and limits. Going over blocks or warns as
    `budget.effect` says; what could not be counted leaves the layer undecided where going over would block.
    """

    name = LayerName.BUDGET

    def judge(self, change: Change, context: JudgeContext) -> LayerResult:
        """Count once, then compare folder by folder."""
        folders: dict[str, list[FileChange]] = {}
        for pair in change.files:
            for folder in context.policy.folders_of(side.path for side in pair.sides):
                folders.setdefault(folder, []).append(pair)
        sums = []
        violations: list[Violation] = []
        for folder, pairs in sorted(folders.items()):
            settings = context.policy.for_folder(folder).budget
            part = _Part(folder, settings, tuple(measure(pair) for pair in pairs), _blocks(settings, context.mode))
            sums.append(part)
            violations += part.violations()
        return LayerResult.judged(self.name, violations, facts=_facts(sums))


def _blocks(settings: BudgetSettings, mode: Mode) -> bool:
    if settings.effect is BudgetEffect.AUTO:
        return mode is Mode.RUN
    return settings.effect is BudgetEffect.BLOCK


@dataclass(frozen=True, slots=True)
class _Part:
    """The part of a change that one configuration governs."""

    folder: str
    settings: BudgetSettings
    counts: tuple[FileCount, ...]
    blocks: bool

    @property
    def added(self) -> int:
        return sum(count.added for count in self.counts)

    @property
    def deleted(self) -> int:
        return sum(count.deleted for count in self.counts)

    @property
    def files(self) -> int:
        return sum(count.differs for count in self.counts)

    def violations(self) -> list[Violation]:
        """One for each limit passed and one for each file that could not be counted."""
        return [*self._lines(), *self._deleted(), *self._files(), *self._signatures(), *self._uncounted()]

    def _lines(self) -> Iterable[Violation]:
        changed, limit = self.added + self.deleted, self.settings.changed_lines
        if changed > limit:
            top = sorted(self.counts, key=lambda count: (-count.changed, count.path))
            largest = [f"{count.path} (+{count.added} -{count.deleted})" for count in top if count.changed]
            what = f"The step changes {_lines(changed)} of code, {limit} are allowed: {_some(largest)}."
            yield self._over("budget-changed-lines", what, "changed-lines", top[0].pair)

    def _deleted(self) -> Iterable[Violation]:
        net, limit = max(0, self.deleted - self.added), self.settings.deleted_lines
        if net > limit:
            top = sorted(self.counts, key=lambda count: (count.added - count.deleted, count.path))
            largest = [
                f"{count.path} ({count.added - count.deleted:+})" for count in top if count.deleted > count.added
            ]
            what = f"The step takes away {_lines(net)} of code net, {limit} are allowed: {_some(largest)}."
            yield self._over("budget-deleted-lines", what, "deleted-lines", top[0].pair)

    def _files(self) -> Iterable[Violation]:
        limit = self.settings.files
        if self.files > limit:
            touched = [count for count in self.counts if count.differs]
            what = f"The step touches {self.files} files, {limit} are allowed: {_some([c.path for c in touched])}."
            yield self._over("budget-files", what, "files", touched[0].pair)

    def _signatures(self) -> Iterable[Violation]:
        lost, limit = lost_in(self.counts), self.settings.public_signatures
        if len(lost) > limit:
            listed = _some([f"{one} ({one.path}:{one.line})" for one in lost])
            what = f"The step removes or changes {len(lost)} public signatures, {limit} are allowed: {listed}."
            pair = next(count.pair for count in self.counts if count.before_path == lost[0].path)
            yield self._over("budget-signatures", what, "public-signatures", pair)

    def _uncounted(self) -> Iterable[Violation]:
        for count in self.counts:
            if count.problem:
                yield Violation(
                    layer=LayerName.BUDGET,
                    code="budget-not-counted",
                    effect=Effect.UNDECIDED if self.blocks else Effect.WARNS,
                    what=f"The size of the change to {count.path} is not known: {count.problem}.",
                    why="What was not counted must not be taken for nothing.",
                    subject=count.path,
                    after=_place(count.pair),
                    before=_place_before(count.pair),
                )

    def _over(self, code: str, what: str, key: str, largest: FileChange) -> Violation:
        return Violation(
            layer=LayerName.BUDGET,
            code=code,
            effect=Effect.BLOCKS if self.blocks else Effect.WARNS,
            what=what,
            why=_WHY,
            keep=_SMALLER.format(key=f"budget.{key}"),
            because=f"over budget.{key}" + (f" of {self.folder}/" if self.folder else ""),
            subject=key,
            after=_place(largest),
            before=_place_before(largest),
        )


def _place(pair: FileChange) -> Place | None:
    return None if pair.after is None else Place(pair.after.path, 1, 1)


def _place_before(pair: FileChange) -> Place | None:
    return None if pair.before is None or pair.status is not FileStatus.DELETED else Place(pair.before.path, 1, 1)


def _lines(count: int) -> str:
    return f"{count} line" if count == 1 else f"{count} lines"


def _some(items: Sequence[str]) -> str:
    """The first few, and how many more there are."""
    shown = ", ".join(items[:_NAMED])
    return shown if len(items) <= _NAMED else f"{shown} and {len(items) - _NAMED} more"


def _facts(parts: Sequence[_Part]) -> list[tuple[str, int]]:
    added, deleted = sum(part.added for part in parts), sum(part.deleted for part in parts)
    return [
        ("changed lines", added + deleted),
        ("added lines", added),
        ("deleted lines", deleted),
        ("net deleted lines", max(0, deleted - added)),
        ("files", sum(part.files for part in parts)),
        ("public signatures removed or changed", sum(len(lost_in(part.counts)) for part in parts)),
    ]
