"""A repository with one guarded function."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proposers.model_chain import SOURCE
from tests.support.repos import make_repo


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    make_repo(tmp_path / "repo", {"files.py": SOURCE, "other.py": "x = 1\n"})
    return tmp_path / "repo"
