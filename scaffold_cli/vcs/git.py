"""The thin wrapper around the git program: every read goes through it (docs/decisions/0001-git-layer.md)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from scaffold_cli import processes
from scaffold_cli.model.errors import UndecidedError

# What a user's configuration must not do to a reading: start a file-system monitor or a hook (writing even a private
# index fires `post-index-change`), split that index into the repository, pack objects, refuse mixed line ends.
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.splitIndex=false",
    "core.safecrlf=false",
    "gc.auto=0",
    "maintenance.auto=false",
)
_LITTLE = 1 << 18
"""Bytes free on a disk that count as none."""
_FULL = ("No space left on device", "Out of diskspace", "Disk quota exceeded")
_PREFIX = ("git", "--no-pager", *(word for setting in _SETTINGS for word in ("-c", setting)))


class GitError(UndecidedError):
    """git ended with a code nobody expected; `code` is that code, `reason` what it said on stderr."""

    def __init__(self, command: str, code: int, reason: str) -> None:
        first = next((line for line in reason.splitlines() if line.strip()), f"it ended with code {code}")
        hint = no_room(reason) or "Run `git fsck` if the repository may be damaged."
        super().__init__(f"git {command} failed: {first.strip()}", hint)
        self.command = command
        self.code = code
        self.reason = reason


def no_room(reason: str, folder: Path | None = None) -> str:
    """What to do when git said that the disk is full; empty for any other reason.

    About a lock it could not write git does not say why: then the disk that `folder` is on is asked.
    """
    full = any(words in reason for words in _FULL)
    if not full and folder is not None and "couldn't write" in reason:
        full = shutil.disk_usage(folder).free < _LITTLE
    return "Make room on the disk, then run again." if full else ""


def clean_environment(env: Mapping[str, str] | None = None) -> dict[str, str]:
    """`env` (the process's own by default) without any GIT_* variable, for a git that locks, asks and pages nothing.

    Hooks export GIT_DIR, GIT_INDEX_FILE and more, which would turn a child git to another repository.
    """
    source = os.environ if env is None else env
    cleaned = {name: value for name, value in source.items() if not name.startswith("GIT_")}
    cleaned.update(GIT_OPTIONAL_LOCKS="0", GIT_TERMINAL_PROMPT="0", GIT_PAGER="cat", LC_ALL="C")
    return cleaned


def git(
    *args: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    ok: tuple[int, ...] = (0,),
    essential: bool = False,
) -> bytes:
    """Run git in `cwd` and return what it wrote to stdout.

    `env` is the whole environment (default: `clean_environment()`). Hooks never fire. `essential` is for cleaning
    up while everything else is being ended. Raises GitError when the exit code is not in `ok`,
    ProgramNotFoundError without git.
    """
    result = run(*args, cwd=cwd, env=env, stdin=stdin, essential=essential)
    if result.code not in ok:
        raise GitError(args[0] if args else "", result.code, decode(result.stderr))
    return result.stdout


def run(
    *args: str,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    stdin: bytes = b"",
    essential: bool = False,
) -> processes.Completed:
    """Like `git`, for callers to whom the exit code is an answer."""
    environment = clean_environment() if env is None else env
    return processes.run((*_PREFIX, *args), cwd=cwd, env=environment, stdin=stdin, essential=essential)


def decode(data: bytes) -> str:
    """Bytes of a path or message as text; what is not UTF-8 survives by surrogateescape."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The inverse of `decode`."""
    return text.encode("utf-8", "surrogateescape")


def on_disk(root: Path, path: str) -> Path:
    """Where the POSIX `path` below `root` lies, whatever encoding the locale has."""
    return root / os.fsdecode(encode(path))


def from_disk(path: Path) -> str:
    """The inverse of `on_disk` for a path relative to the root."""
    return decode(os.fsencode(path))
