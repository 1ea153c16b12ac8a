"""Identifiers split into words, and word patterns matched in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_Pattern = tuple[tuple[str, ...], str]
_KEY = 2
"""Letters of a first word by which patterns are looked up; no pattern's first word is shorter."""
_KEPT = 50_000
"""Identifiers whose answer is kept, for each set of patterns; after that all are looked up anew."""
_PART = re.compile(r"(?:[a-z]+|\d+)\*?|\*")
"""A word of a pattern: letters or digits, as in identifiers, or any."""
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
        self._anywhere: dict[str, list[_Pattern]] = {}
        self._at_start: dict[str, list[_Pattern]] = {}
        for pattern, value in sorted(patterns, key=lambda pair: "*" in pair[0]):  # at equal length, whole words win
            table = self._at_start if pattern.startswith("^") else self._anywhere
            parts = tuple(_PART.findall(pattern.lower()))
            table.setdefault(parts[0].rstrip("*")[:_KEY], []).append((parts, value))
        self._found: dict[str, str | None] = {}

    def find(self, identifier: str) -> str | None:
        """The value of the longest pattern in `identifier`, or None."""
        try:
            return self._found[identifier]
        except KeyError:
            found = self._search(words(identifier))
            if len(self._found) >= _KEPT:
                self._found.clear()
            self._found[identifier] = found
            return found

    def _search(self, found: tuple[str, ...]) -> str | None:
        best: tuple[int, str] | None = None
        for start, word in enumerate(found):
            candidates = self._anywhere.get(word[:_KEY], ())
            if start == 0:
                candidates = (*self._at_start.get(word[:_KEY], ()), *candidates)
            for parts, value in candidates:
                if (best is None or len(parts) > best[0]) and _matches(parts, found[start : start + len(parts)]):
                    best = (len(parts), value)
        return None if best is None else best[1]


def _matches(parts: tuple[str, ...], found: tuple[str, ...]) -> bool:
    if len(parts) != len(found):
        return False
    for part, word in zip(parts, found, strict=True):
        if word != part and not (part[-1] == "*" and word.startswith(part[:-1])):
            return False
    return True
