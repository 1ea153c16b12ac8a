"""Recorded candidates: the patches of a folder, one per attempt, sorted by name."""

from __future__ import annotations

import tempfile
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.errors import UsageError
from scaffold_cli.proposers.interface import Proposal, ProposalFailedError, Request
from scaffold_cli.proposers.lines import last_lines
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.vcs.git import clean_environment

_SUFFIXES = (".patch", ".diff")


class PatchesProposer:
    """Applies one recorded patch after the other; done when none is left.

    All patches are read at the start: the folder may lie inside the tree that is being changed. The first `used` were
    applied before. Raises
    UsageError when the folder does not exist or holds no ``*.patch`` or ``*.diff``.
    """

    name = "patches"

    def __init__(self, folder: Path, used: int = 0) -> None:
        if not folder.is_dir():
            raise UsageError(f"There is no folder of patches at {folder}.")
        files = sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES and path.is_file())
        if not files:
            raise UsageError(f"The folder {folder} holds no patch.", "Patches are files named *.patch or *.diff.")
        self._left = [(path.name, path.read_bytes()) for path in files[used:]]

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Apply the next patch. Raises ProposalFailedError with git's reason when it does not apply."""
        if not self._left:
            return Proposal("no recorded patch is left", done=True)
        name, patch = self._left.pop(0)
        with tempfile.TemporaryDirectory(prefix=owned.prefix("patch-")) as folder:
            file = Path(folder) / "candidate.patch"
            file.write_bytes(patch)
            argv = ("git", "apply", "--whitespace=nowarn", str(file))
            done = workspace.run(argv, timeout=request.time_limit, env=clean_environment())
        if not done.ok:
            raise ProposalFailedError(f"The patch {name} does not apply.", last_lines(done.stdout, done.stderr))
        return Proposal(f"apply {name}")
