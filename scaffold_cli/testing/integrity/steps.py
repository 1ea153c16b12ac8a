"""Steps and jobs of CI that run tests, or the guard, and do so only under a condition now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.line_patterns import covers
from scaffold_cli.testing.integrity.commands import Command
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

_FILES = (".github/workflows/*", "azure-pipelines*", "*/action.yml", "action.yml")
_COMMANDS = ("run", "script", "bash", "pwsh", "powershell")
_CONDITIONS = ("if", "condition")
_USUAL = re.compile(r"(\$\{\{\s*)?(success|succeeded|always|succeededOrFailed)\(\)(\s*\}\})?")
"""Conditions under which a step runs as it does without one, or more often."""
_MOST = 200_000
"""Bytes of a file that is read; larger ones are none that people write."""
_DEEP = 30


def steps(material: Material) -> Iterator[Breach]:
    """One breach for each file in which a command lost its freedom."""
    for pair in material.change.files:
        if pair.before is None or pair.after is None or not covers(_FILES, pair.path):
            continue
        before, after = _conditions(pair.before), _conditions(pair.after)
        for text, asked in after.items():
            if asked and before.get(text) == "":
                what = f"{pair.path} runs `{text}` only under a condition: {asked}."
                place = material.place(pair.after.path, 1, after=True)
                yield Breach(BreachKind.LOOSENED, what, f"{pair.path}::{text}", after=place)


def _conditions(version: FileVersion) -> Mapping[str, str]:
    """The first line of each command that runs tests, with the conditions it stands under; what is no YAML has none."""
    import yaml

    if len(version.data) > _MOST:
        return {}
    try:
        return dict(_walk(yaml.safe_load(version.data.decode("utf-8", "replace")), "", 0))
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}


def _walk(node: Any, asked: str, deep: int) -> Iterator[tuple[str, str]]:
    if deep > _DEEP:
        return
    if isinstance(node, dict):
        own = next((str(node[key]) for key in _CONDITIONS if key in node), "")
        own = "" if _USUAL.fullmatch(own) else own
        under = " and ".join(filter(None, (asked, own)))
        for key in _COMMANDS:
            text = node.get(key)
            if isinstance(text, str) and any(Command(line, 0).runs_tests for line in text.split("\n")):
                yield text.strip().partition("\n")[0], under
        for value in node.values():
            yield from _walk(value, under, deep + 1)
    elif isinstance(node, list):
        for value in node:
            yield from _walk(value, asked, deep + 1)
