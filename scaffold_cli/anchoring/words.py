"""Identifiers split into words, and word patterns matched in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=20_000)
def words(identifier: str) -> tuple[str, ...]:
    """Lower-case words of an identifier: ``checkHTTPOnly_flag`` gives check, http, only, flag."""
    return tuple(word.lower() for word in _WORD.findall(identifier))


class WordPatterns:
    """Patterns of one or more words (``"constant time"``), each leading to a value; found as consecutive words.

    A trailing ``*`` in a word stands for any ending (``saniti*``); a leading ``^`` holds the pattern to the start of
    the identifier. The longest pattern wins.
    """

    def __init__(self, patterns: Iterable[tuple[str, str]]) -> None:
        self._exact: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._first: list[tuple[tuple[str, ...], str]] = []
        self._open: list[tuple[tuple[str, ...], str]] = []
        for pattern, value in patterns:
            parts = tuple(pattern.lower().lstrip("^").split())
            if pattern.startswith("^"):
                self._first.append((parts, value))
            elif parts[0].endswith("*"):
                self._open.append((parts, value))
            else:
                self._exact.setdefault(parts[0], []).append((parts, value))
        self._found: dict[str, str | None] = {}

    def find(self, identifier: str) -> str | None:
        """The value of the longest pattern in `identifier`, or None."""
        if identifier not in self._found:
            self._found[identifier] = self._search(words(identifier))
        return self._found[identifier]

    def _search(self, found: tuple[str, ...]) -> str | None:
        best: tuple[int, str] | None = None
        for start, word in enumerate(found):
            at_start = self._first if start == 0 else ()
            for parts, value in (*self._exact.get(word, ()), *self._open, *at_start):
                if _matches(parts, found[start : start + len(parts)]) and (best is None or len(parts) > best[0]):
                    best = (len(parts), value)
        return None if best is None else best[1]


def _matches(parts: tuple[str, ...], found: tuple[str, ...]) -> bool:
    if len(parts) != len(found):
        return False
    return all(
        word.startswith(part[:-1]) if part.endswith("*") else word == part
        for part, word in zip(parts, found, strict=True)
    )
