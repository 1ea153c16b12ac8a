"""Where memories are: one of the repository, shared by its work trees, and one of the user."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path


class Scope(StrEnum):
    """Whose memory."""

    REPOSITORY = "repository"
    USER = "user"


def user_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The user's memory in the platform's data folder; `SCAFFOLD_MEMORY` names another one."""
    if named := environment.get("SCAFFOLD_MEMORY"):
        return Path(named).expanduser()
    home = Path(environment.get("HOME") or Path.home())
    if platform == "darwin":
        base = home / "Library" / "Application Support"
    elif platform == "win32":
        base = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        base = Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share")
    return base / "scaffold" / "memory"


def repository_folder(git_folder: Path) -> Path:
    """The memory inside the repository's common git folder: never committed, never cleaned away."""
    return git_folder / "scaffold" / "memory"
