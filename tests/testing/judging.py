"""The tests layer on two commits of a real repository."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import Settings, TestsSettings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.tests import TestsLayer
from scaffold_cli.model.verdict import LayerResult
from scaffold_cli.sandbox.interface import IsolationKind, Workspace
from scaffold_cli.sandbox.workspaces import open_workspace
from scaffold_cli.vcs.doors.revisions import revisions
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree
from tests.support.repos import Content, commit, git, make_repo

PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"
ONCE = TestsSettings(command=PYTEST, baseline_runs=1, timeout=60)
PROJECT: Mapping[str, Content] = {
    "shop.py": "def price(n):\n    if n < 0:\n        raise ValueError(n)\n    return n * 2\n",
    "tests/test_shop.py": (
        "import pytest\nimport shop\n\n\ndef test_price():\n    assert shop.price(2) == 4\n\n\n"
        "def test_negative():\n    with pytest.raises(ValueError):\n        shop.price(-1)\n"
    ),
    "conftest.py": "",
    ".gitignore": "__pycache__/\n.venv/\n",
}
NEGATIVE = "tests/test_shop.py::test_negative"
PRICE = "tests/test_shop.py::test_price"


OPENED: list[str] = []
"""The trees of which a workspace was opened, one for each run of a command."""


def opened(tree: GitTree, folder: Path, kind: IsolationKind | None) -> Workspace:
    """A fresh workspace, taken down in `OPENED`: what runs in it cannot leave a mark outside."""
    OPENED.append(tree.id)
    return open_workspace(tree, folder, kind=kind)


def project(tmp_path: Path, files: Mapping[str, Content] = PROJECT) -> Path:
    return make_repo(tmp_path / "shop", files)


def judge_commit(
    repo: Path,
    settings: TestsSettings = ONCE,
    *,
    cache: Path | None = None,
    policy: Policy | None = None,
    kind: IsolationKind | None = None,
) -> LayerResult:
    """The layer's result for what HEAD changed."""
    with revisions(Repository.discover(repo), "HEAD~1", max_file_bytes=1_000_000) as comparison:
        context = JudgeContext(
            policy=policy or Policy(root=replace(Settings(), tests=settings)),
            before=comparison.before,
            after=comparison.after,
            open_before=lambda: opened(comparison.before, comparison.before_folder, kind),
            open_after=lambda: opened(comparison.after, comparison.folder, kind),
            cache=cache,
        )
        return TestsLayer().judge(comparison.change, context)


def judge_change(
    repo: Path, files: Mapping[str, Content | None], settings: TestsSettings = ONCE, cache: Path | None = None
) -> LayerResult:
    """Commit `files` and judge that; the commit is taken back so that the next one starts from the same code."""
    start = git(repo, "rev-parse", "HEAD")
    commit(repo, files, "Candidate")
    try:
        return judge_commit(repo, settings, cache=cache)
    finally:
        git(repo, "reset", "-q", "--hard", start)


def found(result: LayerResult) -> list[tuple[str, str]]:
    """(code, subject) of each violation."""
    return [(violation.code, violation.subject) for violation in result.violations]
