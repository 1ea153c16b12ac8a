"""A page of text that rich lays out: everything on it is data, never markup."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from scaffold_cli.report.escape import visible

Cell = str | Text


def show(parts: Iterable[RenderableType], width: int, color: bool) -> str:
    """The parts below each other, without trailing blanks, ending in one newline. Nothing else reaches the text."""
    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        highlight=False,
        emoji=False,
        soft_wrap=False,
        legacy_windows=False,
        _environ={},
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part, soft_wrap=isinstance(part, Text) and part.overflow == "ignore")
    lines = [line.rstrip() for line in captured.get().splitlines()]
    return "\n".join(lines).strip("\n") + "\n"


def line(*pieces: tuple[str, str]) -> Text:
    """One line from (text, style) pieces; the text is made visible."""
    text = Text()
    for content, style in pieces:
        text.append(visible(content), style or None)
    return text


def unbroken(content: str, style: str) -> Text:
    """A line that keeps its length whatever the width, such as a line of a diff."""
    return Text(visible(content), style, overflow="ignore", no_wrap=True)


def table(header: Iterable[str], rows: Iterable[Iterable[Cell]], *, wrap: int | None = None) -> Table:
    """Columns two blanks apart under a dim header; only column `wrap` is broken over lines (all when None)."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=True, header_style="dim")
    for index, name in enumerate(header):
        fixed = wrap is not None and index != wrap
        made.add_column(name, no_wrap=fixed, overflow="fold", ratio=None)
    for row in rows:
        made.add_row(*(Text(visible(cell)) if isinstance(cell, str) else cell for cell in row))
    return made


def labelled(rows: Iterable[tuple[str, str]], indent: int = 2) -> Table:
    """Label and sentence side by side, the sentence wrapped under itself; empty sentences are left out."""
    made = Table.grid(padding=(0, 2, 0, 0))
    made.add_column(width=indent - 2 if indent > 2 else 0)
    made.add_column(style="dim", no_wrap=True, min_width=7)
    made.add_column(overflow="fold")
    for label, sentence in rows:
        if sentence:
            made.add_row("", label, Text(visible(sentence)))
    return made
