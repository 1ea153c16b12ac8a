"""Protections and anchors: the defences mined from code (SCAFFOLD-CEGIS, three levels)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli.model.verdict import Place


class ProtectionKind(StrEnum):
    """What sort of defence it is."""

    GUARD = "guard"
    HANDLER = "handler"
    DECORATOR = "decorator"
    CALL = "call"
    SETTING = "setting"
    SIGNATURE = "signature"


class Level(StrEnum):
    """The three mining levels of the paper."""

    FUNCTION = "function"
    DATA_FLOW = "data-flow"
    PATTERN = "pattern"


class Strength(StrEnum):
    """Hard blocks; soft is reported and fed to the proposer (our choices SC-3, SC-4)."""

    HARD = "hard"
    SOFT = "soft"


class Doubt(StrEnum):
    """Why a loss may be none; what the whole change reads like decides."""

    NONE = "none"
    WORDING = "wording"
    """Nothing shows whether it is weaker now or only in other words."""
    SHAPE = "shape"
    """It was recognised by its shape alone, as refusals are; no name that the catalogue knows says that it protects."""


class Outcome(StrEnum):
    """What became of a protection in a change."""

    KEPT = "kept"
    MOVED = "moved"
    RENAMED = "renamed"
    STRENGTHENED = "strengthened"
    WEAKENED = "weakened"
    LOST = "lost"
    BYPASSED = "bypassed"
    NEUTERED = "neutered"

    @property
    def holds(self) -> bool:
        """True when the defence still does its work."""
        return self in (Outcome.KEPT, Outcome.MOVED, Outcome.RENAMED, Outcome.STRENGTHENED)


@dataclass(frozen=True, slots=True)
class Protection:
    """One mined defence.

    `subject` is what it protects (a sink such as ``open``, an entry point, a value), `condition` its
    condition in normal form, `action` what it does when it strikes ("raise ValueError", "return", "call").
    `rule` names the catalogue entry it was recognised by, empty for structural recognition.
    """

    kind: ProtectionKind
    level: Level
    subject: str
    condition: str
    action: str
    place: Place
    rule: str = ""
    cwe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A pinned protection. `id` is stable under line shifts; `because` is the rule behind its strength."""

    id: str
    protection: Protection
    strength: Strength
    because: str


@dataclass(frozen=True, slots=True)
class AnchorFate:
    """What became of one anchor: the outcome, how it was weakened, and its counterpart afterwards."""

    anchor: Anchor
    outcome: Outcome
    how: str = ""
    after: Protection | None = None
    doubt: Doubt = Doubt.NONE
