"""`scaffold init`: a first scaffold.toml, and the git hook."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from scaffold_cli.cli.streams import write
from scaffold_cli.model.errors import UsageError

_TEMPLATE = """\
# Settings of scaffold. `scaffold config` shows every setting in force and where it comes from.
# They count once they are committed: a change is judged by the settings it started from.

[tests]
{command}
# required = true   # without a command, or with nothing collected, a change is undecided instead of let through
# timeout = 600     # seconds for one run

# [budget]          # how large a change may be; it blocks in `scaffold run` and warns in `scaffold check`
# changed-lines = 120
# files = 3

# [sast]
# rules = ["security/rules.yml"]   # semgrep rules of your own, beside the built-in ones
"""
_FOUND = "command = {command}   # found by `scaffold init`; run in a private copy of the tree"
_NOT_FOUND = '# command = "pytest -q"   # no test command was found: without one the tests layer is skipped'


def init(
    *,
    hook: Annotated[bool, typer.Option("--hook", help="Install the git hooks that judge what is committed.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write scaffold.toml anew.")] = False,
) -> int:
    """Write a first scaffold.toml with the test command found.

    With --hook also the git hooks; a hook in place is kept and runs first.
    """
    from scaffold_cli.cli.selection import repository

    repo = repository()
    lines = [] if hook and not force and _has_settings(repo.root) else [_write_settings(repo.root, force)]
    if hook:
        from scaffold_cli.cli.hook import install

        lines += install(repo)
    write("".join(f"{line}\n" for line in lines), sys.stdout)
    return 0


def _has_settings(root: Path) -> bool:
    from scaffold_cli.config.folder import FolderTree
    from scaffold_cli.config.loading import read_sources

    return bool(read_sources(FolderTree(root), []))


def _approve(command: str) -> None:
    """What is found on this machine, and shown, may run on it."""
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.config.trust import Approvals, Command

    Approvals.read(repository().scaffold_dir, {}).with_approved([Command("tests.command", "", command)])


def _write_settings(root: Path, force: bool) -> str:
    path = root / "scaffold.toml"
    if not (force and path.exists()) and _has_settings(root):
        raise UsageError(
            f"{path if path.exists() else root / 'pyproject.toml'} holds settings already.",
            "Use --force to write scaffold.toml anew." if path.exists() else "Edit them there.",
        )
    from scaffold_cli.testing.detect import detect_command

    command = detect_command(root)
    line = _FOUND.format(command=json.dumps(command, ensure_ascii=False)) if command else _NOT_FOUND
    draft = path.with_name(".scaffold.toml.new")
    draft.write_text(_TEMPLATE.format(command=line), encoding="utf-8")
    draft.replace(path)
    if command:
        _approve(command)
    found = f"tests: {command}" if command else "no test command was found"
    return f"Wrote {path} ({found}). Commit it: it counts from then on."
