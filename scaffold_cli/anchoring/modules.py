"""A safe module swapped for an unsafe one: ``from json import loads`` to ``from pickle import loads``."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Fact, plain_fact
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Import, Outline

_SWAPS = (
    (
        "parser",
        frozenset({"json", "ujson", "orjson", "simplejson"}),
        frozenset({"pickle", "marshal", "dill", "shelve"}),
    ),
    ("parser", frozenset({"defusedxml"}), frozenset({"xml", "lxml"})),
    ("randomness", frozenset({"secrets"}), frozenset({"random"})),
)
"""Catalogue entry, safe modules, and those that do the same work on the caller's trust (so their documentation)."""


def swapped_modules(before: Outline, after: Outline) -> Iterator[tuple[Fact, str]]:
    """One fact for each safe module that is gone while an unsafe one newly gives a name it gave."""
    for entry, safe, unsafe in _SWAPS:
        old = [item for item in before.imports if _root(item) in safe]
        new = [item for item in after.imports if _root(item) in unsafe]
        if any(_root(item) in safe for item in after.imports):
            continue
        for item in old:
            match = next((other for other in new if other.local == item.local), None)
            if match is not None:
                because = f"hard because `{item.module}` is the safe one of its kind"
                yield import_fact(item, entry, because), f"now {match.local} comes from {match.module}"


def _root(item: Import) -> str:
    return item.module.partition(".")[0] if item.level == 0 else ""


def import_fact(item: Import, entry: str, because: str) -> Fact:
    """The anchor that an import is: `entry` is the catalogue entry it protects by."""
    return plain_fact(
        ProtectionKind.CALL,
        Level.PATTERN,
        f"{item.local} from {item.module}",
        item.line,
        name=item.local,
        action="import",
        entry=entry,
        because=because,
    )
