"""Judging as a user does, holding the evidence, and showing that nothing of the user's was touched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.program import Ended, scaffold
from tests.support.snapshots import snapshot

LOOK = ("--layers", "sast,budget,anchors")
"""Every layer but the tests."""


@dataclass(frozen=True)
class Judged:
    """The verdict of `scaffold check` as JSON, and what a test asks of it."""

    code: int
    document: Mapping[str, Any]

    @property
    def blocking(self) -> set[tuple[str, str]]:
        """(code, file) of everything that rejects."""
        return self._evidence("blocks")

    @property
    def open(self) -> set[tuple[str, str]]:
        """(code, file) of everything that could not be decided."""
        return self._evidence("undecided")

    @property
    def notes(self) -> set[tuple[str, str]]:
        """(code, file) of what the reader is told besides."""
        return {(note["code"], note["path"]) for note in self.document["notes"]}

    def facts(self, layer: str) -> Mapping[str, Any]:
        """What a layer says it looked at."""
        return next(dict(item["facts"]) for item in self.document["layers"] if item["layer"] == layer)

    def _evidence(self, effect: str) -> set[tuple[str, str]]:
        found = (item for layer in self.document["layers"] for item in layer["violations"] if item["effect"] == effect)
        return {(item["code"], (item["after"] or item["before"] or {"path": ""})["path"]) for item in found}


def everything(folder: Path) -> dict[str, tuple[str, int, str]]:
    """All of a project: files, index, refs and objects, with modes and times.

    Left out are our own cache, and the times of objects: git renews one when it meets the same content again.
    """
    return {
        name: (mode, 0 if name.startswith(".git/objects/") else time, content)
        for name, (mode, time, content) in snapshot(folder).items()
        if not name.startswith(".git/scaffold")
    }


def touched(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    """The names of what came, went or changed."""
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def untouched(before: Mapping[str, object], folder: Path) -> None:
    """Fail, and say what differs, unless `folder` is as it was."""
    differs = touched(before, everything(folder))
    assert not differs, f"the program touched {sorted(differs)}"


def check(repo: Path, *args: str | Path, env: Mapping[str, str] | None = None, where: Path | None = None) -> Judged:
    """Run `scaffold check` on a project and show that it wrote nothing there."""
    before = everything(repo)
    ended = scaffold("check", *args, "--format", "json", cwd=where or repo, env=env)
    untouched(before, repo)
    assert ended.out, ended.err
    judged = Judged(ended.code, ended.json)
    assert judged.document["exit_code"] == ended.code
    return judged


def fails(repo: Path, *args: str | Path, env: Mapping[str, str] | None = None) -> Ended:
    """Run `scaffold` where it can give no verdict: one sentence and at most one hint, nothing else, nothing written."""
    before = everything(repo)
    ended = scaffold(*args, cwd=repo, env=env)
    untouched(before, repo)
    assert ended.out == ""
    assert [line[:7] for line in ended.err.splitlines()] in (["error: "], ["error: ", "hint:  "])
    return ended


def try_git(repo: Path, *args: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run git where a hook may refuse; `scaffold` is on its PATH."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": tools, **(env or {})}
    return subprocess.run(["git", *args], cwd=repo, env=environ, capture_output=True, text=True, check=False)
