"""`scaffold memory search`: what the retrieval rule finds for a text."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.memories import Form, MemoryFormat, ScopeOption, retrieving
from scaffold_cli.cli.streams import terminal, write


def search(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Code or words; - reads them from stdin.")],
    *,
    cwe: Annotated[
        list[str] | None, typer.Option("--cwe", metavar="CWE-N", help="What was flagged. Repeatable.")
    ] = None,
    scope: ScopeOption = None,
    form: Form = MemoryFormat.TEXT,
    config: options.Config = None,
    no_color: options.NoColor = False,
) -> int:
    """Show what a repair of this code would be given.

    The most similar cases; guidance beside them when there are too few, or none is similar enough.
    """
    from scaffold_cli.report.memory_text import evidence_document, evidence_text

    with retrieving(scope, config) as retriever:
        query = sys.stdin.read() if text == "-" else text
        evidence = retriever.look(query, tuple(cwe or ()))
    if form is MemoryFormat.JSON:
        write(json.dumps(evidence_document(evidence), indent=2) + "\n", sys.stdout)
    else:
        write(evidence_text(evidence, terminal(sys.stdout, no_color=no_color)), sys.stdout)
    return 0
