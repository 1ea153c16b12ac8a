"""Every effective setting with where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli.config.loading import COMMAND_LINE, NO_OVERRIDES, governing, merge, read_sources
from scaffold_cli.config.source import Given, checked
from scaffold_cli.model.tree import Tree

Plain = str | int | float | bool | list[str]


@dataclass(frozen=True, slots=True)
class Explained:
    """One setting in force. `origin` is "default", a file with its line, or "command line"."""

    name: str
    value: Plain
    origin: str


def explain(tree: Tree | None, path: str = "", overrides: Mapping[str, object] = NO_OVERRIDES) -> tuple[Explained, ...]:
    """The settings in force for the file or folder at `path` (POSIX, relative to the root; empty for the root).

    Raises what `load_policy` raises.
    """
    sources = read_sources(tree, [f"{path}/-"] if path else [])
    given = {name: Given(checked(name, value, COMMAND_LINE), COMMAND_LINE) for name, value in overrides.items()}
    merged = merge(governing(sources, path), given)
    return tuple(Explained(name, _plain(given.value), given.origin) for name, given in merged.items())


def _plain(value: object) -> Plain:
    """The value as TOML and JSON would write it."""
    if isinstance(value, tuple | list):
        return [str(item) for item in value]
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, bool | int | float):
        return value
    return str(value)
