"""The settings as a flat table of keys, read off the dataclasses of `schema`: there is no second list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any, get_type_hints

from scaffold_cli.config.schema import Settings


@dataclass(frozen=True, slots=True)
class Key:
    """One setting. `name` is dotted and kebab-case ("tests.command"); `type` is the annotation of its field."""

    name: str
    type: Any
    default: object
    minimum: int | None = None
    """The least number allowed; None stands for 0, or for above 0 where the value is seconds."""
    is_path: bool = False
    """True when its values are paths relative to the configuration file."""

    @property
    def section(self) -> str:
        """The table it stands in; empty at the top."""
        return self.name.rpartition(".")[0]


@cache
def all_keys() -> Mapping[str, Key]:
    """Every key by its dotted name, in the order of the dataclasses."""
    return MappingProxyType({key.name: key for key in _walk(Settings, "")})


@cache
def sections() -> frozenset[str]:
    """The names of all tables ("tests", "sast", ...)."""
    return frozenset(key.section for key in all_keys().values() if key.section)


def nearest(name: str) -> str:
    """The valid key or table whose name is closest to `name`; empty when none is close.

    A key given without its table ("command" for "tests.command") counts as close.
    """
    last = {key.rpartition(".")[2]: key for key in reversed(list(all_keys()))}
    if name in last:
        return last[name]
    valid = [*all_keys(), *sections()]
    close = get_close_matches(name, valid, n=1, cutoff=0.6)
    if close:
        return close[0]
    close = get_close_matches(name.rpartition(".")[2], list(last), n=1, cutoff=0.7)
    return last[close[0]] if close else ""


def _walk(section: type, prefix: str) -> Iterator[Key]:
    hints = get_type_hints(section)
    for field in fields(section):
        name = prefix + field.name.replace("_", "-")
        kind = hints[field.name]
        if is_dataclass(kind) and isinstance(kind, type):
            yield from _walk(kind, f"{name}.")
        else:
            yield Key(name, kind, _default(field), field.metadata.get("minimum"), field.metadata.get("path", False))


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is MISSING else field.default_factory()
