"""From the configuration files of a tree to the Policy in force.

For one file of a change, each setting comes from the first of: the command line, the nearest configuration
file at or above the file that sets it, the files further out, the default. A folder may have scaffold.toml or
[tool.scaffold] in pyproject.toml, not both.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, cast, get_type_hints

from scaffold_cli.config.keys import all_keys
from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import Settings
from scaffold_cli.config.source import FileName, Given, Source, checked, read_source
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.tree import Tree

COMMAND_LINE = "command line"
DEFAULT = "default"
NO_OVERRIDES: Mapping[str, object] = MappingProxyType({})


def load_policy(tree: Tree | None, paths: Iterable[str] = (), overrides: Mapping[str, object] = NO_OVERRIDES) -> Policy:
    """The settings for the folders of `paths` (POSIX, relative to the root), read from `tree`.

    `overrides` maps dotted keys ("tests.command") to values from the command line; they win everywhere.
    Raises UsageError naming the file, the key and what was expected.
    """
    sources = read_sources(tree, paths)
    given = {name: Given(checked(name, value, COMMAND_LINE), COMMAND_LINE) for name, value in overrides.items()}
    folders, commands, scanners = {}, {}, {}
    for folder in sources:
        merged = merge(_outermost_first(sources, folder), given)
        folders[folder] = to_settings(merged)
        commands[folder] = merged["tests.command"].folder
        scanners[folder] = merged["sast.command"].folder
    root = folders.pop("", None) or to_settings(merge([], given))
    digests = {source.path: source.digest for source in sources.values()}
    return Policy(root=root, folders=folders, digests=digests, commands=commands, scanners=scanners)


def read_sources(tree: Tree | None, paths: Iterable[str]) -> dict[str, Source]:
    """The configuration files at or above `paths`, by their folder ("" is the root), outermost first."""
    if tree is None:
        return {}
    folders = {"": None} | {folder: None for path in paths for folder in _above(path)}
    found = {}
    for folder in sorted(folders, key=lambda name: (name.count("/"), name)):
        source = _read_folder(tree, folder)
        if source is not None:
            found[folder] = source
    return found


def merge(sources: Sequence[Source], overrides: Mapping[str, Given]) -> dict[str, Given]:
    """Every key with its effective value and origin. `sources` come outermost first."""
    merged = {name: Given(key.default, DEFAULT) for name, key in all_keys().items()}
    for source in sources:
        merged.update(source.values)
    merged.update(overrides)
    return merged


def to_settings(merged: Mapping[str, Given]) -> Settings:
    """The dataclasses filled with these values."""
    return cast("Settings", _build(Settings, "", merged))


def governing(sources: Mapping[str, Source], path: str) -> list[Source]:
    """The sources that speak for the file or folder at `path`, outermost first."""
    return [sources[folder] for folder in ("", *reversed(_above(path)), path) if folder in sources]


def _outermost_first(sources: Mapping[str, Source], folder: str) -> list[Source]:
    return governing(sources, folder) if folder else [sources[""]]


def _above(path: str) -> list[str]:
    """The folders above a path, nearest first, without the root."""
    found = []
    while path := posixpath.dirname(path):
        found.append(path)
    return found


def _read_folder(tree: Tree, folder: str) -> Source | None:
    found = []
    for name in FileName:
        path = posixpath.join(folder, name.value)
        data = tree.read(path)
        source = None if data is None else read_source(path, data)
        if source is not None:
            found.append(source)
    if len(found) > 1:
        raise UsageError(
            f"Both {found[0].path} and [tool.scaffold] in {found[1].path} hold settings.",
            "Keep one of them: the other could be overlooked.",
        )
    return found[0] if found else None


def _build(section: type[Any], prefix: str, merged: Mapping[str, Given]) -> object:
    hints = get_type_hints(section)
    arguments: dict[str, Any] = {}
    for field in fields(section):
        name = prefix + field.name.replace("_", "-")
        kind = hints[field.name]
        nested = isinstance(kind, type) and is_dataclass(kind)
        arguments[field.name] = _build(kind, f"{name}.", merged) if nested else merged[name].value
    return section(**arguments)
