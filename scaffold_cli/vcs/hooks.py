"""Where git looks for hooks, and whether there are any."""

from __future__ import annotations

import os
from pathlib import Path

from scaffold_cli.processes import run
from scaffold_cli.vcs.git import clean_environment
from scaffold_cli.vcs.repository import Repository


def hooks_folder(repo: Repository) -> Path:
    """Where git looks for hooks, `core.hooksPath` included."""
    # Not through vcs.git: it turns hooks off, by this very setting.
    found = run(["git", "rev-parse", "--git-path", "hooks"], cwd=repo.root, env=clean_environment())
    return repo.root / os.fsdecode(found.stdout.rstrip(b"\n"))


def has_hooks(repo: Repository) -> bool:
    """True when git would run something of the user's while it commits."""
    folder = hooks_folder(repo)
    if not folder.is_dir():
        return False
    return any(path.suffix != ".sample" and os.access(path, os.X_OK) and path.is_file() for path in folder.iterdir())
