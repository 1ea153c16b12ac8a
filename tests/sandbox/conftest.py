from __future__ import annotations

from pathlib import Path

import pytest

from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import availabilities
from tests.support.repos import make_repo

FILES = {
    "app.py": "x = 1\n",
    "pkg/one.py": "one\n",
    "pkg/two.py": "two\n",
    "deep/er/three.py": "three\n",
    ".gitignore": "*.log\nbuild/\n.venv/\n__pycache__/\n",
}


@pytest.fixture(params=list(IsolationKind), ids=str)
def kind(request: pytest.FixtureRequest, repo: Path) -> IsolationKind:
    """Each way in turn. Overlays, worktrees and copies must work wherever the tests run as these do."""
    found = next(item for item in availabilities(repo) if item.kind is request.param)
    if found.kind is IsolationKind.BUBBLEWRAP and not found.works:
        pytest.skip(f"bubblewrap is an optional program and not usable here: {found.because}")
    if found.kind is IsolationKind.OVERLAY and not found.works:
        pytest.skip(f"this machine forbids private mounts, so the next best way is used: {found.because}")
    assert found.works, found.because
    return found.kind


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one commit."""
    return make_repo(tmp_path / "a repo, with: odd name", FILES)
