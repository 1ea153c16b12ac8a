"""What the loop costs without a model, and a search in a full memory, against the parts nobody can do without."""

from __future__ import annotations

import ast
import os
import sqlite3
import sysconfig
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from itertools import islice
from operator import mul
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.samples import git, repository
from scaffold_cli import clock
from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.runner import run_chain
from scaffold_cli.config.schema import EmbeddingName, MemoryBackend
from scaffold_cli.memory.case import Case, CaseKind
from scaffold_cli.memory.embedding import embedding
from scaffold_cli.memory.hashing import words
from scaffold_cli.memory.store import open_store
from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.proposers.interface import Proposal, Request
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.vcs.repository import Repository

_STEPS = 10
_CASES = 10_000
_QUERIES = 100
_COMPARED = 150


def loop() -> dict[str, Any]:
    """Seconds of a step beyond the first, with a proposer that takes no time and a gate without tests."""
    static = (LayerName.BUDGET, LayerName.ANCHORS)
    return {
        "limit, seconds": 0.5,
        "sast, budget, anchors": _per_step((LayerName.SAST, *static)),
        "budget, anchors": _per_step(static),
    }


def search() -> dict[str, Any]:
    """Milliseconds of processor time of a search among 10,000 functions of the standard library, and of its floor.

    The floor is one full-text query of SQLite for a function's words with at most 150 rows, and 150 dot products of
    256 values: what any search over this store has to do.
    """
    vectors = embedding(EmbeddingName.HASHING)
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as folder:
        store = open_store(MemoryBackend.SQLITE, Path(folder), vectors)
        sources = list(islice(functions(), _CASES + _QUERIES))
        known, asked = sources[:-_QUERIES], sources[-_QUERIES:]
        asked = asked[: _QUERIES // 2] + known[:: max(1, len(known) // (_QUERIES // 2))][: _QUERIES // 2]
        store.add(
            Case(CaseKind.REPAIR, f"case {number}", text, text, text, verdict="v", created=f"2026-01-01T00:00:{number}")
            for number, text in enumerate(known)
        )
        took = _each(asked, lambda text: store.search(text, 3))
        database = sqlite3.connect(store.path)
        floor = _each(asked, lambda text: _floor(database, text))
        cases = len(store)
        database.close()
        store.close()
    return {
        "cases": cases,
        "limit, ms": 5.0,
        "search, ms": _spread(took),
        "floor, ms": _spread(floor),
        "median against the floor": round(median(took) / median(floor), 2),
    }


class _Instant:
    """Changes a word of a comment, then the next."""

    name = "instant"

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        text = f"# step {request.step}\ndef double(number):\n    return number + number\n"
        workspace.write({"double.py": FileVersion("double.py", text.encode(), FileMode.REGULAR)})
        return Proposal(f"step {request.step}")


def _per_step(layers: tuple[LayerName, ...]) -> dict[str, float]:
    def chain(steps: int) -> tuple[float, float]:
        with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as folder:
            root = repository(
                Path(folder) / "repo", {"double.py": "# start\ndef double(number):\n    return number * 2\n"}
            )
            git(root, "config", "user.name", "Bench")
            began, used = clock.seconds(), _processor()
            options = ChainOptions(steps=steps, layers=layers, verify=False)
            result = run_chain(Repository.discover(root), "go on", ("double.py",), _Instant(), options)
            took = clock.seconds() - began, _processor() - used
        if sum(bool(attempt.commit) for attempt in result.attempts) != steps:
            raise RuntimeError(f"the chain did not take {steps} steps: {result.message}")
        return took

    one, many = chain(1), chain(1 + _STEPS)
    wall, used = ((last - first) / _STEPS for first, last in zip(one, many, strict=True))
    return {"wall": round(wall, 3), "processor": round(used, 3)}


def _processor() -> float:
    """Seconds of the processor, those of programs that have ended included."""
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


def functions() -> Iterator[str]:
    """Functions of the standard library of more than four lines, as they stand."""
    folder = Path(sysconfig.get_path("stdlib"))
    for path in sorted(folder.rglob("*.py")):
        if "site-packages" in path.parts:
            continue
        try:
            text = path.read_text(encoding="utf-8")
            tree = ast.parse(text)
        except (UnicodeDecodeError, SyntaxError):
            continue
        lines = text.splitlines(keepends=True)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None and node.end_lineno - node.lineno > 3:
                yield "".join(lines[node.lineno - 1 : node.end_lineno])


def _floor(database: sqlite3.Connection, text: str) -> None:
    match = " OR ".join(f'"{word}"' for word in sorted(set(words(text)))[:8])
    database.execute("SELECT rowid FROM words WHERE words MATCH ? LIMIT ?", (match, _COMPARED)).fetchall()
    one = array("f", [0.0625] * 256)
    for _ in range(_COMPARED):
        sum(map(mul, one, one))


def _each(queries: list[str], do: Callable[[str], object]) -> list[float]:
    """Milliseconds of the processor: what others do on the machine does not count."""
    took = []
    for text in queries:
        began = time.process_time()
        do(text)
        took.append(1000 * (time.process_time() - began))
    return took


def _spread(took: list[float]) -> dict[str, float]:
    return {"median": round(median(took), 2), "95 %": round(quantiles(took, n=20)[-1], 2), "max": round(max(took), 2)}
