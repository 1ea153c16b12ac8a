"""The scanners the rules are measured with: our own rules through the code the gate uses, and bandit."""

from __future__ import annotations

import json
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from benchmarks.real_changes import Row, change_of
from scaffold_cli import processes
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.finding import Finding
from scaffold_cli.sast.delta import Delta
from scaffold_cli.sast.inspection import concerns, inspect
from scaffold_cli.sast.rules import RuleSet

_AT_ONCE = 25
"""Rows scanned in one engine run: starting it costs more than a row."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finding: its rule, severity (low, medium, high, critical) and weaknesses (CWE-N)."""

    rule: str
    severity: str
    cwe: tuple[str, ...]


Seen = tuple[tuple[Found, ...], tuple[Found, ...], tuple[Found, ...]]
"""Findings before, after, and those that are new."""


class Scanner(Protocol):
    """Looks at rows and says what it found."""

    name: str
    languages: frozenset[str]

    def look(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Seen]]:
        """Each row in a language it speaks, with what it found there."""
        ...


def changes_of(row: Row) -> Change:
    """The change of a row; single functions lose the indentation they had in their class."""
    if row["unit"] != "function":
        return change_of(row)
    files = [{**item, **{side: textwrap.dedent(item[side]) for side in ("before", "after")}} for item in row["files"]]
    return change_of({**row, "files": files})


class Ours:
    """Our rules, scanned and compared as the SAST layer does."""

    name = "scaffold"
    languages = frozenset({"python", "java", "javascript", "go"})

    def __init__(self, rules: RuleSet, cache: Path) -> None:
        self._rules = rules
        self._cache = cache
        self.incomplete: set[str] = set()
        """Files the engine did not get through (a machine too busy for its time limits): of those nothing is known."""

    def look(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Seen]]:
        """See `Scanner`. Rows are scanned many at once and compared one by one."""
        spoken = [row for row in rows if row["language"] in self.languages]
        for start in range(0, len(spoken), _AT_ONCE):
            batch = [(row, changes_of(row)) for row in spoken[start : start + _AT_ONCE]]
            # One engine run for all of them; comparing them afterwards reads the cache.
            self._inspect([pair for number, (_, change) in enumerate(batch) for pair in _below(str(number), change)])
            yield from ((row, self._seen(change)) for row, change in batch)

    def _inspect(self, files: Sequence[FileChange]) -> Delta:
        concerned = [pair for pair in files if concerns(pair, self._rules)]
        found = inspect(concerned, self._rules, timeout=1800, cache=self._cache)
        told = (*found.problems, *found.remarks)
        self.incomplete.update(f"{one.path}: {one.reason}" for one in told if one.code == "not-scanned")
        return found.findings

    def _seen(self, change: Change) -> Seen:
        found = self._inspect(change.files)
        before = (*found.fixed, *(old for old, _ in found.kept))
        after = (*found.new, *(new for _, new in found.kept))
        return _ours(before), _ours(after), _ours(found.new)


def _ours(findings: Iterable[Finding]) -> tuple[Found, ...]:
    return tuple(Found(item.rule, item.severity.value, item.cwe) for item in findings)


def _below(folder: str, change: Change) -> Iterator[FileChange]:
    """The pairs of a change in a folder of its own, so that files of different rows do not meet."""
    for pair in change.files:
        before, after = (side and FileVersion(f"{folder}/{side.path}", side.data) for side in (pair.before, pair.after))
        yield FileChange(before, after)


class Bandit:
    """bandit on the Python files of both sides, compared by us: the same test on the same text of a line is kept."""

    name = "bandit"
    languages = frozenset({"python"})

    def look(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Seen]]:
        """See `Scanner`."""
        spoken = [row for row in rows if row["language"] in self.languages]
        with tempfile.TemporaryDirectory(prefix="scaffold-bandit-") as temporary:
            folder = Path(temporary)
            for number, row in enumerate(spoken):
                _write(changes_of(row), folder / str(number))
            found = _bandit(folder)
        for number, row in enumerate(spoken):
            before, after = (found.get((str(number), side), []) for side in ("before", "after"))
            yield row, (tuple(item for item, _ in before), tuple(item for item, _ in after), _new(before, after))


Lined = list[tuple[Found, tuple[str, str]]]
"""Findings, each with its file and the text of its line."""


def _write(change: Change, folder: Path) -> None:
    for number, pair in enumerate(change.files):
        for side, version in (("before", pair.before), ("after", pair.after)):
            if version is not None and version.path.endswith(".py"):
                path = folder / side / f"f{number}.py"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(version.data)


def _bandit(folder: Path) -> dict[tuple[str, str], Lined]:
    """Findings by row and side."""
    argv = [sys.executable, "-m", "bandit", "-q", "-r", "--ignore-nosec", "-f", "json", str(folder)]
    done = processes.run(argv, cwd=folder, timeout=1800)
    found: dict[tuple[str, str], Lined] = {}
    for result in json.loads(done.stdout)["results"]:
        path = Path(result["filename"]).relative_to(folder)
        lines = (folder / path).read_bytes().decode("utf-8", "replace").splitlines()
        cwe = (f"CWE-{result['issue_cwe']['id']}",) if result.get("issue_cwe") else ()
        item = Found(result["test_id"], result["issue_severity"].lower(), cwe)
        line = lines[result["line_number"] - 1].strip() if result["line_number"] <= len(lines) else ""
        found.setdefault((path.parts[0], path.parts[1]), []).append((item, (path.name, line)))
    return found


def _new(before: Lined, after: Lined) -> tuple[Found, ...]:
    known = Counter(before)
    new = []
    for entry in after:
        if known[entry]:
            known[entry] -= 1
        else:
            new.append(entry[0])
    return tuple(new)
