"""Where a SARIF result points: addresses to paths in the tree, regions to byte offsets in a file's text."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

Node = Mapping[str, Any]
_DEPTH = 10
"""Base addresses that refer to one another; a report where more do goes round in circles."""


@dataclass(frozen=True, slots=True)
class Region:
    """Lines and columns count from 1; column 0 stands for "not said". `offset` (-1: not said) counts characters."""

    line: int
    end_line: int
    column: int = 0
    end_column: int = 0
    offset: int = -1
    length: int = 0
    utf16: bool = False
    """Columns and offsets count UTF-16 code units instead of characters."""

    @staticmethod
    def of(node: Node, *, utf16: bool) -> Region | None:
        """The region of a location; None when it means the whole file. Raises TypeError for no numbers."""
        line = _whole(node.get("startLine", 0))
        offset = _whole(node.get("charOffset", -1))
        if line < 1 and offset < 0:
            return None
        column = _whole(node.get("startColumn", 0))
        end_line = max(line, _whole(node.get("endLine", line)))
        return Region(
            line, end_line, column, _whole(node.get("endColumn", 0)), offset, _whole(node.get("charLength", 0)), utf16
        )

    def span(self, text: str) -> tuple[int, int] | None:
        """The byte offsets of this region in `text` as UTF-8; None when the text has no such line."""
        if self.line < 1:
            start, end = self._index(text, self.offset), self._index(text, self.offset + self.length)
            return None if self.offset > len(text) else (_bytes(text[:start]), _bytes(text[:end]))
        lines = text.split("\n")
        # Some tools count the end of the last line as a line of its own.
        if self.line > len(lines) or self.end_line > len(lines) + 1:
            return None
        start = self._index(lines[self.line - 1], self.column - 1) if self.column else 0
        last = min(self.end_line, len(lines))
        end = self._index(lines[last - 1], self.end_column - 1) if self.end_column else len(lines[last - 1])
        before = [_bytes(line) + 1 for line in lines[:last]]
        first = sum(before[: self.line - 1]) + _bytes(lines[self.line - 1][:start])
        return first, max(first, sum(before[: last - 1]) + _bytes(lines[last - 1][:end]))

    def _index(self, text: str, count: int) -> int:
        """The character index of `count` units into `text`, held inside it."""
        if not self.utf16:
            return max(0, min(count, len(text)))
        index = 0
        while count > 0 and index < len(text):
            count -= 2 if ord(text[index]) > 0xFFFF else 1
            index += 1
        return index


@dataclass(frozen=True, slots=True)
class Ground:
    """What a report speaks about: `roots` are the absolute folders its tree is seen at, `files` the paths in it."""

    roots: tuple[str, ...] = ()
    folder: str = ""
    """Where relative addresses begin, relative to the root of the tree."""
    files: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Addresses:
    """How one run's addresses become paths of a tree."""

    bases: Node
    artifacts: Sequence[Node]
    ground: Ground

    def path_of(self, location: Node) -> tuple[str, bool]:
        """(POSIX path relative to the root of the tree, True), or (the address itself, False) when outside it."""
        index = location.get("index", -1)
        if "uri" not in location and isinstance(index, int) and 0 <= index < len(self.artifacts):
            location = self.artifacts[index].get("location", {})
        uri = str(location.get("uri", ""))
        absolute, path = self._resolved(uri, location.get("uriBaseId"))
        path = posixpath.normpath(path)
        if absolute:
            inside = self._inside(path)
            return (uri, False) if inside is None else (inside, True)
        path = posixpath.normpath(posixpath.join(self.ground.folder, path))
        return (uri, False) if path == ".." or path.startswith("../") else (path, True)

    def _resolved(self, uri: str, name: object) -> tuple[bool, str]:
        """(whether it is absolute, the path)."""
        path = ""
        for _ in range(_DEPTH):
            parts = urlsplit(uri)
            path = posixpath.join(unquote(parts.path, errors="surrogateescape"), path)
            if parts.scheme or path.startswith("/"):
                return True, posixpath.join("/", path)
            base = self.bases.get(str(name)) if name is not None else None
            if not isinstance(base, Mapping) or "uri" not in base:
                break
            uri, name = str(base["uri"]), base.get("uriBaseId")
        return False, path

    def _inside(self, absolute: str) -> str | None:
        for root in self.ground.roots:
            if absolute == root or absolute.startswith(f"{root.rstrip('/')}/"):
                return posixpath.relpath(absolute, root)
        # A report made elsewhere: the longest end of the path that is a file here.
        parts = absolute.strip("/").split("/")
        ends = ("/".join(parts[first:]) for first in range(len(parts)))
        return next((end for end in ends if end in self.ground.files), None)


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("a region without whole numbers")
    return value


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
