"""Real git repositories for tests."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

Content = str | bytes


def git(repo: Path, *args: str, stdin: bytes = b"") -> str:
    """Run git in `repo` and return what it printed, without the last newline. Fails the test on an error."""
    done = subprocess.run(["git", *args], cwd=repo, input=stdin, capture_output=True, check=False)
    if done.returncode:
        raise AssertionError(
            f"git {' '.join(args)} ended with {done.returncode}: {done.stderr.decode(errors='replace')}"
        )
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def write(folder: Path, files: Mapping[str, Content | None]) -> None:
    """Write these files below `folder`; None deletes."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def commit(repo: Path, files: Mapping[str, Content | None], message: str = "Change things") -> str:
    """Write `files` (None deletes), commit everything that is not ignored, return the commit's name."""
    write(repo, files)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message)
    return git(repo, "rev-parse", "HEAD")


def make_repo(path: Path, files: Mapping[str, Content]) -> Path:
    """A repository at `path` on branch `main` with one commit holding `files`; without files, HEAD is unborn."""
    path.mkdir(parents=True, exist_ok=True)
    git(path, "init", "-q", "-b", "main")
    if files:
        commit(path, files, "Start")
    return path
