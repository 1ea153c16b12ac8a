"""Judge real changes (JSON lines) through the anchors layer and engine, and report how many are rejected.

    python -m benchmarks.real_changes FILE.jsonl.gz… [--layers anchors,sast] [--repairs] [--json OUT] [--jobs N]

Each row is one change: ``{"id", "set", "split", "language", "unit", "py3", "label", "files"}``, where each of the files
has a path, a before and an after.
Rows of whole files that parse are scored apart from the rest. With --json the alarms on ordinary changes are listed,
sorted by hand into true and false (`alarms.json`). With --repairs the degrading rows are turned round: from the weak
code to the fixed one, which should pass; those that do not are listed with what reading them said (`repairs.json`).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from scaffold_cli import clock
from scaffold_cli.gate.engine import judge
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers import build
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Effect, LayerName

Row = dict[str, Any]
ALARMS = Path(__file__).with_name("alarms.json")
"""Alarms on ordinary changes, read one by one: ``{"id", "true", "why"}``."""
REPAIRS = Path(__file__).with_name("repairs.json")
"""Repairs that are rejected, read one by one: ``{"id", "removes", "why"}``; `removes`: something really goes, too."""
VERDICTS = ("reject", "undecided", "accept")


def read_rows(paths: Iterable[Path]) -> Iterator[Row]:
    """The rows of all files, in order."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def repair_of(row: Row) -> Row:
    """The row turned round: what was lost comes back."""
    files = [{**item, "before": item["after"], "after": item["before"]} for item in row["files"]]
    return {**row, "set": "repair", "files": files}


def change_of(row: Row) -> Change:
    """The change a row describes; files equal on both sides are left out, as every door leaves them out."""
    pairs = []
    for item in row["files"]:
        before, after = (_version(item["path"], item[side]) for side in ("before", "after"))
        if item["before"] != item["after"]:
            pairs.append(FileChange(before, after))
    return Change.of(pairs)


def _version(path: str, text: str | None) -> FileVersion | None:
    return None if text is None else FileVersion(path, text.encode("utf-8", "surrogatepass"))


def judge_row(row: Row, layers: tuple[LayerName, ...] = (LayerName.ANCHORS,)) -> Row:
    """The verdict on one row with its violations' codes and the seconds it took."""
    started = clock.seconds()
    verdict = judge(change_of(row), JudgeContext(), build(layers))
    kept = {key: row.get(key) for key in ("id", "set", "split", "language", "unit", "py3", "label")}
    blocking = sorted({found.code for found in verdict.violations if found.effect is Effect.BLOCKS})
    return {
        **kept,
        "project": row.get("source", "").partition("@")[0],
        "verdict": verdict.decision.value,
        "violations": blocking,
        "files": len(row["files"]),
        "seconds": round(clock.seconds() - started, 4),
    }


def group_of(row: Row) -> str:
    """Where a row is counted: set, language, and whether it is a whole file that parses."""
    kind = row["unit"] if row["py3"] is not False else f"{row['unit']}, Python 2"
    return f"{row['set']}-{row['split']} {row['language']} ({kind})"


def summarise(rows: list[Row]) -> dict[str, Any]:
    """Counts per group, and per label and project within sets."""
    tables: dict[str, dict[str, Counter[str]]] = {"groups": {}, "labels": {}, "projects": {}}
    for row in rows:
        keys = (group_of(row), f"{row['set']}: {row['label']}", f"{row['set']}: {row['project']}")
        for table, key in zip(tables.values(), keys, strict=True):
            table.setdefault(key, Counter())[row["verdict"]] += 1
    seconds = sum(row["seconds"] for row in rows)
    files = sum(row["files"] for row in rows)
    speed = {"seconds": round(seconds, 2), "files per second": round(files / seconds, 1) if seconds else 0.0}
    return {
        **{name: {key: dict(value) for key, value in sorted(table.items())} for name, table in tables.items()},
        **speed,
    }


def alarms(rows: Iterable[Row]) -> list[Row]:
    """What reading said of each ordinary change that was rejected; `true` is None for one nobody has read."""
    return _read(rows, "ordinary", ALARMS, {"true": None, "why": "not read"})


def rejected_repairs(rows: Iterable[Row]) -> list[Row]:
    """What reading said of each repair that was rejected."""
    return _read(rows, "repair", REPAIRS, {"removes": None, "why": "not read"})


def _read(rows: Iterable[Row], wanted: str, notes: Path, unread: Row) -> list[Row]:
    read = {item["id"]: item for item in json.loads(notes.read_text())}
    rejected = (row["id"] for row in rows if row["set"] == wanted and row["verdict"] == "reject")
    return [{"id": id_, **unread, **read.get(id_, {})} for id_ in rejected]


def print_summary(summary: dict[str, Any]) -> None:
    """The same figures as text."""
    for name in ("groups", "labels", "projects"):
        print(f"\n{name:60} {'rejected':>12} {'undecided':>10} {'accepted':>9}")
        for key, counts in summary[name].items():
            total = sum(counts.values())
            rejected, undecided, accepted = (counts.get(verdict, 0) for verdict in VERDICTS)
            print(f"{key:60} {rejected:4} {100 * rejected / total:5.1f} % {undecided:10} {accepted:9}")
    print(f"\n{summary['seconds']} s, {summary['files per second']} files per second")


def main() -> None:
    """Read the arguments, judge, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_changes", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--layers", default="anchors", help="comma-separated; default: anchors")
    parser.add_argument("--repairs", action="store_true", help="judge the degrading rows turned round")
    parser.add_argument("--json", type=Path, default=None)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    layers = tuple(LayerName(name) for name in arguments.layers.split(","))
    work = partial(judge_row, layers=layers)
    given = read_rows(arguments.files)
    if arguments.repairs:
        given = (repair_of(row) for row in given if row["set"] == "degrade")
    if arguments.jobs > 1:
        with ProcessPoolExecutor(arguments.jobs) as pool:
            rows = list(pool.map(work, given, chunksize=4))
    else:
        rows = [work(row) for row in given]
    summary = summarise(rows)
    print_summary(summary)
    if arguments.json is not None:
        result = {"summary": summary, "alarms": alarms(rows), "repairs": rejected_repairs(rows), "rows": rows}
        arguments.json.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
