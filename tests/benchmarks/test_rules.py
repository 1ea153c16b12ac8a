"""The measurement of the rules: what counts as found, as wrong and as new."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from benchmarks.rules import report

INJECTED = "    def find(self, name):\n        self.cursor.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n"
BOUND = '    def find(self, name):\n        self.cursor.execute("SELECT id FROM users WHERE name = ?", (name,))\n'
LENGTH = "    def size(self, name):\n        return len(name)\n"
SHELL = "import subprocess\n\n\ndef clean(name):\n    subprocess.run(f'rm {name}', shell=True)\n"
WORDS = "import subprocess\n\n\ndef clean(name):\n    subprocess.run(['rm', '--', name])\n"


def row(before: str, after: str, **fields: Any) -> dict[str, Any]:
    files = [{"path": "app.py", "before": before, "after": after}]
    wanted = {"set": "degrade", "split": "own", "language": "python", "unit": "function", "py3": True, "cwe": "CWE-89"}
    return {"id": "own", "label": "", **wanted, **fields, "files": files}


ROWS = [
    row(BOUND, INJECTED),
    row(INJECTED, INJECTED.replace("find", "look")),  # a fixed side that is not silent
    row(LENGTH, LENGTH.replace("len(name)", "name")),  # nothing to find
    row(WORDS, SHELL, unit="file", cwe="CWE-77"),  # of the same family
    row(WORDS, SHELL, unit="file", set="benign", cwe=None),
    row(WORDS, WORDS.replace("clean", "tidy"), unit="file", set="benign", cwe=None),
    row("int f;", "int g;", language="c"),
]


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("rules")
    with gzip.open(folder / "own.jsonl.gz", "wt") as stream:
        stream.writelines(json.dumps(entry) + "\n" for entry in ROWS)
    return report([folder / "own.jsonl.gz"], folder / "cache")


@pytest.mark.parametrize("scanner", ["scaffold", "bandit"])
def test_pairs_are_scored_on_both_sides(figures: dict[str, Any], scanner: str) -> None:
    assert figures[scanner]["python"]["pairs"]["CWE-89"] == {
        "pairs": 3,
        "vulnerable side found": 2,
        "fixed side found": 1,
        "fixed side found by any rule": 1,
        "precision": 0.667,
        "recall": 0.667,
    }


@pytest.mark.parametrize("scanner", ["scaffold", "bandit"])
def test_changes_are_counted_by_what_is_new(figures: dict[str, Any], scanner: str) -> None:
    degrade, benign = (figures[scanner]["python"][f"{name} (own)"] for name in ("degrade", "benign"))
    assert (degrade["changes"], degrade["with a new finding of the weakness"]) == (1, 1)
    assert (benign["changes"], benign["with a new finding"]) == (2, 1)
    assert benign["with a new finding, by severity"]["high"] == 1


def test_what_the_rules_do_not_speak_is_counted(figures: dict[str, Any]) -> None:
    assert figures["rows left out, by language"] == {"c": 1}
    assert figures["examples"]["that do not hold"] == 0
