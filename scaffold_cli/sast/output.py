"""What an engine printed, as facts. Nothing here trusts that the engine did its work."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.verdict import Severity

SEVERITIES = {
    "CRITICAL": Severity.CRITICAL,
    "HIGH": Severity.HIGH,
    "ERROR": Severity.HIGH,
    "MEDIUM": Severity.MEDIUM,
    "WARNING": Severity.MEDIUM,
    "LOW": Severity.LOW,
    "INFO": Severity.INFO,
}
"""The words a rule may use for its severity; ERROR counts as High."""

RULE_SECONDS = 10
"""What the engine is told to spend on one rule and one file at most; it names both when that is not enough."""
_KINDS = {"Timeout": f"it took longer than {RULE_SECONDS} seconds", "PartialParsing": "a part of it was not understood"}
_CWE = re.compile(r"CWE-\d+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Match:
    """One result for one file: byte offsets `start` and `end` into the text that was scanned."""

    rule: str
    severity: Severity
    start: int
    end: int
    why: str
    keep: str
    cwe: tuple[str, ...]
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class RuleError:
    """A rule the engine refuses."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one engine run said, by the file names it was given."""

    version: str
    matches: Mapping[str, tuple[Match, ...]]
    problems: Mapping[str, str]
    """Files the engine could not look at completely, and why."""
    scanned: frozenset[str]
    rule_errors: tuple[RuleError, ...] = ()


def read_report(stdout: bytes) -> Report:
    """Read the engine's JSON. Raises UndecidedError when it is not the JSON such an engine writes."""
    try:
        document = json.loads(stdout)
        errors = document["errors"]
        return Report(
            version=str(document.get("version", "")),
            matches=_by_file(document["results"]),
            problems={error["path"]: _reason(error) for error in errors if "path" in error},
            scanned=frozenset(document["paths"]["scanned"]),
            rule_errors=tuple(_rule_errors(errors)),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UndecidedError("The scanner's output could not be read.", "Run `scaffold doctor`.") from error


def _by_file(results: Iterable[Mapping[str, object]]) -> dict[str, tuple[Match, ...]]:
    found: dict[str, list[Match]] = {}
    for result in results:
        found.setdefault(str(result["path"]), []).append(_match(result))
    return {path: tuple(matches) for path, matches in found.items()}


def _match(result: Mapping[str, object]) -> Match:
    extra, start, end = result["extra"], result["start"], result["end"]
    if not (isinstance(extra, Mapping) and isinstance(start, Mapping) and isinstance(end, Mapping)):
        raise TypeError("a result without extra, start or end")
    metadata = extra.get("metadata")
    why, keep = sentences(str(extra["message"]))
    fix = extra.get("fix")
    return Match(
        rule=str(result["check_id"]),
        severity=SEVERITIES[str(extra["severity"])],
        start=int(start["offset"]),
        end=int(end["offset"]),
        why=why,
        keep=keep,
        cwe=weaknesses(metadata),
        fix=fix if isinstance(fix, str) else None,
    )


def weaknesses(metadata: object) -> tuple[str, ...]:
    """The CWE ids in a rule's metadata."""
    return tuple(_CWE.findall(str(metadata.get("cwe", "")))) if isinstance(metadata, Mapping) else ()


def sentences(message: str) -> tuple[str, str]:
    """A rule's message as (why it is dangerous, what to do): its first sentence and the rest."""
    first, *rest = _SENTENCE_END.split(" ".join(message.split()), maxsplit=1)
    return first, rest[0] if rest else ""


def _rule_errors(errors: Iterable[Mapping[str, object]]) -> Iterable[RuleError]:
    for error in errors:
        if "path" not in error:
            text = error.get("message") or error.get("long_msg") or error.get("type") or "no reason given"
            yield RuleError(str(error.get("rule_id", "")), " ".join(str(text).split()))


def _reason(error: Mapping[str, Any]) -> str:
    kind = error.get("type")
    name = str(kind[0] if isinstance(kind, list) and kind else kind)
    words = _KINDS.get(name) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    lines = sorted({span["start"]["line"] for span in error.get("spans") or ()})
    rule = error.get("rule_id")
    told = [f"rule {rule}"] if rule else []
    told += [f"line {', '.join(map(str, lines[:3]))}"] if lines else []
    return f"{words} ({'; '.join(told)})" if told else words
