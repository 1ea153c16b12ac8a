"""A small program to refine, a proposer that makes scripted edits, and a way to run a chain on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.runner import run_chain
from scaffold_cli.model.chain import ChainResult, StepOutcome
from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.proposers.interface import Proposal, Proposer, Request
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.vcs.repository import Repository
from tests.conftest import IDENTITY
from tests.support.repos import make_repo

VAULT = """\
import os


def read(root, name, user):
    if user.name != "admin":
        raise PermissionError("not yours")
    path = os.path.realpath(os.path.join(root, name))
    if not path.startswith(root + os.sep):
        raise ValueError("outside")
    with open(path) as file:
        return file.read()
"""
FILES = {"vault.py": VAULT, "other.py": "x = 1\n", "notes.txt": "one\n"}

FAST = (LayerName.BUDGET, LayerName.ANCHORS)
"""The layers that start no program: enough where a test is about the chain."""

NO_OWNER = VAULT.replace('    if user.name != "admin":\n        raise PermissionError("not yours")\n', "")
NO_PATH_CHECK = VAULT.replace('    if not path.startswith(root + os.sep):\n        raise ValueError("outside")\n', "")
TIDY = VAULT.replace("file:", "stream:").replace("file.read", "stream.read")
TIDIER = TIDY.replace('"not yours"', '"this is not yours"')
UNPARSABLE = VAULT.replace("def read(", "def read((")

Edit = Mapping[str, str | bytes | None] | Callable[[Request, Workspace], Proposal | None]


class Scripted:
    """Makes one edit after the other and remembers what it was asked; done when none is left."""

    name = "scripted"

    def __init__(self, *edits: Edit) -> None:
        self.requests: list[Request] = []
        self._edits = list(edits)

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        self.requests.append(request)
        if not self._edits:
            return Proposal("nothing is left", done=True)
        edit = self._edits.pop(0)
        if callable(edit):
            return edit(request, workspace) or Proposal("edit by hand")
        workspace.write({path: version(path, content) for path, content in edit.items()})
        return Proposal(f"edit {', '.join(sorted(edit))}")


def version(path: str, content: str | bytes | None) -> FileVersion | None:
    if content is None:
        return None
    return FileVersion(path, content.encode() if isinstance(content, str) else content)


def vault(path: Path) -> Path:
    return make_repo(path, FILES)


@contextmanager
def ran_once(factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A vault for a fixture of module scope, which gets no home and no identity from the fixture of each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(factory.mktemp("home")))
        for name, value in IDENTITY.items():
            patch.setenv(name, value)
        yield vault(factory.mktemp("ran") / "repo")


def chain(
    root: Path,
    *edits: Edit,
    paths: Sequence[str] = ("vault.py",),
    proposer: Proposer | None = None,
    progress: Progress | None = None,
    goal: str = "tidy up",
    **options: Any,
) -> ChainResult:
    chosen = ChainOptions(**{"layers": FAST, **options})
    repo = Repository.discover(root)
    return run_chain(repo, goal, tuple(paths), proposer or Scripted(*edits), chosen, progress)


def outcomes(result: ChainResult) -> list[StepOutcome]:
    return [attempt.outcome for attempt in result.attempts]
