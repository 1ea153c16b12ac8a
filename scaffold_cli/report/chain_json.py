"""Chains and attempts as JSON; a verdict in them has the same form as the one `check` writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scaffold_cli.chain.metrics import measure
from scaffold_cli.chain.view import ChainView
from scaffold_cli.model.chain import Attempt
from scaffold_cli.model.change import Door
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.report.interface import Source
from scaffold_cli.report.json_ import verdict_document


def chain_document(found: ChainView) -> dict[str, Json]:
    """A whole chain with its attempts and measures."""
    plain = to_plain(replace(found, attempts=()))
    assert isinstance(plain, dict)
    attempts: list[Json] = [attempt_document(attempt) for attempt in found.attempts]
    return {**plain, "attempts": attempts, "metrics": to_plain(measure(found.start, found.attempts))}


def attempt_document(attempt: Attempt) -> dict[str, Json]:
    """One attempt, with its verdict when the gate looked at it."""
    plain = to_plain(replace(attempt, verdict=None))
    assert isinstance(plain, dict)
    source = Source(Door.CANDIDATE, attempt.base, attempt.tree)
    return {**plain, "verdict": verdict_document(attempt.verdict, source) if attempt.verdict else None}


def audit_documents(found: ChainView, attempts: Sequence[Attempt], audits: Sequence[Json]) -> list[Json]:
    """For each attempt what its proposer told of how it came about, what the gate said, and the case it became."""
    cases = {(item.step, item.attempt): item.case for item in found.learned}
    return [
        {
            "step": attempt.step,
            "attempt": attempt.attempt,
            "outcome": attempt.outcome.value,
            "decision": attempt.verdict.decision.value if attempt.verdict else None,
            "audit": audit,
            "stored": cases.get((attempt.step, attempt.attempt)),
        }
        for attempt, audit in zip(attempts, audits, strict=True)
    ]
