"""Audit evidence of one proposal (goal G2 of Reflection-Driven Control).

What was flagged, found, asked and answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scaffold_cli.memory.retrieval import Evidence
from scaffold_cli.reflection.dialogue import Call
from scaffold_cli.reflection.engine import Record
from scaffold_cli.reflection.self_check import SelfCheck


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a retrieval gave: ids with similarities, from which memory."""

    source: str
    embedding: str
    cases: tuple[tuple[str, float], ...]
    guidance: tuple[tuple[str, float], ...]
    seconds: float

    @staticmethod
    def of(evidence: Evidence) -> Retrieved:
        """The evidence without its texts."""
        return Retrieved(
            evidence.source.value,
            evidence.embedding,
            tuple((hit.case.id, round(hit.similarity, 4)) for hit in evidence.cases),
            tuple((hit.guidance.cwe, round(hit.similarity, 4)) for hit in evidence.documents),
            round(evidence.seconds, 4),
        )


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One proposal. What the gate said of it stands in the same ledger entry, what was stored in the one after it."""

    flagged: tuple[str, ...] = ()
    """Violations of earlier candidates of this step, as ids, and what the self-check gave as its reason."""
    checks: tuple[SelfCheck, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()
    records: tuple[Record, ...] = ()
    calls: tuple[Call, ...] = ()
    templates: str = ""
    """Digest of the prompt templates in use (our choice RX-12)."""
    tokens: int = 0
    money: float | None = None
    rounds: int = 0
    doubt: str = ""
    """Why what was handed in is still not called safe; empty when it is, or nobody was asked."""


@dataclass(slots=True)
class Auditor:
    """Collects what an AuditRecord holds."""

    flagged: list[str] = field(default_factory=list)
    checks: list[SelfCheck] = field(default_factory=list)
    retrieved: list[Retrieved] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    rounds: int = 0
    doubt: str = ""
