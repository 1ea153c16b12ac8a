"""A verdict as JSON, described by schemas/verdict.schema.json.

The same change gives the same document through any door, but for `source`, `seconds` and what a search cut
short by its time limit missed (`witness`).
"""

from __future__ import annotations

import json
from pathlib import Path

from scaffold_cli import __version__
from scaffold_cli.model.plain import Json
from scaffold_cli.model.verdict import LayerResult, Note, Place, Verdict, Violation
from scaffold_cli.report.escape import plain
from scaffold_cli.report.interface import Source, exit_code

SCHEMA_ID = "urn:scaffold-cegis:schema:verdict:1"
PUBLISHED = Path(__file__).parent / "schemas" / "verdict.schema.json"


def render_json(verdict: Verdict, source: Source) -> str:
    """The document, indented, with a final newline."""
    return json.dumps(verdict_document(verdict, source), indent=2) + "\n"


def verdict_document(verdict: Verdict, source: Source) -> dict[str, Json]:
    """The document as JSON values; text holds no lone surrogates."""
    return {
        "schema": SCHEMA_ID,
        "tool": {"name": "scaffold", "version": __version__},
        "decision": verdict.decision.value,
        "exit_code": exit_code(verdict.decision).value,
        "change": verdict.change,
        "files": verdict.files,
        "layers": [_layer(layer) for layer in verdict.layers],
        "notes": [_note(note) for note in verdict.notes],
        "waivers": [{"violation": waiver.violation, "reason": plain(waiver.reason)} for waiver in verdict.waivers],
        "source": {"door": source.door.value, "base": _text(source.base), "head": _text(source.head)},
        "seconds": {
            "total": round(verdict.seconds, 3),
            "layers": {layer.layer.value: round(layer.seconds, 3) for layer in verdict.layers},
        },
    }


def _layer(result: LayerResult) -> Json:
    return {
        "layer": result.layer.value,
        "status": result.status.value,
        "reason": plain(result.reason),
        "facts": {name: plain(value) if isinstance(value, str) else value for name, value in result.facts},
        "violations": [violation_document(violation) for violation in result.violations],
    }


def violation_document(violation: Violation) -> dict[str, Json]:
    """One violation as JSON values."""
    return {
        "id": violation.id,
        "layer": violation.layer.value,
        "code": violation.code,
        "effect": violation.effect.value,
        "severity": violation.severity.value if violation.severity else None,
        "what": plain(violation.what),
        "why": plain(violation.why),
        "keep": plain(violation.keep),
        "because": plain(violation.because),
        "cwe": list(violation.cwe),
        "subject": plain(violation.subject),
        "before": _place(violation.before),
        "after": _place(violation.after),
        "waiver": _text(violation.waiver),
        "witness": plain(violation.witness),
    }


def _place(place: Place | None) -> Json:
    if place is None:
        return None
    return {
        "path": plain(place.path),
        "line": place.line,
        "end_line": place.end_line,
        "text": plain(place.text),
        "symbol": plain(place.symbol),
    }


def _note(note: Note) -> Json:
    return {"code": note.code, "text": plain(note.text), "path": plain(note.path)}


def _text(value: str | None) -> str | None:
    return None if value is None else plain(value)
