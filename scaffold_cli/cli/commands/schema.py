"""`scaffold schema`: the published JSON Schemas."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from scaffold_cli.cli.streams import write

_PACKAGE = Path(__file__).resolve().parents[2]


class SchemaName(StrEnum):
    """What is described."""

    VERDICT = "verdict"
    CONFIG = "config"
    REQUEST = "request"

    @property
    def file(self) -> Path:
        """The published file, in the room that writes or reads what it describes."""
        room = {SchemaName.VERDICT: "report", SchemaName.CONFIG: "config", SchemaName.REQUEST: "proposers"}[self]
        return _PACKAGE / room / "schemas" / f"{self.value}.schema.json"


def schema(
    name: Annotated[SchemaName, typer.Argument(metavar="NAME", help="verdict, config or request (to a proposer).")],
) -> int:
    """Write a published JSON Schema: verdict, config or request."""
    write(name.file.read_text(encoding="utf-8"), sys.stdout)
    return 0
