"""What was written and tried, one line for each, so that a run that is ended goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.reflection.arms import Written
from benchmarks.reflection.checks import Outcome
from benchmarks.reflection.figures import Row
from scaffold_cli.models.interface import Ended, Reply

_FILE = "rows.jsonl"


class Records:
    """The rows in one folder, by arm, run and scenario; in memory alone without a folder.

    A line that was cut off is no row: what it was about is done again.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / _FILE if folder is not None else None
        self._rows: dict[tuple[str, int, str], tuple[Row, int]] = {}
        if self._file is None:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.touch()
        for line in self._file.read_text(encoding="utf-8").splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            found = _written(row["written"]), Outcome(**row["outcome"])
            self._rows[row["arm"], row["run"], row["scenario"]] = found, row["cases"]

    def row(
        self, arm: str, run: int, scenario: str, make: Callable[[], Row], cases: Callable[[], int]
    ) -> tuple[Row, int]:
        """The row that is there, or the one made and kept now; and how many cases were in memory after it."""
        key = arm, run, scenario
        if key not in self._rows:
            row = make()
            self._rows[key] = row, cases()
            self._keep(key, row, cases())
        return self._rows[key]

    def has(self, arm: str, run: int, scenario: str) -> bool:
        """Whether the row is there."""
        return (arm, run, scenario) in self._rows

    def _keep(self, key: tuple[str, int, str], row: Row, cases: int) -> None:
        if self._file is None:
            return
        arm, run, scenario = key
        told = {"arm": arm, "run": run, "scenario": scenario, "cases": cases}
        line = json.dumps({**told, "written": asdict(row[0]), "outcome": asdict(row[1])})
        text = self._file.read_text(encoding="utf-8")
        begin = "" if not text or text.endswith("\n") else "\n"
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(f"{begin}{line}\n")


def _written(told: dict[str, Any]) -> Written:
    reply = told["reply"]
    told = {**told, "audits": tuple(told["audits"]), "refused": tuple(told["refused"])}
    return Written(**{**told, "reply": Reply(**{**reply, "ended": Ended(reply["ended"])}) if reply else None})
