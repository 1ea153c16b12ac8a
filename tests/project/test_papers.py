"""The table of papers names modules that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")


def test_every_module_the_table_names_exists() -> None:
    named = set(re.findall(r"`([a-z_]+/[a-z_/.]*)`", TEXT))
    assert len(named) > 60
    assert [name for name in named if not any(path.exists() for path in _places(name))] == []


def _places(name: str) -> list[Path]:
    return [ROOT / base / name for base in ("", "scaffold_cli")]


_NAMED = [
    *((name, path) for names, path in re.findall(r"((?:`\w+`(?: and |, )?)+) in `([a-z_/]+\.py)`", TEXT)
      for name in re.findall(r"`(\w+)`", names)),
    *((name, path) for path, name in re.findall(r"`([a-z_/]+\.py)` \(`(\w+)`\)", TEXT)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "path"), _NAMED)
def test_every_name_the_table_gives_is_defined_in_its_module(name: str, path: str) -> None:
    (file,) = (place for place in _places(path) if place.exists())
    defined: set[str] = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defined |= {target.id for target in targets if isinstance(target, ast.Name)}
    assert name in defined


def test_every_choice_of_the_fact_sheet_stands_in_the_table() -> None:
    for prefix, most in (("SC", 18), ("RC", 12), ("RX", 12)):
        told = {int(number) for number in re.findall(rf"\b{prefix}-(\d+)", TEXT)}
        for first, last in re.findall(rf"\b{prefix}-(\d+) to {prefix}-(\d+)", TEXT):
            told |= set(range(int(first), int(last) + 1))
        assert told == set(range(1, most + 1))
