"""Measure our rules on real changes and on their own examples, with bandit on the same Python files beside them.

    python -m benchmarks.rules [FILE.jsonl.gz…] [--json OUT] [--cache FOLDER]

The files are those of `benchmarks.real_changes`. Three questions, each asked of both scanners:

* pairs: functions before and after a security fix. The vulnerable side should be found by a rule for the weakness
  of that pair, the fixed side should not. A finding *of the weakness* has its CWE or one of the same family.
  precision = pairs found on the vulnerable side / (those + pairs found on the fixed side); recall = found / pairs.
* degrade: whole files in which a real fix was taken back. How many changes bring a new finding of the weakness?
* benign and ordinary: how many changes bring any new finding, by severity? Goal for benign: none Critical or High.

Rows in languages our rules do not speak (C, C++) are counted and left out.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.real_changes import Row, read_rows
from benchmarks.scanners import Bandit, Found, Ours, Scanner
from scaffold_cli.sast import examples
from scaffold_cli.sast.rule_files import built_in_examples
from scaffold_cli.sast.rules import RuleSet, load

FAMILIES = (
    {"CWE-78", "CWE-77", "CWE-88"},
    {"CWE-22", "CWE-23", "CWE-36", "CWE-73"},
    {"CWE-79", "CWE-80", "CWE-116"},
    {"CWE-89", "CWE-564"},
    {"CWE-94", "CWE-95", "CWE-1336", "CWE-917"},
    {"CWE-326", "CWE-327", "CWE-328", "CWE-916"},
    {"CWE-330", "CWE-331", "CWE-338", "CWE-335", "CWE-340"},
    {"CWE-614", "CWE-1004", "CWE-1275"},
    {"CWE-203", "CWE-204", "CWE-208"},
    {"CWE-295", "CWE-297", "CWE-322"},
    {"CWE-611", "CWE-776", "CWE-827"},
    {"CWE-259", "CWE-798", "CWE-321"},
    {"CWE-770", "CWE-400", "CWE-1333", "CWE-407"},
)
"""Weaknesses that are the same one seen from another height, so that a rule for one speaks of the others."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One row as one scanner sees it; `after` is the side a step would end with."""

    row: Row
    before: tuple[Found, ...]
    after: tuple[Found, ...]
    new: tuple[Found, ...]


def related(found: Found, cwe: str) -> bool:
    """Whether a finding is about the weakness `cwe` or one of its family."""
    wanted = next((family for family in FAMILIES if cwe in family), {cwe})
    return not wanted.isdisjoint(found.cwe)


def pairs(judged: Sequence[Judged]) -> dict[str, Any]:
    """Precision and recall over function pairs, all together and for each weakness."""
    groups: dict[str, list[Judged]] = {}
    for entry in judged:
        groups.setdefault(entry.row["cwe"], []).append(entry)
    return {"all": _score(judged), **{cwe: _score(group) for cwe, group in sorted(groups.items())}}


def _score(judged: Sequence[Judged]) -> dict[str, Any]:
    found = sum(any(related(item, entry.row["cwe"]) for item in entry.after) for entry in judged)
    wrong = sum(any(related(item, entry.row["cwe"]) for item in entry.before) for entry in judged)
    return {
        "pairs": len(judged),
        "vulnerable side found": found,
        "fixed side found": wrong,
        "fixed side found by any rule": sum(bool(entry.before) for entry in judged),
        "precision": _ratio(found, found + wrong),
        "recall": _ratio(found, len(judged)),
    }


def changes(judged: Sequence[Judged]) -> dict[str, Any]:
    """How many changes bring something new: of the weakness of their row, and at all, by severity."""
    by_severity: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for entry in judged:
        by_severity.update({item.severity for item in entry.new})
        rules.update({item.rule for item in entry.new})
    return {
        "changes": len(judged),
        "with a new finding of the weakness": sum(
            any(related(item, str(entry.row.get("cwe"))) for item in entry.new) for entry in judged
        ),
        "with a new finding": sum(bool(entry.new) for entry in judged),
        "new findings for 100 changes": round(100 * sum(len(entry.new) for entry in judged) / len(judged), 1),
        "with a new finding, by severity": dict(sorted(by_severity.items())),
        "rules that are new in most changes": dict(rules.most_common(10)),
    }


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def judge(scanner: Scanner, rows: Iterable[Row]) -> list[Judged]:
    """What a scanner says of each row whose language it speaks."""
    return [Judged(row, *seen) for row, seen in scanner.look(rows)]


def measure(scanner: Scanner, rows: Sequence[Row]) -> dict[str, Any]:
    """The figures of one scanner, for each language it speaks."""
    judged = judge(scanner, rows)
    groups: dict[str, list[Judged]] = {}
    for entry in judged:
        groups.setdefault(entry.row["language"], []).append(entry)
    return {language: _tables(group) for language, group in sorted(groups.items())}


def _tables(judged: Sequence[Judged]) -> dict[str, Any]:
    functions = [entry for entry in judged if entry.row["unit"] == "function"]
    files: dict[str, list[Judged]] = {}
    for entry in judged:
        if entry.row["unit"] == "file":
            files.setdefault(f"{entry.row['set']} ({entry.row['split']})", []).append(entry)
    tables: dict[str, Any] = {"pairs": pairs(functions)} if functions else {}
    return tables | {name: changes(group) for name, group in sorted(files.items())}


def example_figures(rules: RuleSet) -> dict[str, int]:
    """How many examples there are and how many do not hold."""
    entries = examples.read(built_in_examples(), rules)
    return {
        "rules": len(rules.rules),
        "bad": sum(len(entry.bad) for entry in entries),
        "good": sum(len(entry.good) for entry in entries),
        "fixed": sum(len(entry.fixed) for entry in entries),
        "that do not hold": len(examples.failures(entries, rules)),
    }


def report(paths: Sequence[Path], cache: Path) -> dict[str, Any]:
    """Everything that is measured, as data."""
    rules = load()
    rows = list(read_rows(paths))
    ours = Ours(rules, cache)
    scanners: tuple[Scanner, ...] = (ours, Bandit())
    spoken = {name for scanner in scanners for name in scanner.languages}
    left_out = Counter(str(row["language"]) for row in rows if row["language"] not in spoken)
    measured = {scanner.name: measure(scanner, rows) for scanner in scanners}
    return {
        "command": " ".join(["python -m benchmarks.rules", *(path.name for path in paths)]),
        "versions": {name: version(name) for name in ("semgrep", "bandit")},
        "examples": example_figures(rules),
        "rows left out, by language": dict(left_out),
        "files not scanned completely": sorted(ours.incomplete),
        **measured,
    }


def main() -> None:
    """Read the arguments, measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rules", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--cache", type=Path, default=None, help="keeps scans for the next run; default: none are kept")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scaffold-rules-") as scratch:
        text = json.dumps(report(arguments.files, arguments.cache or Path(scratch)), indent=1)
    print(text)
    if arguments.json is not None:
        arguments.json.write_text(text + "\n")


if __name__ == "__main__":
    main()
