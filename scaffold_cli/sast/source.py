"""One side of one file as this room reads it: decoded text, enclosing symbols, the names used in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.frontends import language_of, outline, problem
from scaffold_cli.syntax.outline import Language, Outline

_HEAD = 10_000
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Source:
    """`path` is the path after the change; `version.path` the one on this side."""

    path: str
    version: FileVersion
    language: Language
    _names: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def of(version: FileVersion, path: str) -> Source:
        """Read one side of a file whose path after the change is `path`."""
        return Source(path, version, language_of(version.path, version.data))

    @cached_property
    def text(self) -> str:
        """Decoded text, newline as the only line end, no byte-order mark."""
        if _is_plain(self.version.data):  # the usual case does not wait for the parser
            return decode(self.version.data)
        return "\n".join(self.outline.text) if self.outline.text else decode(self.version.data)

    @cached_property
    def encoded(self) -> bytes:
        """The text as UTF-8: what the engine is given, and what its byte offsets count in."""
        return self.text.encode("utf-8", "replace")

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines without their ends."""
        return self.text.split("\n")

    @cached_property
    def outline(self) -> Outline:
        """The neutral outline; its `problem` says when the file does not parse."""
        return outline(self.version)

    @cached_property
    def problem(self) -> str | None:
        """Why the file does not parse; None when it does."""
        return problem(self.version)

    @cached_property
    def symbols(self) -> tuple[tuple[str, int, int], ...]:
        """(dotted name, first line, last line) of every function and class, in source order."""
        spans = [(function.name, function.line, function.end_line) for function in self.outline.functions]
        spans += [(owner.name, owner.line, owner.end_line) for owner in self.outline.classes]
        return tuple(sorted(spans, key=lambda span: (span[1], -span[2])))

    def symbol_at(self, line: int) -> str:
        """The innermost function or class around a line (1-based), or "" at module level."""
        around = [span for span in self.symbols if span[1] <= line <= span[2]]
        return min(around, key=lambda span: span[2] - span[1])[0] if around else ""

    def names_in(self, symbol: str) -> frozenset[str]:
        """Every word in the text of a symbol; "" means the whole file."""
        if symbol not in self._names:
            spans = [(first, last) for name, first, last in self.symbols if name == symbol]
            texts = ["\n".join(self.lines[first - 1 : last]) for first, last in spans] if symbol else [self.text]
            self._names[symbol] = frozenset(word for text in texts for word in _WORD.findall(text))
        return self._names[symbol]


@dataclass(frozen=True)
class Side:
    """All sources of one side of a change, by their path after the change."""

    sources: dict[str, Source]

    @cached_property
    def symbols(self) -> frozenset[tuple[str, str]]:
        """(path, symbol) of everything that exists on this side; ("path", "") stands for the file itself."""
        found = {(path, "") for path in self.sources}
        found.update((path, name) for path, source in self.sources.items() for name, _, _ in source.symbols)
        return frozenset(found)

    def names_in(self, path: str, symbol: str) -> frozenset[str]:
        """Every word in a symbol of this side; empty when there is no such file."""
        source = self.sources.get(path)
        return source.names_in(symbol) if source else frozenset()


def _is_plain(data: bytes) -> bool:
    """ASCII without a word on its encoding in the first two lines: every front-end reads the same text."""
    return data.isascii() and b"coding" not in b"".join(data[:_HEAD].splitlines()[:2])
