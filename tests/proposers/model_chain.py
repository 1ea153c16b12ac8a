"""A repository with one guarded function, and chains of a model over it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.program import Ended, scaffold

SOURCE = """import os


def read(root, name):
    if ".." in name:
        raise ValueError(name)
    path = os.path.join(root, name)
    return open(path).read()
"""
LONG = "    path = os.path.join(root, name)\n    return open(path).read()"
TIDY = SOURCE.replace(LONG, "    return open(os.path.join(root, name)).read()")
WITHOUT = SOURCE.replace('    if ".." in name:\n        raise ValueError(name)\n', "")
RUN = ("run", "files.py", "--goal", "tidy", "--layers", "anchors,budget", "--isolation", "worktree")


def whole(text: str) -> str:
    return f"FILE: files.py\n```python\n{text}```\n"


def run(repo: Path, url: str, *more: str, with_: str = "model:m") -> Ended:
    env = {"SCAFFOLD_BASE_URL": url, "SCAFFOLD_API_KEY": "k", "SCAFFOLD_MEMORY": str(repo.parent / "mine")}
    return scaffold(*RUN, "--with", with_, *more, cwd=repo, env=env)


def audits(repo: Path, step: str = "1") -> list[dict[str, object]]:
    found: list[dict[str, object]] = scaffold("show", step, "--format", "audit", cwd=repo).json
    return found
