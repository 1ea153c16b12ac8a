"""What counts as a line of code: comments, docstrings, blank lines, line ends and the width of spaces do not.

A text is scanned into statements, and each statement into its lines, with one regular expression per family
of languages. The scanners never fail: text that does not parse is scanned as far as its tokens go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from scaffold_cli.syntax.decoding import decode

_STRING = r""" "(?:\\(?s:.)|[^"\\\n])*" | '(?:\\(?s:.)|[^'\\\n])*' """
_OPERATOR = r"\+\+ | -- | && | \|\| | \*\* | // | -> | => | :: | \?\. | [-+*/%&|^!=<>:]="

_PYTHON = re.compile(
    rf"""
    (?P<comment> \#[^\n]* )
  | (?P<string> \b[rRbBuUfF]{{0,2}}(?: \"\"\"(?s:\\.|.)*?\"\"\" | '''(?s:\\.|.)*?''' | {_STRING} )
              | \"\"\"(?s:\\.|.)*?\"\"\" | '''(?s:\\.|.)*?''' | {_STRING} )
  | (?P<join> \\\n )
  | (?P<newline> \n )
  | (?P<open> [(\[{{] )
  | (?P<close> [)\]}}] )
  | (?P<token> \w+ | {_OPERATOR} | \S )
    """,
    re.VERBOSE,
)
_CURLY = re.compile(
    rf"""
    (?P<comment> //[^\n]* | /\*(?s:.)*?\*/ )
  | (?P<string> \"\"\"(?s:\\.|.)*?\"\"\" | {_STRING} | `(?:\\(?s:.)|[^`\\])*` )
  | (?P<regex> [(,=:\[!&|?{{}};+] [ \t]* / (?![/*]) (?: \\. | \[(?:\\.|[^\]\\\n])*\] | [^/\\\[\n] )+ / [a-z]* )
  | (?P<newline> \n )
  | (?P<token> \w+ | {_OPERATOR} | \S )
    """,
    re.VERBOSE,
)

_PYTHON_NAME = re.compile(r".*\.py[iwx]?")
_CURLY_NAME = re.compile(
    r""".*\.( java | [cm]?[jt]s | [jt]sx | go | c | h | cc | cpp | cxx | hh | hpp | cs | kts? | scala | swift | rs | php
    | groovy | gradle | dart | mm? | proto | s?css | less )""",
    re.VERBOSE,
)
_HASH_NAME = re.compile(
    r""".*\.( sh | bash | zsh | rb | pl | pm | r | ya?ml | toml | cfg | ini | conf | properties | mk | cmake | tf | ps1
    | jl ) | (gnu)?makefile | dockerfile | gemfile | rakefile""",
    re.VERBOSE,
)
_DASHES_NAME = re.compile(r".*\.(sql|lua|hs)")


@dataclass(frozen=True, slots=True)
class Statement:
    """A run of lines that belongs together, comments and spacing gone.

    `key` is equal for two statements that differ in line breaks only; `lines` has a text for each physical
    line that holds code.
    """

    key: str
    lines: tuple[str, ...]


def statements(text: str, path: str) -> list[Statement]:
    """The code of `text` in order, read as the language that the name of `path` stands for."""
    name = PurePosixPath(path).name.lower()
    if _PYTHON_NAME.fullmatch(name):
        return list(_python(text))
    if _CURLY_NAME.fullmatch(name):
        return list(_curly(text))
    if name.endswith(".ipynb"):
        return list(_notebook(text))
    mark = "#" if _HASH_NAME.fullmatch(name) else "--" if _DASHES_NAME.fullmatch(name) else None
    return list(_plain(text, mark))


def code_lines(data: bytes, path: str) -> int:
    """How many lines of code a file has."""
    return sum(len(statement.lines) for statement in statements(decode(data), path))


def _plain(text: str, comment: str | None) -> Iterator[Statement]:
    """Every line that is neither blank nor wholly a comment; the width of spaces does not matter."""
    for line in text.split("\n"):
        words = " ".join(line.split())
        if words and not (comment and words.startswith(comment)):
            yield Statement(words, (words,))


def _notebook(text: str) -> Iterator[Statement]:
    """The code cells of a Jupyter notebook, outputs and prose left out; every line when it is none."""
    try:
        cells = json.loads(text)["cells"]
        sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
        code = [source if isinstance(source, str) else "".join(source) for source in sources]
    except (ValueError, LookupError, TypeError, RecursionError):
        yield from _plain(text, None)
        return
    for source in code:
        yield from _python(source)


@dataclass(slots=True)
class _Collector:
    """Gathers tokens into lines and lines into statements."""

    depth: int = 0
    """Depth of the block the statement is in: in Python that is code, its width in columns is not."""
    line: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def add(self, token: str) -> None:
        """One token, which may itself run over several lines."""
        self.tokens.append(token)
        first, *rest = token.split("\n")
        self.line.append(first)
        for part in rest:
            self.end_line()
            self.line.append(part)

    def end_line(self) -> None:
        """A physical line ends; without code it leaves no trace."""
        if self.line:
            indent = self.depth if not self.lines else 0
            self.lines.append("\t" * indent + " ".join(self.line))
            self.line = []

    def take(self) -> Statement | None:
        """The statement so far, if it has any code; a new one begins."""
        self.end_line()
        key = "\t" * self.depth + " ".join(self.tokens)
        found = Statement(key, tuple(self.lines)) if self.lines else None
        self.lines, self.tokens = [], []
        return found

    def drop(self) -> None:
        """Forget the statement so far."""
        self.line, self.lines, self.tokens = [], [], []


def _curly(text: str) -> Iterator[Statement]:
    """Languages with braces: a statement ends with the line that ends in one of ``; { }``, or when another follows.

    Joined by semicolons on one line, statements count as on lines of their own: nothing hides in the width of a line.
    """
    into = _Collector()
    brackets = 0
    ended = False
    for match in _CURLY.finditer(text):
        piece = match.group()
        if match.lastgroup == "comment":
            if "\n" in piece:
                into.end_line()
        elif match.lastgroup != "newline":
            if ended and piece not in ("}", ";"):
                yield from _some(into.take)
            brackets = max(0, brackets + (piece == "(") - (piece == ")"))
            ended = piece == ";" and not brackets
            into.add(piece)
        else:
            into.end_line()
            ended = False
            if into.tokens and into.tokens[-1] in (";", "{", "}"):
                yield from _some(into.take)
    yield from _some(into.take)


def _python(text: str) -> Iterator[Statement]:
    """Python: a statement is a logical line, or what stands between its semicolons.

    One that is only a string (a docstring) does nothing and is left out.
    """
    into = _Collector()
    brackets = 0
    only_strings = True
    columns = [0]
    for match in _PYTHON.finditer(text):
        kind = match.lastgroup
        if kind == "comment":
            continue
        if kind == "join" or (kind == "newline" and brackets):
            into.end_line()
            continue
        piece = match.group()
        if kind == "newline" or (piece == ";" and not brackets):
            if only_strings:
                into.drop()
            else:
                yield from _some(into.take)
            only_strings = True
            continue
        if not into.tokens:
            into.depth = _depth(columns, text, match.start())
        only_strings = only_strings and kind == "string" and "f" not in piece[:2].lower()
        brackets = max(0, brackets + (kind == "open") - (kind == "close"))
        into.add(piece)
    if not only_strings:
        yield from _some(into.take)


def _depth(columns: list[int], text: str, start: int) -> int:
    """How many blocks enclose the piece at `start`; `columns` are those of the open blocks, kept up to date."""
    lead = text[text.rfind("\n", 0, start) + 1 : start]
    column = len(lead.expandtabs(8))
    while column < columns[-1]:
        columns.pop()
    if column > columns[-1]:
        columns.append(column)
    return len(columns) - 1


def _some(take: Callable[[], Statement | None]) -> Iterator[Statement]:
    found = take()
    if found is not None:
        yield found
