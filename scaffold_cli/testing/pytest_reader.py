"""From the lines our plugin wrote inside the user's pytest to outcomes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaffold_cli.testing.outcomes import Case, Outcome

PLUGIN = "scaffold_outcomes"
VARIABLE = "SCAFFOLD_OUTCOMES_FILE"
PLUGIN_FOLDER = Path(__file__).resolve().parent / "pytest_side"

_WORST_FIRST = (Outcome.FAILED, Outcome.XFAILED, Outcome.SKIPPED, Outcome.XPASSED, Outcome.PASSED)


@dataclass(frozen=True, slots=True)
class PytestRecords:
    """Everything pytest reported: outcomes by node id, and nodes that could not be collected."""

    cases: Mapping[str, Case]
    uncollected: Mapping[str, Case]


def environment(file: Path, env: Mapping[str, str]) -> dict[str, str]:
    """`env` with what makes any pytest started below it load our plugin and report to `file`.

    By environment and not by `-p`: a command may start pytest through make, coverage or a script.
    """
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
    for record in _records(data):
        if record["event"] == "collect":
            uncollected[record["id"]] = Case(Outcome(record["outcome"]), record["summary"], record["detail"])
        elif record["event"] == "test" and (outcome := _outcome(record)) is not None:
            case = Case(outcome, record["summary"], record["detail"], record["path"], record["line"])
            cases[record["id"]] = _worse(cases.get(record["id"]), case)
    return PytestRecords(cases, uncollected)


def _records(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.splitlines():
        try:
            yield json.loads(line)
        except ValueError:  # the line a crash cut off
            continue


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
