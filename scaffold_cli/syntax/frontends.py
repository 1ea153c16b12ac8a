"""From a file version to its outline: pick the front-end by path, lower once per content."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import PurePosixPath
from types import ModuleType

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.nodes import TooMuchWorkError
from scaffold_cli.syntax.outline import Language, Outline
from scaffold_cli.syntax.recent import Recent

FrontEnd = Callable[[str, bytes], Outline]
"""Lowers (path, bytes) to an outline; raises nothing on bad source but `TooMuchWorkError`."""
Reader = Callable[[str, bytes], str | None]
"""Why the source does not parse; None when it does."""

_SUFFIXES = {
    ".py": Language.PYTHON,
    ".pyi": Language.PYTHON,
    ".pyw": Language.PYTHON,
    ".ipynb": Language.NOTEBOOK,
    ".java": Language.JAVA,
    ".js": Language.JAVASCRIPT,
    ".mjs": Language.JAVASCRIPT,
    ".cjs": Language.JAVASCRIPT,
    ".jsx": Language.JAVASCRIPT,
    ".ts": Language.TYPESCRIPT,
    ".mts": Language.TYPESCRIPT,
    ".cts": Language.TYPESCRIPT,
    ".tsx": Language.TYPESCRIPT,
    ".go": Language.GO,
    ".c": Language.C,
    ".h": Language.C,
    ".cc": Language.CPP,
    ".cpp": Language.CPP,
    ".cxx": Language.CPP,
    ".hh": Language.CPP,
    ".hpp": Language.CPP,
}

_FRONT_ENDS = {
    Language.PYTHON: "scaffold_cli.syntax.python",
    Language.NOTEBOOK: "scaffold_cli.syntax.notebook",
    Language.JAVA: "scaffold_cli.syntax.java",
    Language.JAVASCRIPT: "scaffold_cli.syntax.javascript",
    Language.TYPESCRIPT: "scaffold_cli.syntax.javascript",
    Language.GO: "scaffold_cli.syntax.go",
    Language.C: "scaffold_cli.syntax.c",
    Language.CPP: "scaffold_cli.syntax.c",
    Language.TEXT: "scaffold_cli.syntax.text",
}
"""Modules with a function `lower` of type FrontEnd and, where parsing is much quicker than lowering, `problem` of type
Reader; imported when a file needs them. Others fall back to text."""

_outlines: Recent[Outline] = Recent()


def language_of(path: str, data: bytes = b"") -> Language:
    """The language by suffix, or by the interpreter line of a file without one."""
    suffix = PurePosixPath(path).suffix.lower()
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    first = data[:120].partition(b"\n")[0]
    if not suffix and first.startswith(b"#!"):
        if b"python" in first:
            return Language.PYTHON
        if b"node" in first:
            return Language.JAVASCRIPT
    return Language.TEXT


def has_front_end(language: Language) -> bool:
    """True when files of this language are parsed rather than read as text."""
    return language in _FRONT_ENDS and language is not Language.TEXT


def outline(version: FileVersion) -> Outline:
    """The outline of one file version, lowered once for equal path and content. Never raises on bad source."""
    return _outlines.get(version, lambda: _lowered(version.path, version.data))


def problem(version: FileVersion) -> str | None:
    """Why one file version does not parse, None when it does: what its outline says, at a fifth of the price.

    Nesting that only lowering finds too deep is no problem here.
    """
    reader: Reader | None = getattr(_front_end(version.path, version.data), "problem", None)
    if reader is None or _outlines.knows(version):
        return outline(version).problem
    try:
        return reader(version.path, version.data)
    except TooMuchWorkError as error:
        return str(error)


def _front_end(path: str, data: bytes) -> ModuleType:
    return importlib.import_module(_FRONT_ENDS.get(language_of(path, data), _FRONT_ENDS[Language.TEXT]))


def _lowered(path: str, data: bytes) -> Outline:
    lower: FrontEnd = _front_end(path, data).lower
    try:
        return lower(path, data)
    except TooMuchWorkError as error:
        text = tuple(decode(data).split("\n"))
        return Outline(path, language_of(path, data), str(error), lines=len(text), text=text)
