"""Rates per operator: ``python -m benchmarks.operators [--count N] [--folder DIR] [--json OUT] [--show N]``."""

from __future__ import annotations

import argparse
import difflib
import json
import platform
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

from benchmarks.operators.corpus import SourceFile, case_files, folder_files, java_files, python_files
from benchmarks.operators.judging import blocking, judge
from benchmarks.operators.measuring import Trial, fits, trials
from benchmarks.operators.operator import Kind, Language
from benchmarks.operators.table import OPERATORS, operator


@dataclass(frozen=True, slots=True)
class Row:
    """What one operator's compositions came to. `shown` holds some that were judged wrongly, as diffs."""

    language: str
    kind: str
    operator: str
    tried: int
    wrong: int
    blamed: dict[str, int]
    exceptions: tuple[dict[str, str], ...]
    """Each composition judged wrongly: its file, its operators in order, which one it is counted for, and why."""
    shown: tuple[str, ...]


def main() -> None:
    """Judge the compositions, print the table, write the JSON."""
    options = _options()
    languages = {file.language for file in _files(tuple(options.folder))}
    known = [
        item
        for item in OPERATORS
        if item.language in languages and (not options.operator or item.name in options.operator)
    ]
    folders = tuple(options.folder)
    measure = partial(_measure, seed=options.seed, folders=folders, show=options.show)
    rows = []
    with ProcessPoolExecutor(options.jobs) as pool:
        fitting = [item for item in known if fits(_files(folders), item, options.seed)]
        shares = shared(options.count, len(fitting))
        which = [(item.name, item.language, item.kind) for item in fitting]
        for row in pool.map(measure, which, shares):
            rows.append(row)
            print(
                f"{row.language:7} {row.kind:11} {row.operator:26} {row.wrong:>4} wrong of {row.tried:>4}", flush=True
            )
            print("".join(row.shown), end="")
    _sum_up(rows)
    if options.json:
        given = "".join(f" --folder {folder.name}" for folder in options.folder)
        command = f"python -m benchmarks.operators --count {options.count} --seed {options.seed}{given}"
        kept = [{key: value for key, value in asdict(row).items() if key != "shown"} for row in rows]
        files = len(_files(tuple(options.folder)))
        document = {"command": command, "python": platform.python_version(), "files": files, "rows": kept}
        options.json.write_text(json.dumps(document, indent=1) + "\n")


def shared(count: int, among: int) -> list[int]:
    """`count` dealt out as evenly as can be; the first get one more."""
    return [count // among + (place < count % among) for place in range(among)]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operators", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many compositions (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other compositions")
    parser.add_argument(
        "--folder",
        type=Path,
        action="append",
        default=[],
        help="further files: a folder of Python and Java, or cases of real changes (.jsonl.gz), whose Java is taken",
    )
    parser.add_argument("--operator", action="append", default=[], help="only operators of this name")
    parser.add_argument("--show", type=int, default=0, help="print so many wrong compositions of each operator")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes (default 1)")
    parser.add_argument("--json", type=Path, help="write the rows to a file")
    return parser.parse_args()


@cache
def _files(folders: tuple[Path, ...]) -> tuple[SourceFile, ...]:
    given = (file for path in folders for file in (folder_files(path) if path.is_dir() else case_files(path)))
    return (*python_files(), *java_files(), *given)


def _measure(which: tuple[str, Language, Kind], count: int, seed: int, folders: tuple[Path, ...], show: int) -> Row:
    name, language, kind = which
    done = list(trials(_files(folders), operator(name, language), count, seed))
    wrong = [trial for trial in done if not trial.is_right]
    blamed = Counter(trial.blamed.name for trial in wrong)
    shown = tuple(_shown(trial) for trial in wrong[:show])
    exceptions = tuple(_exception(trial) for trial in wrong)
    return Row(language.value, kind.value, name, len(done), len(wrong), dict(blamed), exceptions, shown)


def _exception(trial: Trial) -> dict[str, str]:
    made = trial.composition
    steps = " ".join(item.name for item in made.applied)
    why = reasons().get(f"{trial.blamed.language.value} {trial.blamed.name}", "not looked into")
    return {"file": made.file.path, "steps": steps, "counted for": trial.blamed.name, "why": why}


@cache
def reasons() -> dict[str, str]:
    """Why the layer misjudges some rewrites of an operator, by language and name."""
    found: dict[str, str] = json.loads(Path(__file__).with_name("reasons.json").read_text(encoding="utf-8"))
    return found


def _shown(trial: Trial) -> str:
    made = trial.composition
    steps = ", ".join(item.name for item in made.applied)
    head = f"\n### {made.file.path} ({steps}): {trial.status.value}, counted for {trial.blamed.name}\n"
    reasons = (
        blocking(judge(made.before, made.after, made.file.path))[:3] if trial.operator.kind is Kind.PRESERVING else []
    )
    return head + "".join(f"{reason}\n" for reason in reasons) + "".join(_diff(made.before, made.after)) + "\n"


def _diff(before: str, after: str) -> Iterator[str]:
    lines = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), n=2)
    kept = [line for line in lines if not line.startswith(("---", "+++"))]
    yield from kept[:60]


def _sum_up(rows: list[Row]) -> None:
    """The totals of each language and kind, and which operators false rejections go back to."""
    totals: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    blamed: Counter[str] = Counter()
    for row in rows:
        totals[row.language, row.kind].update(tried=row.tried, wrong=row.wrong)
        if row.kind == Kind.PRESERVING.value:
            blamed.update({f"{row.language} {name}": number for name, number in row.blamed.items()})
    for (language, kind), total in totals.items():
        share = 100 * total["wrong"] / max(total["tried"], 1)
        print(f"{language:7} {kind:11} {'all':26} {total['wrong']:>4} wrong of {total['tried']:>4} ({share:.1f} %)")
    for name, number in blamed.most_common():
        print(f"falsely rejected: {name} {number}")


if __name__ == "__main__":
    main()
