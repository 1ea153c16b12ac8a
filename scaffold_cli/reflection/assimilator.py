"""Assimilator: what a rejected candidate teaches, kept for later prompts (SCAFFOLD-CEGIS)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scaffold_cli.model.plain import canonical, to_plain
from scaffold_cli.model.protection import Anchor, Strength
from scaffold_cli.model.verdict import Effect, Verdict, Violation

CAP = 12
"""Lessons in a prompt at most; those learned most often come first."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One rule (our choice SC-16). `evidence` is the digest of the verdict it was first learned from."""

    rule: str
    """One sentence."""
    layer: str
    code: str
    anchors: tuple[str, ...]
    evidence: str
    step: int
    seen: int = 1
    """How many rejected candidates taught it."""
    advice: str = ""
    """What a model adds: how to reach the goal within the rule. It stands beside the rule, never in its place."""

    @property
    def text(self) -> str:
        """The rule and the advice, as a prompt names them."""
        return f"{self.rule} {self.advice}".rstrip()


def lessons_of(verdict: Verdict, step: int) -> tuple[Lesson, ...]:
    """The lessons of a rejected candidate, written by template: one for each blocking violation."""
    digest = hashlib.sha256(canonical(to_plain(verdict))).hexdigest()[:16]
    return tuple(
        Lesson(_rule(found), found.layer.value, found.code, (found.subject,) if found.subject else (), digest, step)
        for found in verdict.violations
        if found.effect is Effect.BLOCKS and found.waiver is None
    )


def _rule(found: Violation) -> str:
    if found.keep:
        return found.keep
    where = f" in {found.before.path}" if found.before else ""
    return f"Do not repeat this{where}: {found.what}"


class Assimilator:
    """Collects lessons.

    Equal rules are merged, the set is capped, attacked anchors gain priority. Nothing is ever relaxed.
    """

    def __init__(self, cap: int = CAP) -> None:
        self._cap = cap
        self._lessons: dict[tuple[str, str], Lesson] = {}
        self._attacked: Counter[str] = Counter()

    def learn(self, verdict: Verdict, step: int) -> tuple[Lesson, ...]:
        """Take in a rejected candidate and return what it taught."""
        taught = lessons_of(verdict, step)
        for lesson in taught:
            known = self._lessons.get((lesson.layer, lesson.rule))
            if known is None:
                self._lessons[lesson.layer, lesson.rule] = lesson
            else:
                anchors = tuple(dict.fromkeys((*known.anchors, *lesson.anchors)))
                self._lessons[lesson.layer, lesson.rule] = replace(known, anchors=anchors, seen=known.seen + 1)
            self._attacked.update(lesson.anchors)
        return taught

    def known(self, lesson: Lesson) -> Lesson:
        """The lesson with that rule as it is kept. Raises KeyError for one never learned."""
        return self._lessons[lesson.layer, lesson.rule]

    def advise(self, lesson: Lesson, advice: str) -> None:
        """Add a model's advice to a lesson that was learned."""
        self._lessons[lesson.layer, lesson.rule] = replace(self.known(lesson), advice=advice)

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """At most `cap`, those taught most often first, then the latest."""
        return tuple(sorted(self._lessons.values(), key=lambda item: (-item.seen, -item.step, item.rule))[: self._cap])

    def prioritised(self, anchors: Iterable[Anchor]) -> Sequence[Anchor]:
        """Anchors in the order a prompt names them: attacked ones first, then hard before soft."""
        return sorted(
            anchors,
            key=lambda anchor: (-self._attacked[anchor.id], anchor.strength is not Strength.HARD, anchor.id),
        )
