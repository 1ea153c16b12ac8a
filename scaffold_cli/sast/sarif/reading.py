"""A SARIF 2.1.0 report as facts. What it says of itself is checked: a report that may be incomplete is none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.verdict import Severity
from scaffold_cli.sast.sarif.places import Addresses, Ground, Region
from scaffold_cli.sast.sarif.rules import Node, RuleBook, severity_of, weaknesses

_VERSION = "2.1.0"
_NO_FINDING = ("pass", "notApplicable")
"""Kinds of results that say nothing is wrong (SARIF 2.1.0, 3.27.9)."""
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]\([^()\s]+\)")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_WHOLE = ".", True


@dataclass(frozen=True, slots=True)
class Result:
    """One finding as reported. `path` is relative to the root of the tree, or the address itself when not `inside`."""

    rule: str
    severity: Severity
    path: str
    inside: bool
    region: Region | None
    message: str
    keep: str = ""
    cwe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the scanner says went wrong; `path` is empty when it names no file."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Log:
    """All runs of one report. `tools` are names with versions."""

    tools: tuple[str, ...]
    results: tuple[Result, ...]
    notices: tuple[Notice, ...] = ()


def read(data: bytes, origin: str, ground: Ground | None = None) -> Log:
    """Read a report; `origin` is how messages call it, `ground` says what its addresses are relative to.

    Suppressed results count like any other. Raises UndecidedError for anything but a whole SARIF 2.1.0 report.
    """
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise _wrong(origin, "is not JSON") from error
    if not isinstance(document, dict) or "version" not in document:
        raise _wrong(origin, "is no SARIF: it has no version")
    if not str(document["version"]).startswith(_VERSION):
        raise _wrong(origin, f"is SARIF {str(document['version'])[:20]!r}, not {_VERSION}")
    runs = document.get("runs")
    if not isinstance(runs, list) or not runs:
        raise _wrong(origin, "holds no run of a scanner")
    try:
        logs = [_run(run, origin, ground or Ground()) for run in runs]
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise _wrong(origin, f"is not built as SARIF {_VERSION} is ({type(error).__name__}: {error})") from error
    return Log(
        tuple(tool for log in logs for tool in log.tools),
        tuple(result for log in logs for result in log.results),
        tuple(notice for log in logs for notice in log.notices),
    )


def _wrong(origin: str, reason: str) -> UndecidedError:
    return UndecidedError(f"{origin} {reason}.", f"Let the scanner write SARIF {_VERSION} and try again.")


def _run(run: Node, origin: str, ground: Ground) -> Log:
    book = RuleBook.of(run)
    addresses = Addresses(run.get("originalUriBaseIds") or {}, run.get("artifacts") or (), ground)
    utf16 = run.get("columnKind") == "utf16CodeUnits"
    if not isinstance(run.get("results"), list):
        # A run without results means that the scanner did not look (3.14.23).
        raise _wrong(origin, f"holds no results of {book.tool}")
    found = [_result(result, book, addresses, utf16) for result in run["results"] if _is_finding(result)]
    version = book.driver.get("semanticVersion") or book.driver.get("version") or ""
    return Log((f"{book.tool} {version}".strip(),), tuple(found), tuple(_notices(run, book.tool, addresses)))


def _is_finding(result: Node) -> bool:
    return result.get("kind", "fail") not in _NO_FINDING and result.get("baselineState") != "absent"


def _result(result: Node, book: RuleBook, addresses: Addresses, utf16: bool) -> Result:
    rule = book.rule_of(result)
    locations = result.get("locations") or ()
    physical = locations[0].get("physicalLocation", {}) if locations else {}
    place = physical.get("artifactLocation")
    path, inside = addresses.path_of(place) if place else _WHOLE
    address = rule.get("helpUri")
    return Result(
        rule=f"{book.tool}:{rule['id']}",
        severity=severity_of(result, rule),
        path=path,
        inside=inside,
        region=Region.of(physical.get("region") or {}, utf16=utf16),
        message=_message(result.get("message") or {}, rule),
        keep=f"See {address}" if address else "",
        cwe=weaknesses(result, rule),
    )


def _message(message: Node, rule: Node) -> str:
    strings = rule.get("messageStrings") or {}
    stored = strings.get(str(message.get("id")), {}).get("text", "")
    text = str(message.get("text") or stored or message.get("markdown") or rule["id"])
    arguments = [str(argument) for argument in message.get("arguments", ())]

    def filled(found: re.Match[str]) -> str:
        number = int(found[1])
        return arguments[number] if number < len(arguments) else found[0]

    text = _PLACEHOLDER.sub(filled, text) if arguments else text
    return " ".join(_LINK.sub(r"\1", text).split())


def _notices(run: Node, tool: str, addresses: Addresses) -> Iterator[Notice]:
    for invocation in run.get("invocations", ()):
        told = [
            note
            for kind in ("toolExecutionNotifications", "toolConfigurationNotifications")
            for note in invocation.get(kind, ())
            if note.get("level", "warning") == "error"
        ]
        for note in told:
            text = _message(note.get("message") or {}, {"id": "no reason given"})
            places = [each.get("physicalLocation", {}).get("artifactLocation") for each in note.get("locations", ())]
            yield from (Notice(addresses.path_of(place)[0] if place else "", f"{tool}: {text}") for place in places)
            if not places:
                yield Notice("", f"{tool}: {text}")
        if not invocation.get("executionSuccessful", True) and not told:
            yield Notice("", f"{tool} says that its run failed")
