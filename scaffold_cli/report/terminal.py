"""What the terminal can do, from the environment handed in as a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_WIDTH = 100
LEAST_WIDTH = 40
MOST_WIDTH = 120


@dataclass(frozen=True, slots=True)
class Terminal:
    """`width` in columns, `color` and `live` (a line may be redrawn) for one stream."""

    width: int = DEFAULT_WIDTH
    color: bool = False
    live: bool = False

    @staticmethod
    def of(environ: Mapping[str, str], *, is_terminal: bool, columns: int = 0, no_color: bool = False) -> Terminal:
        """Decide from the environment: --no-color, NO_COLOR (no-color.org), FORCE_COLOR, TERM=dumb, COLUMNS.

        `columns` is what the terminal itself says, 0 when unknown.
        """
        dumb = environ.get("TERM", "") in ("dumb", "unknown")
        live = is_terminal and not dumb
        refused = no_color or bool(environ.get("NO_COLOR"))
        color = not refused and (live or bool(environ.get("FORCE_COLOR")))
        said = environ.get("COLUMNS", "")
        width = int(said) if said.isascii() and said.isdigit() else columns
        width = min(max(width, LEAST_WIDTH), MOST_WIDTH) if width else DEFAULT_WIDTH
        return Terminal(width, color, live)
