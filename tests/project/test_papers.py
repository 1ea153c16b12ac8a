"""The table of papers names modules that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_module_the_table_names_exists() -> None:
    text = (ROOT / "docs" / "papers.md").read_text()
    named = set(re.findall(r"`([a-z_]+/[a-z_/.]+)`", text))
    assert len(named) > 30
    missing = [name for name in named if not any((ROOT / base / name).exists() for base in ("", "scaffold_cli"))]
    assert missing == []
