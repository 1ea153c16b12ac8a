"""A small lexer for code and comments of any state: it never fails, also on code cut off in the middle."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import zip_longest
from typing import NamedTuple

from scaffold_cli.syntax.outline import Language

_STRING = r"""(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|"|')(?P<body>(?:\\.|(?!(?P=quote)).)*)(?P=quote)"""
_REST = r"|(?P<word>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<space>\s+)|(?P<other>.)"
_PYTHON = re.compile(rf"(?P<comment>\#[^\n]*)|{_STRING}{_REST}", re.DOTALL)
_C_COMMENT = r"(?P<comment>//[^\n]*|/\*.*?\*/)"
_C_LIKE = re.compile(rf"{_C_COMMENT}|{_STRING}{_REST}", re.DOTALL)
_LINE_STRING = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
_GO = re.compile(rf"{_C_COMMENT}|(?P<string>{_LINE_STRING}|`[^`]*`){_REST}", re.DOTALL)
# A slash begins a regular expression where no value can have ended before it.
_REGEX = r"(?:(?<=[(,=:\[!&|?{};\n])|(?<=[(,=:\[!&|?{};] )|(?<=return ))/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/"
_JAVASCRIPT = re.compile(rf"{_C_COMMENT}|(?P<string>{_LINE_STRING}|`(?:\\.|[^`\\])*`|{_REGEX}){_REST}", re.DOTALL)
_LEXERS = {
    Language.PYTHON: _PYTHON,
    Language.GO: _GO,
    Language.JAVASCRIPT: _JAVASCRIPT,
    Language.TYPESCRIPT: _JAVASCRIPT,
}
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class PieceKind(StrEnum):
    """What a piece of source text is."""

    COMMENT = "comment"
    STRING = "string"
    WORD = "word"
    NUMBER = "number"
    OTHER = "other"


class Piece(NamedTuple):
    """A token or comment as written; `start` is a character offset."""

    kind: PieceKind
    text: str
    start: int


def pieces(text: str, language: Language) -> Iterator[Piece]:
    """Tokens and comments of a text in order, spacing left out."""
    for found in _LEXERS.get(language, _C_LIKE).finditer(text):
        kind = "string" if found.lastgroup == "body" else found.lastgroup or "other"
        if kind != "space":
            yield Piece(PieceKind(kind), found[0], found.start())


def tokens(code: str, language: Language) -> tuple[str, ...]:
    """The tokens of a piece of code in a form that formatting does not change.

    Comments, spacing and trailing commas are dropped, quotes of plain Python strings folded; placeholders of an
    f-string become tokens of their own.
    """
    found: list[str] = []
    for piece in pieces(code, language):
        if piece.kind is PieceKind.STRING and language is Language.PYTHON:
            found.extend(_python_string(piece.text))
        elif piece.kind is not PieceKind.COMMENT:
            found.append(piece.text)
    return tuple(_without_trailing_commas(found))


def _python_string(text: str) -> Iterable[str]:
    parts = _PYTHON.fullmatch(text)
    if parts is None:
        yield text
        return
    prefix, body = parts["prefix"].lower().replace("u", ""), parts["body"]
    if "f" not in prefix:
        yield f'{prefix}"{body}"'
        return
    position = 0
    for hole in _PLACEHOLDER.finditer(body):
        yield f'{prefix}"{body[position : hole.start()]}{{'
        yield from tokens(hole[1], Language.PYTHON)
        position = hole.end()
        prefix = "}"
    yield f'{prefix}"{body[position:]}"'


def _without_trailing_commas(found: list[str]) -> Iterator[str]:
    for text, following in zip_longest(found, found[1:], fillvalue=""):
        if not (text == "," and following in (")", "]", "}")):
            yield text
