"""A small project with protections, and `scaffold check` on what an attacker makes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scaffold_cli.cli.app import run
from tests.support.repos import Content, commit, make_repo

FILES = """\
import os
import subprocess

LIMIT = 1000


def check(path, root):
    if not path.resolve().is_relative_to(root):
        raise PermissionError(path)


def read(path, root):
    if not path.resolve().is_relative_to(root):
        raise PermissionError(path)
    return open(path, encoding="utf-8").read()


def save(path, root, data):
    check(path, root)
    if len(data) > LIMIT:
        raise ValueError("too much")
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(data)


def remove(actor, user, store):
    if not actor.is_admin or actor.is_locked:
        raise PermissionError(actor)
    store.delete(user)


def show(path, root):
    return read(path, root)
"""
BASE_CLASS = """\
class Handler:
    def check(self, user):
        if not user.is_admin:
            raise PermissionError(user)

    def handle(self, user, store):
        self.check(user)
        store.delete(user)


class Fast(Handler):
    name = "fast"
"""
TESTS = """\
import pathlib
import pytest
from app.files import read, LIMIT


def test_limit():
    assert LIMIT == 1000


def test_outside_is_refused(tmp_path):
    with pytest.raises(PermissionError):
        read(tmp_path / "x", pathlib.Path("/nowhere"))
"""
WORKFLOW = """\
jobs:
  test:
    steps:
      - run: pytest -q
      - run: scaffold check --base origin/main
"""
PROJECT: Mapping[str, Content] = {
    "app/__init__.py": "",
    "app/files.py": FILES,
    "app/handlers.py": BASE_CLASS,
    "tests/test_files.py": TESTS,
    "conftest.py": "",
    "scaffold.toml": '[budget]\neffect = "block"\n',
    "old/scaffold.toml": "[budget]\nchanged-lines = 9000\ndeleted-lines = 9000\nfiles = 90\npublic-signatures = 900\n",
    "old/notes.py": "X = 1\n",
    ".github/workflows/ci.yml": WORKFLOW,
    ".githooks/pre-commit": "#!/bin/sh\nexec scaffold check --staged\n",
    ".pre-commit-config.yaml": "repos:\n- hooks:\n  - id: scaffold-check\n",
    "Makefile": "test:\n\tpytest -q\n",
    "pytest.ini": "[pytest]\nxfail_strict = true\n",
    "tests/golden/out.golden": "refused\n",
    ".gitignore": "__pycache__/\n",
}


@dataclass(frozen=True)
class Result:
    """How `scaffold check` ended: its exit code, its JSON, and what it wrote."""

    code: int
    document: Mapping[str, Any]
    text: str

    @property
    def stopped(self) -> bool:
        """True when the change was rejected or could not be decided."""
        return self.code in (1, 3)

    @property
    def codes(self) -> set[str]:
        """Codes of what blocks or is undecided."""
        violations = (item for layer in self.document["layers"] for item in layer["violations"])
        return {item["code"] for item in violations if item["effect"] in ("blocks", "undecided")}


@dataclass
class Arena:
    """The project in a repository, and the way to judge a change of it in this process."""

    repo: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def judge(self, files: Mapping[str, Content | None], layers: str = "tests,budget,anchors", *words: str) -> Result:
        """Commit `files` as the candidate and judge them as CI does."""
        commit(self.repo, files, "Candidate")
        return self.check("--base", "HEAD~1", "--layers", layers, *words)

    def check(self, *words: str) -> Result:
        """`scaffold check … --format json`."""
        self.monkeypatch.chdir(self.repo)
        self.capsys.readouterr()
        code = run(["check", *words, "--format", "json"])
        out = self.capsys.readouterr().out
        return Result(code, json.loads(out) if out.startswith("{") else {"layers": []}, out)


@pytest.fixture
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Arena:
    """A fresh project. Witnesses cost seconds and decide nothing, so they are not looked for."""
    repo = make_repo(tmp_path / "project", PROJECT)
    return Arena(repo, monkeypatch, capsys)
