"""What docs/safety.md names as holding a promise is there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = re.findall(
    r"^\| (.+?) \| (.+?) \|$",
    (ROOT / "docs/safety.md").read_text(encoding="utf-8").partition("## Which test holds what")[2],
    re.MULTILINE,
)[2:]


def _files(cell: str) -> dict[Path, list[str]]:
    """Each file a cell names, with the beginnings of tests or attacks it names in parentheses."""
    found: dict[Path, list[str]] = {}
    last = ROOT
    for name, more in re.findall(r"`((?:tests|…)/[^`]+)`(?: \(([^)]*)\))?", cell):
        last = last.parent / name[2:] if name.startswith("…/") else ROOT / name
        found[last] = [text.rstrip("…") for text in re.findall(r"`([^`]+)`", more)]
    return found


def test_the_table_is_read() -> None:
    assert len(ROWS) > 15


@pytest.mark.parametrize("row", ROWS, ids=[promise[:40] for promise, _ in ROWS])
def test_what_holds_a_promise_is_there(row: tuple[str, str]) -> None:
    files = _files(row[1])
    assert files
    for path, names in files.items():
        assert path.exists(), path
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        for name in names:
            assert re.search(rf"def (?:test_)?{re.escape(name)}|[\"']{re.escape(name)}", text), f"{name} in {path}"


@pytest.mark.parametrize("module", sorted(set(re.findall(r"python -m ([\w.]+)", " ".join(cell for _, cell in ROWS)))))
def test_a_command_that_holds_a_promise_is_there(module: str) -> None:
    assert import_module(module)
