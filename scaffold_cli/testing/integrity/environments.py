"""Environments of tox and sessions of nox that are still defined and no longer run by default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.line_patterns import covers, without_comments
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

_FILES = ("tox.ini", "tox.toml", "setup.cfg", "pyproject.toml", "noxfile.py")
_LIST = re.compile(
    r"^[ \t]*(?:envlist|env_list|nox\.options\.sessions)[ \t]*=[ \t]*"
    r"(?P<names>[\[(][^\])]*|[^\n]*(?:\n[ \t]+[^\s\[=][^\n=]*)*)",
    re.MULTILINE,
)
_CHOICE = re.compile(r"\{([^{}]*)\}")
_DEFINED = re.compile(
    r"^\s*\[(?:testenv:|(?:tool\.tox\.)?env\.)[\"']?(?P<env>[\w.{},-]+)|^def (?P<session>\w+)\(session", re.MULTILINE
)
_CHECKS = re.compile(
    r"(?<![\w-])(pytest|py\.test|unittest|nose2|ward|behave|stestr|coverage|bandit|semgrep|ruff|flake8|pylint|mypy|pyright|"
    r"pip-audit|safety|trivy|scaffold|manage\.py[\s\"',]+test)\b",
    re.IGNORECASE,
)
"""Programs whose answer counts."""


def environments(material: Material) -> Iterator[Breach]:
    """One breach for each file that leaves out what it still defines."""
    for pair in material.change.files:
        if pair.before is None or pair.after is None or not covers(_FILES, pair.path):
            continue
        before, after = _listed(_text(pair.before)), _listed(_text(pair.after))
        left = (before - after) & _defined(_text(pair.after)) if before and after else set()
        if left:
            what = f"{pair.path} no longer runs `{min(left)}` by itself, though it still defines it."
            place = material.place(pair.after.path, 1, after=True)
            yield Breach(BreachKind.LOOSENED, what, f"{pair.path}::{min(left)}", after=place)


def _text(version: FileVersion) -> str:
    return without_comments(version.data.decode("utf-8", "replace"))


def _listed(text: str) -> set[str]:
    """Names in the lists, ``py{310,311}-{unit,lint}`` spelled out."""
    names = (name for found in _LIST.finditer(text) for name in _split(found["names"]))
    return {full for name in names for full in _spelled_out(name)}


def _split(text: str) -> list[str]:
    """At commas and white space outside braces."""
    return [name for name in re.split(r"[\s,\[\]()\"']+(?![^{}]*\})", text) if name]


def _spelled_out(name: str) -> Iterator[str]:
    pieces = _CHOICE.split(name)
    ways = (piece.split(",") if place % 2 else [piece] for place, piece in enumerate(pieces))
    yield from ("".join(way).strip() for way in product(*ways))


def _defined(text: str) -> set[str]:
    """Those whose own part of the file runs tests or another check."""
    names, found = set[str](), list(_DEFINED.finditer(text))
    for place, item in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        if _CHECKS.search(text, item.end(), end):
            names |= set(_spelled_out(item["env"] or item["session"]))
    return names
