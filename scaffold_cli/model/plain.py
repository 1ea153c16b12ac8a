"""Facts to JSON values and back: frozen dataclasses, enums, tuples and mappings of plain values.

Field names are the keys. Writing is canonical (sorted keys, ASCII, no spaces), so equal facts are equal bytes.
"""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
T = TypeVar("T")


class PlainError(ValueError):
    """A JSON value does not have the shape of the fact it should become."""


def to_plain(value: object) -> Json:
    """The JSON value of a fact. Raises PlainError for anything that is no fact (bytes, sets, open objects)."""
    if isinstance(value, Enum):
        return to_plain(value.value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    raise PlainError(f"{type(value).__name__} is not a plain fact")


def from_plain(kind: type[T], data: Json) -> T:
    """The fact of type `kind` that `to_plain` turned into `data`. Raises PlainError when the shape is another."""
    return cast("T", _read(kind, data, kind.__name__))


def canonical(value: Json) -> bytes:
    """The one byte string for a JSON value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode("ascii")


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, data: Json, where: str) -> object:
    kind = getattr(kind, "__supertype__", kind)  # a NewType is its base at run time
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _read_union(arguments, data, where)
    if origin is tuple:
        return _read_tuple(arguments, data, where)
    if origin is Mapping:
        return _read_mapping(arguments, data, where)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, data, where)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _read_enum(kind, data, where)
    return _read_scalar(kind, data, where)


def _read_enum(kind: type[Enum], data: Json, where: str) -> Enum:
    try:
        return kind(data)
    except ValueError as error:
        raise PlainError(f"{where}: {data!r} is none of {', '.join(str(item.value) for item in kind)}") from error


def _read_scalar(kind: Any, data: Json, where: str) -> object:
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is kind and kind in (bool, int, float, str, type(None)):
        return data
    raise PlainError(f"{where}: expected {getattr(kind, '__name__', kind)}, found {type(data).__name__}")


def _read_union(arguments: tuple[Any, ...], data: Json, where: str) -> object:
    exact = [kind for kind in arguments if type(data) is kind]
    for kind in exact or arguments:
        try:
            return _read(kind, data, where)
        except PlainError:
            continue
    raise PlainError(f"{where}: {type(data).__name__} fits no alternative")


def _read_tuple(arguments: tuple[Any, ...], data: Json, where: str) -> tuple[object, ...]:
    if not isinstance(data, list):
        raise PlainError(f"{where}: expected a list, found {type(data).__name__}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_read(arguments[0], item, f"{where}[{index}]") for index, item in enumerate(data))
    if len(arguments) != len(data):
        raise PlainError(f"{where}: expected {len(arguments)} items, found {len(data)}")
    return tuple(
        _read(kind, item, f"{where}[{index}]") for index, (kind, item) in enumerate(zip(arguments, data, strict=True))
    )


def _read_mapping(arguments: tuple[Any, ...], data: Json, where: str) -> dict[object, object]:
    if not isinstance(data, dict):
        raise PlainError(f"{where}: expected an object, found {type(data).__name__}")
    return {
        _read(arguments[0], name, where): _read(arguments[1], item, f"{where}.{name}") for name, item in data.items()
    }


def _read_dataclass(kind: type, data: Json, where: str) -> object:
    if not isinstance(data, dict):
        raise PlainError(f"{where}: expected an object, found {type(data).__name__}")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise PlainError(f"{where}: unknown field {unknown[0]!r}")
    missing = [
        name
        for name, field in fields.items()
        if name not in data and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    ]
    if missing:
        raise PlainError(f"{where}: field {missing[0]!r} is missing")
    hints = _hints(kind)
    return kind(**{name: _read(hints[name], item, f"{where}.{name}") for name, item in data.items()})
