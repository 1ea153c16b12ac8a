"""What a run was asked, kept while it runs, so that a killed one can go on."""

from __future__ import annotations

import contextlib
import os
import stat

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.repository import Repository

_NAME = "request"
_MOST_BYTES = 1 << 20
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def keep(repo: Repository, text: str) -> None:
    """Write it down for this worktree, readable for its owner alone: it may name a program. Needs the lock.

    Raises UndecidedError where it cannot be written.
    """
    new = repo.own_dir / f"{_NAME}-{os.getpid()}"
    try:
        repo.own_dir.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
        with os.fdopen(os.open(new, flags, stat.S_IRUSR | stat.S_IWUSR), "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        new.replace(repo.own_dir / _NAME)
    except OSError as error:
        with contextlib.suppress(OSError):
            new.unlink()
        raise UndecidedError(
            f"The repository cannot be written: {error.strerror} in {repo.own_dir}.",
            "Make room, or mend the permissions.",
        ) from error


def kept(repo: Repository) -> str:
    """What was kept; "" when there is nothing, or when anybody but this user may have written it."""
    try:
        descriptor = os.open(repo.own_dir / _NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE:
            return ""
        return file.read(_MOST_BYTES).decode("utf-8", "surrogateescape")


def forget(repo: Repository) -> None:
    """Remove it, and halves of it that a killed process left. Needs the lock."""
    for path in repo.own_dir.glob(f"{_NAME}*"):
        with contextlib.suppress(OSError):
            path.unlink()
