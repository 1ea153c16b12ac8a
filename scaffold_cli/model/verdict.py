"""What the judge says: violations, layer results and the verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum


class LayerName(StrEnum):
    """The four layers, in the order they are reported (SCAFFOLD-CEGIS, gate layers 1 to 4)."""

    TESTS = "tests"
    SAST = "sast"
    BUDGET = "budget"
    ANCHORS = "anchors"


class LayerStatus(StrEnum):
    """What one layer concludes."""

    PASS = "pass"
    FAIL = "fail"
    UNDECIDED = "undecided"
    SKIPPED = "skipped"


class Decision(StrEnum):
    """What the verdict is. Undecided fails closed."""

    ACCEPT = "accept"
    REJECT = "reject"
    UNDECIDED = "undecided"


class Effect(StrEnum):
    """What one violation does to its layer."""

    BLOCKS = "blocks"
    UNDECIDED = "undecided"
    WARNS = "warns"
    WAIVED = "waived"


class Severity(StrEnum):
    """How bad a finding or a loss is."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Place:
    """A range of lines on one side. `line` and `end_line` are 1-based and inclusive; `text` holds those lines."""

    path: str
    line: int
    end_line: int
    text: str = ""
    symbol: str = ""
    """Enclosing function or class, dotted; empty at module level."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One piece of evidence a reviewer can act on.

    `what` says what was there and what became of it, `why` why it matters, `keep` how to keep it; each
    is one sentence. `because` gives the rule behind the effect ("hard because it dominates open()").
    `code` is the stable kebab-case kind ("guard-lost"). `id` is derived, stable for the same change.
    """

    layer: LayerName
    code: str
    effect: Effect
    what: str
    why: str = ""
    keep: str = ""
    because: str = ""
    cwe: tuple[str, ...] = ()
    severity: Severity | None = None
    before: Place | None = None
    after: Place | None = None
    subject: str = ""
    """What tells this violation from its siblings (an anchor id, a fingerprint, a test id); feeds `id`."""
    waiver: str | None = None
    """The reason given when somebody let it pass."""
    witness: str = ""
    """An input the old code refused and the new one accepts, found by running both; no part of `id` or decision."""

    @property
    def id(self) -> str:
        """Stable name such as ``anchors-1f2e3d4c5b``: layer plus 10 hex digits; lines take no part in it."""
        place = self.after or self.before
        where = (place.path, place.symbol) if place else ("", "")
        key = "\0".join((self.code, *where, self.subject or self.what))
        digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()
        return f"{self.layer.value}-{digest[:10]}"


@dataclass(frozen=True, slots=True)
class LayerResult:
    """What one layer concludes, with its evidence. Build it with `judged` or `skipped`."""

    layer: LayerName
    status: LayerStatus
    violations: tuple[Violation, ...] = ()
    reason: str = ""
    """Why it was skipped, or one line on what was looked at."""
    facts: tuple[tuple[str, str | int | float | bool], ...] = ()
    """Measures worth showing: ("tests passed", 41), ("engine", "semgrep 1.185.0")."""
    seconds: float = 0.0

    @staticmethod
    def judged(
        layer: LayerName,
        violations: Iterable[Violation] = (),
        *,
        reason: str = "",
        facts: Iterable[tuple[str, str | int | float | bool]] = (),
        seconds: float = 0.0,
    ) -> LayerResult:
        """A layer that looked: fail when anything blocks, else undecided when anything is, else pass."""
        found = tuple(violations)
        effects = {violation.effect for violation in found}
        if Effect.BLOCKS in effects:
            status = LayerStatus.FAIL
        elif Effect.UNDECIDED in effects:
            status = LayerStatus.UNDECIDED
        else:
            status = LayerStatus.PASS
        return LayerResult(layer, status, found, reason, tuple(facts), seconds)

    @staticmethod
    def skipped(layer: LayerName, because: str) -> LayerResult:
        """A layer that did not look, and says why."""
        return LayerResult(layer, LayerStatus.SKIPPED, reason=because)

    def with_violations(self, violations: Iterable[Violation]) -> LayerResult:
        """The same result with other violations (waivers applied), status derived anew."""
        if self.status is LayerStatus.SKIPPED:
            return self
        judged = LayerResult.judged(self.layer, violations)
        return replace(self, status=judged.status, violations=judged.violations)


@dataclass(frozen=True, slots=True)
class Waiver:
    """Permission for one violation, given by the person who runs the command or, `standing`, by the configuration."""

    violation: str
    reason: str
    standing: bool = False
    """It may name a violation that is not there: most changes have none of those it speaks of."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something the reader must know that is no violation: a file not looked at, a policy not yet in force."""

    code: str
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judge's answer for one change. Everything but `seconds` and the witnesses of violations (which a
    slow machine may miss) is a function of the change and the policy."""

    decision: Decision
    layers: tuple[LayerResult, ...]
    change: str
    """Digest of the change that was judged."""
    files: int
    notes: tuple[Note, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    seconds: float = 0.0

    @property
    def violations(self) -> tuple[Violation, ...]:
        """All violations, in layer order."""
        return tuple(violation for layer in self.layers for violation in layer.violations)

    def layer(self, name: LayerName) -> LayerResult | None:
        """The result of one layer, or None when it was not asked for."""
        return next((result for result in self.layers if result.layer is name), None)
