"""The benchmark on real changes judges as the command does."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.real_changes import judge_row, read_rows
from scaffold_cli.model.verdict import Decision, LayerName
from tests.cli.program import scaffold

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
SETS = ("degrade-dev2.jsonl.gz", "benign-dev2.jsonl.gz")
LAYERS = (LayerName.ANCHORS, LayerName.SAST)
OWN = {
    "id": "own-1",
    "set": "degrade",
    "split": "own",
    "language": "python",
    "unit": "file",
    "py3": True,
    "label": "limits",
    "files": [
        {
            "path": "app.py",
            "before": "def go(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n    store(p)\n",
            "after": "def go(p):\n    store(p)\n",
        }
    ],
}


def _rows() -> list[dict[str, Any]]:
    """Five small rows of each set."""
    found: list[dict[str, Any]] = []
    for name in SETS:
        rows = [row for row in read_rows([CASES / name]) if row["unit"] == "file" and row["py3"] is not False]
        found += sorted(rows, key=lambda row: len(json.dumps(row["files"])))[:5]
    return found


def _write(row: dict[str, Any], folder: Path) -> None:
    for item in row["files"]:
        for side in ("before", "after"):
            (folder / side).mkdir(parents=True, exist_ok=True)
            if item[side] is not None:
                path = folder / side / item["path"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(item[side].encode("utf-8", "surrogatepass"))


def _same(row: dict[str, Any], folder: Path) -> None:
    _write(row, folder)
    arguments = ("--before", str(folder / "before"), "--after", str(folder / "after"))
    told = scaffold("check", *arguments, "--layers", "anchors,sast", "--format", "json", cwd=folder).json
    judged = judge_row(row, LAYERS)
    violations = [found for layer in told["layers"] for found in layer["violations"]]
    blocking = {found["code"] for found in violations if found["effect"] == "blocks"}
    assert (judged["verdict"], set(judged["violations"])) == (told["decision"], blocking), row["id"]


def test_a_row_is_judged_as_the_command_judges_it(tmp_path: Path) -> None:
    _same(OWN, tmp_path)
    assert judge_row(OWN)["verdict"] == Decision.REJECT


def test_rows_are_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps({"id": number}) for number in range(3)).encode()))
    assert [row["id"] for row in read_rows([path, path])] == [0, 1, 2, 0, 1, 2]


@pytest.mark.skipif(not CASES.is_dir(), reason="the cases are third-party code and no part of this repository")
def test_ten_real_changes_are_judged_as_the_command_judges_them(tmp_path: Path) -> None:
    rows = _rows()
    assert len(rows) == 10
    for number, row in enumerate(rows):
        _same(row, tmp_path / str(number))
