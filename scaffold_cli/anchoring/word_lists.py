"""Lists of words that are data: ``anchors/words/*.yml``, with names that hold one of them and names that do not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.errors import InternalFaultError
from scaffold_cli.resources import compiled, data_folder


@dataclass(frozen=True, slots=True)
class Listed:
    """One list: what its `words` stand for, and the examples that are its tests (`found`, `passed` over)."""

    id: str
    title: str
    words: tuple[str, ...]
    found: tuple[str, ...]
    passed: tuple[str, ...]


class WordList:
    """The words of one list, found in identifiers as `WordPatterns` finds them.

    The data is read at first use, which raises InternalFaultError when the installation has no such list.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def find(self, identifier: str) -> str | None:
        """The name of the list when `identifier` holds one of its words, or None."""
        return self._patterns.find(identifier)

    @cached_property
    def _patterns(self) -> WordPatterns:
        known = word_lists().get(self._name)
        if known is None:
            raise InternalFaultError(f"The installation lacks its word list {self._name}.", "Reinstall scaffold-cegis.")
        return WordPatterns((word, known.id) for word in known.words)


@cache
def word_lists() -> dict[str, Listed]:
    """All lists by id, read once."""
    rows = [row for path in sorted(data_folder("anchors").glob("words/*.yml")) for row in _rows(path.read_bytes())]
    return {
        row["id"]: Listed(row["id"], row["title"], *(tuple(row[key]) for key in ("words", "found", "passed")))
        for row in rows
    }


def _rows(data: bytes) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] | None = compiled("anchors", data)
    if rows is None:
        import yaml

        rows = yaml.safe_load(data)
    return rows or []
