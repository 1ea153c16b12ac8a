"""The front-end for any text without a grammar: decoded lines only; facts are found in them by pattern."""

from __future__ import annotations

from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.outline import Language, Outline


def lower(path: str, data: bytes) -> Outline:
    """An outline with lines and nothing else."""
    lines = tuple(decode(data).split("\n"))
    return Outline(path=path, language=Language.TEXT, lines=len(lines), text=lines)
