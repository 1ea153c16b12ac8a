"""From the lines our plugin wrote inside the user's pytest to outcomes."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaffold_cli.testing.outcomes import Case, Outcome

PLUGIN = "scaffold_outcomes"
VARIABLE = "SCAFFOLD_OUTCOMES_FILE"
PLUGIN_FOLDER = Path(__file__).resolve().parent / "pytest_side"

TAMPERED = "the record of the run was tampered with"
BROKEN_OFF = "the run broke off before its end"
_WORST_FIRST = (Outcome.FAILED, Outcome.XFAILED, Outcome.SKIPPED, Outcome.XPASSED, Outcome.PASSED)


@dataclass(frozen=True, slots=True)
class PytestRecords:
    """Everything pytest reported: outcomes by node id, and nodes that could not be collected.

    `oddities` are what makes the outcomes doubtful, a phrase each: hooks of the project that can change them,
    assertions that were replaced, a record that was tampered with, a run that broke off.
    """

    cases: Mapping[str, Case]
    uncollected: Mapping[str, Case]
    oddities: tuple[str, ...] = ()


def environment(file: Path, env: Mapping[str, str]) -> dict[str, str]:
    """`env` with what makes any pytest started below it load our plugin and report to `file`.

    By environment and not by `-p`: a command may start pytest through make, coverage or a script. Writes the key
    with which the plugin seals its lines beside `file`.
    """
    _key(file).write_text(secrets.token_hex(32), encoding="ascii")
    path = env.get("PYTHONPATH")
    plugins = env.get("PYTEST_PLUGINS")
    return {
        **env,
        VARIABLE: str(file),
        "PYTHONPATH": f"{PLUGIN_FOLDER}:{path}" if path else str(PLUGIN_FOLDER),
        "PYTEST_PLUGINS": f"{PLUGIN},{plugins}" if plugins else PLUGIN,
    }


def read(file: Path) -> PytestRecords | None:
    """What was reported to `file`; None when no pytest loaded the plugin."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return None
    cases: dict[str, Case] = {}
    uncollected: dict[str, Case] = {}
    records, oddities = _sealed(data, _key(file).read_bytes())
    for record in records:
        if record["event"] == "collect":
            uncollected[record["id"]] = Case(Outcome(record["outcome"]), record["summary"], record["detail"])
        elif record["event"] == "test" and (outcome := _outcome(record)) is not None:
            case = Case(outcome, record["summary"], record["detail"], record["path"], record["line"])
            cases[record["id"]] = _worse(cases.get(record["id"]), case)
    oddities += [record["id"] for record in records if record["event"] == "oddity"]
    return PytestRecords(cases, uncollected, tuple(dict.fromkeys(oddities)))


def _key(file: Path) -> Path:
    return file.with_name(f"{file.name}.key")


def _sealed(data: bytes, key: bytes) -> tuple[list[dict[str, Any]], list[str]]:
    """The records whose seal is right, and what is wrong with the rest.

    Every session numbers its lines from 1 and ends with ``finished``. A last line that was cut off is a crash's.
    """
    lines = data.split(b"\n")
    records, forged = [], bool(lines[-1]) and b" " not in lines[-1]
    for line in lines[:-1]:
        seal, _, text = line.partition(b" ")
        if hmac.compare_digest(seal, hmac.new(key, text, hashlib.sha256).hexdigest()[:32].encode()):
            records.append(json.loads(text))
        else:
            forged = True
    sessions: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        sessions.setdefault(record["session"], []).append(record)
    forged |= any([item["n"] for item in found] != list(range(1, len(found) + 1)) for found in sessions.values())
    oddities = [TAMPERED] if forged else []
    if not sessions or any(found[-1]["event"] != "finished" for found in sessions.values()):
        oddities.append(BROKEN_OFF)
    return records, oddities


def _outcome(record: Mapping[str, Any]) -> Outcome | None:
    """What one phase says about its test; None when it says nothing (a set-up that worked, a rerun)."""
    outcome, phase = record["outcome"], record["phase"]
    if outcome == "failed":
        return Outcome.FAILED
    if outcome == "skipped" and phase != "subtest":
        return Outcome.XFAILED if record["wasxfail"] else Outcome.SKIPPED
    if outcome == "passed" and phase == "call":
        return Outcome.XPASSED if record["wasxfail"] else Outcome.PASSED
    return None


def _worse(known: Case | None, case: Case) -> Case:
    if known is None:
        return case
    return min(known, case, key=lambda each: _WORST_FIRST.index(each.outcome))


def under(id_: str, nodes: Iterable[str]) -> str | None:
    """The node among `nodes` (files, classes) that holds the test `id_`, or None."""
    return next((node for node in nodes if not node or id_.startswith((f"{node}::", f"{node}/"))), None)
