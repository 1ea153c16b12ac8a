"""What each embedding finds: guidance for a weakness by the code that has it, a function by its description."""

from __future__ import annotations

import ast
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.reflection.scenarios import Scenario
from benchmarks.reflection.speed import functions
from scaffold_cli.config.schema import EmbeddingName, MemoryBackend
from scaffold_cli.memory import static_memory
from scaffold_cli.memory.case import Case, CaseKind
from scaffold_cli.memory.embedding import Embedding, embedding
from scaffold_cli.memory.store import open_store

_K = 3
_CASES = 1000
_QUERIES = 100


def measured(name: EmbeddingName, wanted: Sequence[Scenario]) -> dict[str, Any]:
    """Figures of one embedding. Raises UsageError when its packages are not installed."""
    began = time.perf_counter()
    vectors = embedding(name)
    vectors.embed(["load"])
    loaded = time.perf_counter() - began
    return {
        "load, seconds": round(loaded, 2),
        f"guidance of the weakness among the first {_K}": f"{_guided(vectors, wanted)} of {len(wanted)}",
        **_described(vectors),
    }


def _guided(vectors: Embedding, wanted: Sequence[Scenario]) -> int:
    """For how many unsafe programs the guidance for their weakness is found, when nothing says which it is."""
    return sum(
        scenario.cwe in {hit.guidance.cwe for hit in static_memory.search(scenario.unsafe_text, _K, vectors, ())}
        for scenario in wanted
    )


def _described(vectors: Embedding) -> dict[str, Any]:
    """Functions of the standard library without their docstrings, asked for by the docstring's first line."""
    pairs = list(islice(_with_description(), _CASES))
    asked = pairs[:: len(pairs) // _QUERIES][:_QUERIES]
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as folder:
        store = open_store(MemoryBackend.SQLITE, Path(folder), vectors)
        began = time.perf_counter()
        store.add(
            Case(CaseKind.SAFE, str(number), text, after=text, verdict="v", created="2026-01-01")
            for number, (_, text) in enumerate(pairs)
        )
        added = time.perf_counter() - began
        took, found = [], 0
        for description, text in asked:
            began = time.perf_counter()
            hits = store.search(description, _K)
            took.append(1000 * (time.perf_counter() - began))
            found += any(hit.case.query == text for hit in hits)
        store.close()
    return {
        "functions": len(pairs),
        f"the function among the first {_K} by its description": f"{found} of {len(asked)}",
        "storing a function, ms": round(1000 * added / len(pairs), 1),
        "search, ms (median)": round(median(took), 1),
    }


def _with_description() -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for source in islice(functions(), 12 * _CASES):
        try:
            tree = ast.parse(source.lstrip() if not source.startswith(" ") else "if 1:\n" + source)
        except SyntaxError:
            continue
        node = next(item for item in ast.walk(tree) if isinstance(item, ast.FunctionDef))
        description = (ast.get_docstring(node) or "").partition("\n")[0]
        if len(description) > 30 and len(node.body) > 1:
            node.body = node.body[1:]
            found.setdefault(description, ast.unparse(node))
    return list(found.items())
