"""The proposers by name: a hand-written table."""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.model.errors import UsageError
from scaffold_cli.proposers.interface import Proposer

FORMS = ("rules", 'command:"PROGRAM ARGUMENTS…"', "patches:FOLDER")
"""How each proposer is written after ``--with``."""


def proposer(spec: str, *, folder: Path, cache: Path | None = None) -> Proposer:
    """The proposer that `spec` names.

    Relative paths in it start at `folder`, the folder the user works in. `cache` is the
    gate's cache folder, so that neither scans what the other has seen. Raises UsageError when
    the spec is none of FORMS or what it names does not exist.
    """
    name, colon, argument = spec.strip().partition(":")
    # Imported here: each one costs only the run that uses it.
    if name == "rules" and not colon:
        from scaffold_cli.proposers.rules import RulesProposer

        return RulesProposer(cache)
    if name == "command" and colon:
        from scaffold_cli.proposers.command import CommandProposer

        return CommandProposer(argument)
    if name == "patches" and colon:
        from scaffold_cli.proposers.patches import PatchesProposer

        return PatchesProposer(folder / argument)
    raise UsageError(f"There is no proposer {spec!r}.", f"Use one of: {', '.join(FORMS)}.")
