"""`scaffold memory list`: every case, the newest first."""

from __future__ import annotations

import json
import sys

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import Form, MemoryFormat, ScopeOption, opened
from scaffold_cli.cli.streams import terminal, write


def list_(
    *,
    scope: ScopeOption = None,
    form: Form = MemoryFormat.TEXT,
    config: options.Config = None,
    no_color: options.NoColor = False,
) -> int:
    """List every case, the newest first."""
    from scaffold_cli.report.memory_text import cases_text, plain_case

    with opened(scope, config) as store:
        cases = list(store.cases())
    if form is MemoryFormat.JSON:
        write(json.dumps([plain_case(case) for case in cases], indent=2) + "\n", sys.stdout)
    else:
        write(cases_text(cases, terminal(sys.stdout, no_color=no_color)), sys.stdout)
    return 0
