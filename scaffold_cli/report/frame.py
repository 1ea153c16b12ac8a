"""A code frame: the lines of one place with their numbers."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text

from scaffold_cli.model.verdict import Place
from scaffold_cli.report.escape import visible

MOST_LINES = 8
"""Longer places are cut; the file has the rest."""


def where(place: Place) -> str:
    """``path:line`` as editors understand it, the end of a range, and the enclosing symbol."""
    lines = f"{place.line}-{place.end_line}" if place.end_line > place.line else f"{place.line}"
    inside = f" in {place.symbol}" if place.symbol else ""
    return f"{place.path}:{lines}{inside}"


def frame(place: Place, sign: str, style: str) -> list[Text]:
    """Gutter and code, `sign` ("-" or "+") first; one line alone gets a caret line under its code."""
    if not place.text.strip():
        return []
    code = [visible(row) for row in place.text.rstrip("\r\n").replace("\r\n", "\n").split("\n")]
    shown = code[:MOST_LINES]
    gutter = len(str(place.line + len(shown) - 1))
    rows = [_row(f"{sign} {place.line + index:>{gutter}}", text, style) for index, text in enumerate(shown)]
    if len(code) == 1:
        indent = " " * (len(code[0]) - len(code[0].lstrip()))
        rows.append(_row("  " + " " * gutter, indent + "^" * cell_len(code[0].strip()), style))
    elif len(code) > len(shown):
        rows.append(_row("  " + " " * gutter, f"… {len(code) - len(shown)} more lines", "dim"))
    return rows


def _row(gutter: str, code: str, style: str) -> Text:
    # Long lines are cut by the page, never wrapped: a frame keeps its columns.
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"    {gutter} │ ", "dim")
    text.append(code, style)
    return text
