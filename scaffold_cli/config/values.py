"""From a TOML value to the value of a setting, or a sentence on what was expected."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import Any, get_args, get_origin

from scaffold_cli.config.keys import Key


class ValueProblem(Exception):  # noqa: N818 - it never leaves this room; callers turn it into a UsageError
    """The value does not fit; the text says what is expected."""


def convert(key: Key, value: object) -> object:
    """The value of `key` in its own type. Raises ValueProblem."""
    return _convert(key, key.type, value)


def expected(kind: Any, minimum: int | None = None) -> str:
    """What a value of this annotation looks like, in words."""
    if get_origin(kind) is tuple:
        return f"a list, each item {expected(get_args(kind)[0])}"
    if issubclass(kind, StrEnum):
        return "one of " + ", ".join(member.value for member in kind)
    if kind is int:
        return f"a whole number, {minimum or 0} or more"
    seconds = "a number of seconds above 0" if minimum is None else f"a number of seconds, {minimum} or more"
    words = {bool: "true or false", float: seconds, str: "a text"}
    return words[kind]


def _convert(key: Key, kind: Any, value: object) -> object:
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            raise ValueProblem(expected(kind))
        return tuple(_convert(key, get_args(kind)[0], item) for item in value)
    fits = _scalar(kind, value, key.minimum)
    if fits is None:
        raise ValueProblem(expected(key.type, key.minimum))
    return fits


def _scalar(kind: Any, value: object, minimum: int | None) -> object:
    """The value, or None when it does not fit. A bool is not taken for a number."""
    if issubclass(kind, StrEnum):
        return kind(value) if isinstance(value, str) and value in {member.value for member in kind} else None
    if kind is bool or isinstance(value, bool):
        return value if kind is bool and isinstance(value, bool) else None
    if kind is int:
        return value if isinstance(value, int) and value >= (minimum or 0) else None
    if kind is float:
        if not isinstance(value, int | float) or not math.isfinite(value):
            return None
        return float(value) if value > 0 or value == minimum else None
    return value if isinstance(value, str) and "\0" not in value else None
