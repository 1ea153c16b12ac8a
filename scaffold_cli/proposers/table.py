"""The proposers by name: a hand-written table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli.model.errors import UsageError
from scaffold_cli.proposers.interface import Proposer

if TYPE_CHECKING:
    from scaffold_cli.proposers.model_table import ModelAids

FORMS = (
    "rules",
    'command:"PROGRAM ARGUMENTS…"',
    "patches:FOLDER",
    "model[:NAME]",
    "trajectory[:NAME]",
    "local:MODEL.gguf",
    "trajectory-local:MODEL.gguf",
)
"""How each proposer is written after ``--with``."""
_MODELS = ("model", "trajectory", "local", "trajectory-local")


def proposer(
    spec: str, *, folder: Path, cache: Path | None = None, aids: ModelAids | None = None, asked: int = 0
) -> Proposer:
    """The proposer that `spec` names.

    Relative paths in it start at `folder`, the folder the user works in. `cache` is the
    gate's cache folder, so that neither scans what the other has seen. `aids` are for models. `asked` is how often the
    same was asked before in this chain, by a process that was killed. Raises UsageError when
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

        return PatchesProposer(folder / argument, asked)
    if name in _MODELS:
        from scaffold_cli.proposers.model_table import ModelAids, model_proposer

        where = folder / argument if name.endswith("local") else argument
        return model_proposer(name, where, cache, aids or ModelAids())
    raise UsageError(f"There is no proposer {spec!r}.", f"Use one of: {', '.join(FORMS)}.")
