"""A request as the JSON file a program is given; published as ``schemas/request.schema.json``."""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.model.plain import Json, canonical, to_plain
from scaffold_cli.model.verdict import Violation
from scaffold_cli.proposers.interface import Counterexample, Request

SCHEMA = "scaffold-request/1"
SCHEMA_FILE = Path(__file__).resolve().parent / "schemas" / "request.schema.json"


def request_json(request: Request) -> bytes:
    """The JSON document of `request`: ASCII, so undecodable path bytes survive as lone surrogate escapes."""
    return canonical(
        {
            "schema": SCHEMA,
            "goal": request.goal,
            "paths": to_plain(request.paths),
            "files": to_plain(sorted(request.files)),
            "step": request.step,
            "attempt": request.attempt,
            "time_limit": request.time_limit,
            "anchors": to_plain(request.anchors),
            "counterexamples": [_counterexample(item) for item in request.counterexamples],
        }
    )


def _counterexample(item: Counterexample) -> Json:
    return {
        "step": item.step,
        "attempt": item.attempt,
        "reason": item.reason,
        "diff": item.diff,
        "decision": item.verdict.decision.value if item.verdict else None,
        "violations": [_violation(violation) for violation in item.verdict.violations] if item.verdict else [],
    }


def _violation(violation: Violation) -> Json:
    plain = to_plain(violation)
    assert isinstance(plain, dict)
    return {"id": violation.id, **plain}
