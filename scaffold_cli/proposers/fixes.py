"""The fixes that scanner rules bring along, applied to source bytes."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from scaffold_cli.model.change import FileVersion
from scaffold_cli.sast.output import Match
from scaffold_cli.sast.rules import load
from scaffold_cli.sast.scan import Target, scan
from scaffold_cli.sast.source import Source

_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_MODULE = re.compile(r"(?<![\w.])([a-z_]\w*)(?=\.\w)")


def scan_fixes(files: Sequence[tuple[str, bytes]], cache: Path | None) -> list[tuple[Match, ...]]:
    """What our rules find in Python files (path, bytes), kept where they bring a fix; in the files' order.

    Raises ProgramNotFoundError without a scanner, UndecidedError when it gives no answer.
    """
    targets = [Target(path, ".py", _source(path, data).encoded) for path, data in files]
    results = scan(targets, load(cache=cache), cache=cache).files if targets else ()
    return [tuple(match for match in result.matches if match.fix is not None) for result in results]


def apply_fixes(path: str, data: bytes, matches: Iterable[Match]) -> bytes | None:
    """`data` with the fixes of `matches` put in, encoding and line ends kept; None when that cannot be done safely.

    Of overlapping fixes the later one wins, which is the inner one. A standard module that a fix uses and the
    file lacks is imported.
    """
    source = _source(path, data)
    if _written(source.text, data) != data:  # mixed line ends, or an encoding we cannot write back
        return None
    encoded, end = bytearray(source.encoded), len(source.encoded) + 1
    replacements = []
    for match in sorted(matches, key=lambda item: item.start, reverse=True):
        if match.fix is not None and match.end <= end:
            encoded[match.start : match.end] = match.fix.encode()
            replacements.append(match.fix)
            end = match.start
    result = _written(encoded.decode(), data)
    return None if result is None else _with_imports(result, replacements)


def _source(path: str, data: bytes) -> Source:
    return Source.of(FileVersion(path, data), path)


def _written(text: str, like: bytes) -> bytes | None:
    """`text` as bytes, with the encoding, byte-order mark and line ends of `like`."""
    if b"\r\n" in like:
        text = text.replace("\n", "\r\n")
    mark = codecs.BOM_UTF8 if like.startswith(codecs.BOM_UTF8) else b""
    declared = next((found[1].decode() for line in like.splitlines()[:2] if (found := _CODING.match(line))), "utf-8")
    try:
        return mark + text.encode(declared)
    except (UnicodeEncodeError, LookupError):
        return None


def _with_imports(data: bytes, replacements: Iterable[str]) -> bytes | None:
    from scaffold_cli.proposers.repairs.imports import ensure_import
    from scaffold_cli.proposers.repairs.names import Names
    from scaffold_cli.proposers.repairs.table import parse

    module = parse(data)
    if module is None:
        return None
    wanted = {name for text in replacements for name in _MODULE.findall(text)} & sys.stdlib_module_names
    names = Names(module)
    for name in sorted(name for name in wanted if names.is_free(name)):
        module = ensure_import(module, name)
    return module.bytes
