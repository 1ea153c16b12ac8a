"""`scaffold memory`: how much was learned."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import Form, MemoryFormat, ScopeOption, opened
from scaffold_cli.cli.streams import terminal, write


def memory(
    *,
    scope: ScopeOption = None,
    form: Form = MemoryFormat.TEXT,
    config: options.Config = None,
    no_color: options.NoColor = False,
) -> int:
    """Look into what was learned: verified repairs and guidance.

    Says how many cases there are, of which kind, and where. Inside it: list, show, search, add, forget, export, import,
    stats. See `scaffold memory search --help`.
    """
    from scaffold_cli.memory.static_memory import guidance

    with opened(scope, config) as store:
        path = store.path
        kinds: Counter[str] = Counter()
        languages: Counter[str] = Counter()
        uses = 0
        for case in store.cases():
            kinds[case.kind.value] += 1
            languages[case.language or "none"] += 1
            uses += case.uses
    documents = len(guidance())
    document = {
        "path": str(path),
        "bytes": _size(path),
        "cases": dict(sorted(kinds.items())),
        "languages": dict(sorted(languages.items())),
        "uses": uses,
        "guidance": documents,
    }
    if form is MemoryFormat.JSON:
        write(json.dumps(document, indent=2) + "\n", sys.stdout)
        return 0
    from scaffold_cli.report.page import line, show

    here = terminal(sys.stdout, no_color=no_color)
    parts = [
        line((f"{sum(kinds.values())} cases", "bold"), (f"  {_counts(kinds)}", "dim")),
        line((f"languages: {_counts(languages) or 'none'}", "")),
        line((f"handed out {uses} times", "")),
        line((f"{documents} documents of guidance help out", "")),
        line((str(path), "dim")),
    ]
    write(show(parts, here.width, here.color), sys.stdout)
    return 0


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in sorted(counter.items()))


def _size(path: Path) -> int:
    """Bytes on disk of a file and what lies beside it under its name, or of a folder."""
    files = path.rglob("*") if path.is_dir() else path.parent.glob(f"{path.name}*")
    return sum(file.stat().st_size for file in files if file.is_file())
