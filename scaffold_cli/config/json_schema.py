"""The JSON Schema of scaffold.toml and [tool.scaffold], made from the dataclasses and published beside them."""

from __future__ import annotations

import ast
import inspect
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args, get_origin

from scaffold_cli.config import schema
from scaffold_cli.config.keys import Key, all_keys

SCHEMA_ID = "urn:scaffold-cegis:schema:config"
PUBLISHED = Path(__file__).parent / "schemas" / "config.schema.json"


def config_schema() -> dict[str, Any]:
    """The schema (draft 2020-12); keys carry the field docstrings as descriptions."""
    root = _table("Settings of scaffold: scaffold.toml, or [tool.scaffold] in pyproject.toml.")
    texts = _descriptions()
    for key in all_keys().values():
        table = root
        if key.section:
            table = root["properties"].setdefault(key.section, _table(texts[key.section]))
        table["properties"][key.name.rpartition(".")[2]] = _property(key, texts.get(key.name, ""))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, **root}


def _table(description: str) -> dict[str, Any]:
    return {"description": description, "type": "object", "additionalProperties": False, "properties": {}}


def _property(key: Key, description: str) -> dict[str, Any]:
    made = _typed(key.type, key.minimum)
    default = key.default
    made["default"] = [str(item) for item in default] if isinstance(default, tuple) else default
    return {"description": description, **made} if description else made


def _typed(kind: Any, minimum: int | None) -> dict[str, Any]:
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _typed(get_args(kind)[0], minimum)}
    if issubclass(kind, StrEnum):
        return {"enum": [member.value for member in kind]}
    if kind is int:
        return {"type": "integer", "minimum": minimum or 0}
    made: dict[type, dict[str, Any]] = {
        bool: {"type": "boolean"},
        float: {"type": "number", **({"exclusiveMinimum": 0} if minimum is None else {"minimum": minimum})},
        str: {"type": "string"},
    }
    return made[kind]


def _descriptions() -> dict[str, str]:
    """The docstring under each field, by dotted key, and that of each table's class, by table."""
    classes = {node.name: node for node in ast.parse(inspect.getsource(schema)).body if isinstance(node, ast.ClassDef)}
    texts: dict[str, str] = {}
    for section in {key.section for key in all_keys().values()}:
        node = classes[f"{section.capitalize()}Settings" if section else "Settings"]
        texts[section] = ast.get_docstring(node) or ""
        for field, after in zip(node.body, node.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(field.target, ast.Name):
                name = field.target.id.replace("_", "-")
                texts[f"{section}.{name}".lstrip(".")] = str(ast.literal_eval(after.value))
    return texts
