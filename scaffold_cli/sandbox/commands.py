"""The user's own commands as they are run in a workspace: their words and their environment."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping

from scaffold_cli.model.errors import UsageError

_OURS = ("GIT_", "SCAFFOLD_", "PYTEST_XDIST_", "PYTEST_CURRENT_TEST", "COV_CORE_")
"""Variables that speak of a hook, a test run or a measurement which is none of the command's business."""
_SHELL = re.compile(r"^\s*\w+=|[$`*?~]")
"""An assignment in front, or a character with a meaning to the shell."""


def words(command: str, key: str) -> list[str]:
    """The command as words; one that needs a shell (`&&`, `|`, `$X`, `*`, `X=1 …`) is given to `sh`.

    Raises UsageError, naming the setting `key`, for an unclosed quote.
    """
    try:
        plain = shlex.split(command)
        tokens = list(shlex.shlex(command, posix=True, punctuation_chars=True))
    except ValueError as error:
        raise UsageError(f"{key} cannot be split into words: {error}.", f"It reads: {command}") from error
    operators = any(token and set(token) <= set("();<>|&") for token in tokens)
    if operators or _SHELL.search(command):
        return ["sh", "-c", command]
    return plain


def environment(source: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment both sides are run in: `source` (default: our own) without what would colour the result."""
    given = os.environ if source is None else source
    kept = {name: value for name, value in given.items() if not name.startswith(_OURS)}
    return {**kept, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
