"""`scaffold config`: every effective setting and where it comes from."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.settings import overrides
from scaffold_cli.cli.streams import terminal, write

if TYPE_CHECKING:
    from scaffold_cli.config.explain import Explained


class ConfigFormat(StrEnum):
    """How settings are written."""

    TEXT = "text"
    JSON = "json"


def config(
    path: Annotated[Path, typer.Argument(metavar="[PATH]", help="The file or folder to explain.")] = Path(),
    *,
    form: Annotated[ConfigFormat, typer.Option("--format", help="How it is written.")] = ConfigFormat.TEXT,
    schema: Annotated[bool, typer.Option("--schema", help="Write the JSON Schema of the settings instead.")] = False,
    config: options.Config = None,
    no_color: options.NoColor = False,
) -> int:
    """Show every setting in force and where it comes from.

    The files are read as they are now. A check uses those of the before side: a change cannot excuse itself.
    """
    if schema:
        from scaffold_cli.config.json_schema import config_schema

        write(json.dumps(config_schema(), indent=2) + "\n", sys.stdout)
        return 0
    explained = _explained(path, overrides(config))
    if form is ConfigFormat.JSON:
        settings = {item.name: {"value": item.value, "origin": item.origin} for item in explained}
        write(json.dumps(settings, indent=2) + "\n", sys.stdout)
        return 0
    from scaffold_cli.report.page import show, table

    here = terminal(sys.stdout, no_color=no_color)
    rows = [(item.name, json.dumps(item.value, ensure_ascii=False), item.origin) for item in explained]
    write(show([table(("setting", "value", "from"), rows, wrap=1)], here.width, here.color), sys.stdout)
    return 0


def _explained(path: Path, given: dict[str, object]) -> tuple[Explained, ...]:
    from scaffold_cli.cli.selection import relative_path
    from scaffold_cli.config.explain import explain
    from scaffold_cli.config.folder import FolderTree
    from scaffold_cli.vcs.repository import Repository

    repo = Repository.discover(path)
    return explain(FolderTree(repo.root), relative_path(repo, path), given)
