"""A verdict as SARIF 2.1.0: one run, one tool, stable fingerprints (hosts refuse more than twenty runs)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from scaffold_cli import __version__
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.plain import Json
from scaffold_cli.model.verdict import Decision, Effect, LayerName, Place, Severity, Verdict, Violation
from scaffold_cli.report.escape import plain, uri
from scaffold_cli.report.interface import Source, exit_code

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "scaffoldViolation/v1"
LEVELS = ("note", "warning", "error")
ASKED: dict[LayerName, str] = {
    LayerName.TESTS: "Every test that passed before the change must be there and pass after it.",
    LayerName.SAST: "The change must bring no new serious finding and hide none.",
    LayerName.BUDGET: "One step must stay small enough to review.",
    LayerName.ANCHORS: "The defences found in the code must still do their work after the change.",
}
# The scale code hosts read as a CVSS-like score: over 9.0 critical, 7.0 high, 4.0 medium.
SCORES: dict[Severity, str] = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "2.0",
    Severity.INFO: "0.0",
}


def render_sarif(verdict: Verdict, source: Source) -> str:
    """The log, indented, with a final newline."""
    return json.dumps(sarif_log(verdict, source), indent=2) + "\n"


def sarif_log(verdict: Verdict, source: Source) -> dict[str, Json]:
    """The log as JSON values. Waived violations are results with an accepted suppression."""
    codes = sorted({violation.code for violation in verdict.violations})
    groups = {code: [item for item in verdict.violations if item.code == code] for code in codes}
    driver: Json = {
        "name": "scaffold",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(code, found) for code, found in groups.items()],
    }
    run: Json = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "scaffold/check/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the judged tree."}}},
        "invocations": [_invocation(verdict)],
        "results": [_result(violation, codes.index(violation.code)) for violation in verdict.violations],
        "properties": {
            "decision": verdict.decision.value,
            "change": verdict.change,
            "door": source.door.value,
            "layers": {layer.layer.value: layer.status.value for layer in verdict.layers},
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def level(violation: Violation) -> str:
    """What blocks or stays undecided is an error; warnings follow their severity; a waived one is a note."""
    if violation.effect in (Effect.BLOCKS, Effect.UNDECIDED):
        return "error"
    if violation.effect is Effect.WAIVED or violation.severity in (Severity.LOW, Severity.INFO):
        return "note"
    return "warning"


def _rule(code: str, found: Sequence[Violation]) -> Json:
    """A rule speaks for all its results: what they do not share is left to them."""
    whys, keeps = {item.why for item in found}, {item.keep for item in found}
    asked = ASKED[found[0].layer]
    why = plain(whys.pop()) if len(whys) == 1 else ""
    keep = plain(keeps.pop()) if len(keeps) == 1 else ""
    severities = [item.severity for item in found if item.severity]
    cwes = sorted({cwe for item in found for cwe in item.cwe})
    properties: dict[str, Json] = {
        "tags": ["security", found[0].layer.value, *(f"external/cwe/{cwe.lower()}" for cwe in cwes)]
    }
    if severities:
        properties["security-severity"] = SCORES[min(severities, key=list(Severity).index)]
    return {
        "id": code,
        "name": "".join(part.capitalize() for part in code.split("-")),
        "shortDescription": {"text": code.replace("-", " ").capitalize() + "."},
        "fullDescription": {"text": why or asked},
        "help": {"text": "\n".join(part for part in (asked, why, keep) if part)},
        "defaultConfiguration": {"level": max((level(item) for item in found), key=LEVELS.index)},
        "properties": properties,
    }


def _result(violation: Violation, index: int) -> Json:
    told = (violation.what, _shown(violation), violation.why, violation.keep)
    message = " ".join(plain(part) for part in told if part)
    result: dict[str, Json] = {
        "ruleId": violation.code,
        "ruleIndex": index,
        "kind": "fail",
        "level": level(violation),
        "message": {"text": message},
        "locations": [_location(violation.after or violation.before)],
        "partialFingerprints": {FINGERPRINT: violation.id},
        "baselineState": "new",
        "properties": {
            "id": violation.id,
            "effect": violation.effect.value,
            "because": plain(violation.because),
            "cwe": list(violation.cwe),
            "witness": plain(violation.witness),
        },
    }
    if violation.before is not None:
        related = _location(violation.before)
        result["relatedLocations"] = [{"id": 1, **related, "message": {"text": "Before the change."}}]
    if violation.effect is Effect.WAIVED:
        reason = plain(violation.waiver or "")
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    return result


def _shown(violation: Violation) -> str:
    return f"{violation.witness}." if violation.witness else ""


def _location(place: Place | None) -> dict[str, Json]:
    """Hosts want a location for every result: what belongs to no file is placed at the root."""
    if place is None:
        return {"physicalLocation": {"artifactLocation": {"uri": ".", "uriBaseId": "%SRCROOT%"}}}
    region: dict[str, Json] = {"startLine": place.line, "endLine": max(place.line, place.end_line)}
    if place.text:
        region["snippet"] = {"text": plain(place.text)}
    location: dict[str, Json] = {
        "physicalLocation": {
            "artifactLocation": {"uri": uri(place.path), "uriBaseId": "%SRCROOT%"},
            "region": region,
        }
    }
    if place.symbol:
        location["logicalLocations"] = [{"fullyQualifiedName": plain(place.symbol)}]
    return location


def _invocation(verdict: Verdict) -> Json:
    code = exit_code(verdict.decision)
    words = {ExitCode.ACCEPTED: "accepted", ExitCode.REJECTED: "rejected", ExitCode.UNDECIDED: "undecided"}
    notifications: list[Json] = [{"level": "note", "message": {"text": plain(note.text)}} for note in verdict.notes]
    notifications += [
        {"level": "error", "message": {"text": plain(item.what)}}
        for item in verdict.violations
        if item.effect is Effect.UNDECIDED
    ]
    return {
        "executionSuccessful": verdict.decision is not Decision.UNDECIDED,
        "exitCode": code.value,
        "exitCodeDescription": words[code],
        "toolExecutionNotifications": notifications,
    }
