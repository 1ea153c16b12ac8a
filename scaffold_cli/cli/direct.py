"""Plain calls of a command read without typer's machinery.

Typer loads pydantic to turn words into values, which takes longer than all of git's work for a check. A call in which
every word is an option spelt out in full, its value, or a path is read here, from the same signature; any other call
(an error among them) is left to typer, so that there is one place for help, defaults and messages.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

from typer.models import ArgumentInfo, OptionInfo


def arguments(command: Callable[..., object], words: Sequence[str]) -> dict[str, Any] | None:
    """The keyword arguments for `command` that typer would find in `words`; None when typer should look itself."""
    parameters = inspect.signature(command, eval_str=True).parameters.values()
    found: dict[str, Any] = {parameter.name: parameter.default for parameter in parameters}
    options: dict[str, tuple[str, Any]] = {}
    positional: tuple[str, Any] | None = None
    for parameter in parameters:
        kind, info = get_args(parameter.annotation)
        kind = _required(kind)
        if isinstance(info, ArgumentInfo):
            positional = parameter.name, kind
        elif isinstance(info, OptionInfo) and not (info.callback or info.envvar or info.parser or info.is_eager):
            options.update((name, (parameter.name, kind)) for name in (info.default, *(info.param_decls or ())) if name)
    return _read(list(words), found, options, positional)


def _read(
    words: list[str], found: dict[str, Any], options: dict[str, tuple[str, Any]], positional: tuple[str, Any] | None
) -> dict[str, Any] | None:
    given: set[str] = set()
    while words:
        word = words.pop(0)
        place = options.get(word) if word.startswith("-") else positional
        if place is None or (word.startswith("-") and place == positional):
            return None
        name, kind = place
        if kind is bool:
            value: Any = True
        else:
            text = word
            if place != positional:
                if not words or words[0].startswith("-"):
                    return None
                text = words.pop(0)
            value = _value(kind, text)
        if value is None:
            return None
        if get_origin(kind) is list:
            found[name] = [*(found[name] or ()), value]
        elif name in given:
            return None
        else:
            found[name] = value
        given.add(name)
    return found


def _required(kind: Any) -> Any:
    """The type in a `T | None`."""
    parts = [part for part in get_args(kind) if part is not NoneType]
    return parts[0] if NoneType in get_args(kind) and len(parts) == 1 else kind


def _value(kind: Any, text: str) -> Any:
    """The value of one word; None when it is not plainly one."""
    if get_origin(kind) is list:
        kind = get_args(kind)[0]
    if kind in (str, Path):
        return kind(text)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next((member for member in kind if member.value == text), None)
    return None
