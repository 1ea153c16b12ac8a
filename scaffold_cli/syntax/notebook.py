"""The front-end of Jupyter notebooks: their code cells as one Python text, outputs and prose left out.

Each line of code keeps the line it has in the notebook's file, so that places can be opened in any editor. A notebook
whose lines share one line of the file (compact JSON) is numbered by its code alone. A comment above each cell tells
its number in either case.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from scaffold_cli.syntax import python
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.outline import Language, Outline

_SOURCE = re.compile(r'"source"\s*:\s*(?:\[|(?="))')
_STRING = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*,?')
_MAGIC = re.compile(r"(?P<indent>\s*)(?:[%!?].*|[\w.]+\?{1,2}\s*)")
_ASSIGNED_MAGIC = re.compile(r"(?P<target>\s*[\w.,\s]+=)\s*[%!].*")
_PYTHON_CELLS = ("%%time", "%%timeit", "%%capture", "%%prun")
"""Cell magics whose cell is still Python; the others name another language."""
_PYTHON_KERNELS = ("", "python", "ipython")


@dataclass(frozen=True, slots=True)
class _Cell:
    number: int
    """Counted from 1, cells of all kinds."""
    lines: tuple[str, ...]
    rows: tuple[int, ...]
    """For each line its 0-based row in the file; empty when not known."""


def lower(path: str, data: bytes) -> Outline:
    """The outline of a notebook's code cells. Never raises on bad source: what is no notebook has a `problem`."""
    source = decode(data)
    raw = tuple(source.split("\n"))
    try:
        notebook = json.loads(source)
        language = _language(notebook)
        cells = list(_cells(notebook, source))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Outline(path, Language.NOTEBOOK, "is no notebook in JSON", lines=len(raw), text=raw)
    text = "\n".join(_laid_out(cells, len(raw)))
    if language not in _PYTHON_KERNELS:
        problem = f"its cells are {language}, not Python"
        return Outline(path, Language.NOTEBOOK, problem, lines=len(raw), text=tuple(text.split("\n")))
    found = python.lower(path, text.encode("utf-8", "replace"))
    return replace(
        found,
        functions=tuple([replace(one, is_public=False) for one in found.functions]),
        classes=tuple([replace(one, is_public=False) for one in found.classes]),
    )


def _language(notebook: dict[str, Any]) -> str:
    metadata = notebook.get("metadata", {})
    told = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language") or ""
    return str(told).lower()


def _cells(notebook: dict[str, Any], source: str) -> Iterator[_Cell]:
    found = notebook["cells"]
    rows = _rows(source)
    for number, cell in enumerate(found, start=1):
        if cell["cell_type"] == "code":
            written = cell["source"]
            code = written if isinstance(written, str) else "".join(written)
            lines = tuple(_python_lines(code))
            places = rows[number - 1] if len(rows) == len(found) else ()
            yield _Cell(number, lines, places if len(places) == len(lines) else ())


def _rows(source: str) -> list[tuple[int, ...]]:
    """For the `source` of each cell, the rows its lines stand on; a text that only looks like one spoils the count."""
    found = []
    row = last = 0
    for match in _SOURCE.finditer(source):
        places, position = [], match.end()
        while (line := _STRING.match(source, position)) is not None:
            row += source.count("\n", last, line.start(1))
            last = line.start(1)
            places.append(row)
            position = line.end()
            if not match[0].endswith("["):
                break
        found.append(tuple(places))
    return found


def _python_lines(code: str) -> list[str]:
    """The lines of one cell, those that speak to the notebook and not to Python put out of the way."""
    lines = code.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    first = next((line.strip() for line in lines if line.strip()), "")
    if first.startswith("%%") and not first.startswith(_PYTHON_CELLS):
        return [f"# {line}" for line in lines]
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [_without_magic(line) for line in lines]
    return lines


def _without_magic(line: str) -> str:
    magic = _MAGIC.fullmatch(line)
    if magic is not None:
        return f"{magic['indent']}pass"
    assigned = _ASSIGNED_MAGIC.fullmatch(line)
    return f"{assigned['target']} None" if assigned is not None else line


def _laid_out(cells: list[_Cell], height: int) -> list[str]:
    """All code on the rows of the file; one cell after another when these are not known or not apart."""
    rows = [row for cell in cells for row in cell.rows]
    known = all(cell.rows or not cell.lines for cell in cells) and all(one < two for one, two in pairwise(rows))
    if not known:
        return [line for cell in cells for line in (f"# cell {cell.number}", *cell.lines)]
    laid = [""] * height
    for cell in cells:
        if cell.rows and cell.rows[0] > 0:
            laid[cell.rows[0] - 1] = f"# cell {cell.number}"
        for row, line in zip(cell.rows, cell.lines, strict=True):
            laid[row] = line
    return laid
