"""The `scaffold` program. Nothing heavy is imported before it is known what to do."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

COLLECT_EVERY = (20_000, 20, 20)
"""Outlines are many small tuples without cycles: with the usual thresholds a third of the time for 100 files
goes into looking for some."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code (the table is in `model/errors.py`)."""
    from scaffold_cli.cli.errors import guarded
    from scaffold_cli.cli.streams import make_streams_safe

    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        gc.set_threshold(*COLLECT_EVERY)
    make_streams_safe()
    return guarded(lambda: _run(words), words)


def _run(words: list[str]) -> int:
    from scaffold_cli.cli.early import nothing_staged

    # A hook asks this on every commit: answer before typer (and the pydantic it loads) is imported.
    if nothing_staged(words):
        return 0
    from scaffold_cli.cli.app import run

    return run(words)


if __name__ == "__main__":
    sys.exit(main())
