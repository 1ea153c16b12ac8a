"""One configuration file: which keys it sets, to what, on which line."""

from __future__ import annotations

import hashlib
import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scaffold_cli.config.keys import Key, all_keys, nearest, sections
from scaffold_cli.config.values import ValueProblem, convert
from scaffold_cli.model.errors import UsageError


class FileName(StrEnum):
    """The files settings are read from."""

    SCAFFOLD = "scaffold.toml"
    PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Given:
    """A value and where it was written: `origin` is a file with its line, "default" or "command line"."""

    value: object
    origin: str
    folder: str = ""
    """The folder of the file that gave it; empty for the root."""


@dataclass(frozen=True, slots=True)
class Source:
    """What one file sets, by dotted key. Paths among the values are relative to the root."""

    path: str
    values: Mapping[str, Given] = field(default_factory=dict)
    digest: str = ""


def read_source(path: str, data: bytes) -> Source | None:
    """Read one configuration file; None for a pyproject.toml without a [tool.scaffold] table.

    `path` is POSIX and relative to the root. Raises UsageError for text that is not TOML, unknown keys and
    values that do not fit. A pyproject.toml that never mentions scaffold is not even parsed: it is not ours.
    """
    in_pyproject = posixpath.basename(path) == FileName.PYPROJECT
    if in_pyproject and b"scaffold" not in data:
        return None
    text, document = _parse(path, data)
    table: object = document
    if in_pyproject:
        tool = document.get("tool")
        table = tool.get("scaffold") if isinstance(tool, dict) else None
        if table is None:
            return None
    if not isinstance(table, dict):
        raise UsageError(f"{path}: tool.scaffold must be a table.")
    lines = _lines(text, "tool.scaffold." if in_pyproject else "")
    values = {}
    for name, value in _flatten(table, ""):
        line = lines.get(name)
        where = f"{path}:{line}" if line else path
        values[name] = Given(_value(name, value, path, where), where, posixpath.dirname(path))
    return Source(path, values, hashlib.sha256(data).hexdigest())


def checked(name: str, value: object, where: str) -> object:
    """The value of the key `name` in its own type; `where` names the place for the UsageError it may raise."""
    key = all_keys().get(name)
    if key is None:
        raise _unknown(name, where)
    try:
        return convert(key, value)
    except ValueProblem as problem:
        raise UsageError(f"{where}: {name} must be {problem}.", f"It is {value!r}.") from problem


def _value(name: str, value: object, path: str, where: str) -> object:
    found = checked(name, value, where)
    return _from_root(all_keys()[name], found, posixpath.dirname(path))


def _from_root(key: Key, value: object, folder: str) -> object:
    if not key.is_path or not isinstance(value, tuple):
        return value
    return tuple(posixpath.normpath(posixpath.join(folder, item)) for item in value)


def _parse(path: str, data: bytes) -> tuple[str, dict[str, object]]:
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        return text, tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text.", "Save it as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {str(error).rstrip('.')}.") from error


def _flatten(table: Mapping[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        dotted = prefix + name
        if isinstance(value, dict) and dotted not in all_keys():
            if dotted in sections():
                yield from _flatten(value, f"{dotted}.")
            else:
                yield dotted, value
        else:
            yield dotted, value


def _unknown(name: str, where: str) -> UsageError:
    close = nearest(name)
    hint = f"Did you mean {close!r}?" if close else "Run `scaffold config` to see every key."
    if name in sections():
        return UsageError(f"{where}: {name!r} is a table, not a key.", f"Write it as [{name}].")
    return UsageError(f"{where}: there is no setting {name!r}.", hint)


_HEADER = re.compile(r"\s*\[\s*([\w.\-\s\"']+?)\s*\]\s*(?:#.*)?$")
_ENTRY = re.compile(r"\s*([\w\-\"'][\w.\-\s\"']*?)\s*=")


def _lines(text: str, prefix: str) -> dict[str, int]:
    """The 1-based line of each key that is written in the usual way; the others are named by their file alone."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            table = _bare(header[1]) + "."
        elif entry := _ENTRY.match(line):
            name = table + _bare(entry[1])
            if name.startswith(prefix):
                found.setdefault(name[len(prefix) :], number)
    return found


def _bare(name: str) -> str:
    return re.sub(r"[\s\"']", "", name)
