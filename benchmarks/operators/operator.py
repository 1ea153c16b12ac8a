"""What an operator is: a name, a promise, and the places in a text where it can keep it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from random import Random

_TRIES = 12
"""How many places are tried before an operator says that a text offers none."""


class Kind(StrEnum):
    """What an operator promises."""

    PRESERVING = "preserving"
    """Every caller sees the same values, errors and effects (log lines and introspection aside)."""
    DEGRADING = "degrading"
    """A security-relevant protection that stood at the place is gone or weaker."""


class Language(StrEnum):
    """The language whose text an operator rewrites."""

    PYTHON = "python"
    JAVA = "java"

    @property
    def suffix(self) -> str:
        """The ending of its files."""
        return ".py" if self is Language.PYTHON else ".java"


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters ``[start, end)`` of a text by `text`."""

    start: int
    end: int
    text: str


Rewrite = tuple[Edit, ...]
"""The edits of one place; they do not overlap."""

Places = Callable[[str], Iterable[Rewrite]]
"""All places of a text; empty for a text that does not parse."""


@dataclass(frozen=True, slots=True)
class Operator:
    """One rewrite. `what` says in one sentence what it does to the code."""

    name: str
    kind: Kind
    language: Language
    what: str
    places: Places

    def apply(self, source: str, random: Random, near: tuple[int, int] | None = None) -> str | None:
        """`source` rewritten at one place chosen by `random`; None when it offers no place.

        Places that touch the characters ``[start, end)`` of `near` are tried first. The same text and the same
        state of `random` give the same result, which always parses.
        """
        places = list(_places(self.places, source))
        tries = random.sample(places, min(_TRIES, len(places)))
        if near is not None:
            close = [place for place in places if _touches(place, near)]
            tries = random.sample(close, min(_TRIES, len(close))) + tries
        for place in tries:
            result = write(source, place)
            if result != source and parses(result, self.language):
                return result
        return None


def _touches(place: Rewrite, near: tuple[int, int]) -> bool:
    return any(edit.start < near[1] and edit.end >= near[0] and edit.end for edit in place)


@lru_cache(maxsize=256)
def _places(places: Places, source: str) -> tuple[Rewrite, ...]:
    return tuple(places(source))


def write(source: str, edits: Iterable[Edit]) -> str:
    """`source` with the edits made, those at one place in the order given. Raises ValueError when they overlap."""
    parts = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < done:
            raise ValueError(f"edits overlap at {edit.start}")
        parts += [source[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, source[done:]])


def parses(source: str, language: Language) -> bool:
    """True when the compiler's front end takes the text."""
    if language is Language.PYTHON:
        try:
            compile(source, "<rewritten>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return False
        return True
    from benchmarks.operators.java.source import parse

    return parse(source) is not None
