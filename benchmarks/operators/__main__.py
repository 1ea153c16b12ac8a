"""Rates per operator: ``python -m benchmarks.operators [--count N] [--folder DIR] [--json OUT] [--show N]``."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from benchmarks.operators.corpus import folder_files, python_files
from benchmarks.operators.judging import blocking, judge
from benchmarks.operators.measuring import Trial, counts, trials
from benchmarks.operators.operator import Kind
from benchmarks.operators.table import OPERATORS


def main() -> None:
    """Judge the compositions, print the table, write the JSON."""
    options = _options()
    files = (*python_files(), *(file for folder in options.folder for file in folder_files(folder)))
    known = [item for item in OPERATORS if any(file.language is item.language for file in files)]
    known = [item for item in known if not options.operator or item.name in options.operator]
    done = list(trials(files, options.count, options.seed, known))
    rows = _rows(done)
    _print(rows)
    if options.show:
        _show(done, options.show)
    if options.json:
        report = {
            "command": f"python -m benchmarks.operators --count {options.count} --seed {options.seed}",
            "files": len(files),
            "rows": rows,
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operators", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many compositions (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other compositions")
    parser.add_argument(
        "--folder", type=Path, action="append", default=[], help="a folder of further Python and Java files"
    )
    parser.add_argument("--operator", action="append", default=[], help="only operators of this name")
    parser.add_argument("--show", type=int, default=0, help="print so many wrong compositions of each operator")
    parser.add_argument("--json", type=Path, help="write the rows to a file")
    return parser.parse_args()


def _rows(done: list[Trial]) -> list[dict[str, str | int]]:
    rows: list[dict[str, str | int]] = []
    for (language, kind, name), found in counts(done).items():
        if found["tried"]:
            rows.append(
                {"language": language, "kind": kind, "operator": name, "tried": found["tried"], "wrong": found["wrong"]}
            )
    return rows


def _print(rows: list[dict[str, str | int]]) -> None:
    totals: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        print(f"{row['language']:7} {row['kind']:11} {row['operator']:26} {row['wrong']:>4} wrong of {row['tried']:>4}")
        for key in ("tried", "wrong"):
            totals[str(row["language"]), str(row["kind"])][key] += int(row[key])
    for (language, kind), total in totals.items():
        share = 100 * total["wrong"] / total["tried"]
        print(f"{language:7} {kind:11} {'all':26} {total['wrong']:>4} wrong of {total['tried']:>4} ({share:.1f} %)")


def _show(done: list[Trial], most: int) -> None:
    shown: Counter[tuple[str, str]] = Counter()
    for trial in done:
        key = (trial.operator.language.value, trial.operator.name)
        if trial.is_right or shown[key] >= most:
            continue
        shown[key] += 1
        made = trial.composition
        steps = ", ".join(item.name for item in made.applied)
        print(f"\n### {trial.operator.name} ({steps}) {made.file.path}: {trial.status.value}")
        if trial.operator.kind is Kind.PRESERVING:
            print("\n".join(blocking(judge(made.before, made.after, made.file.path))[:3]))
        sys.stdout.writelines(_diff(made.before, made.after))


def _diff(before: str, after: str) -> list[str]:
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), n=2)
    return [line for line in lines if not line.startswith(("---", "+++"))][:60]


if __name__ == "__main__":
    main()
