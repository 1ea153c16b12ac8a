"""Candidates from any program: a model's command line tool, a codemod, a script."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.errors import UsageError
from scaffold_cli.processes import Completed, ProgramNotFoundError
from scaffold_cli.proposers.interface import Proposal, ProposalFailedError, Request
from scaffold_cli.proposers.lines import last_lines, one_line
from scaffold_cli.proposers.request import request_json
from scaffold_cli.sandbox.interface import Workspace

VARIABLE = "SCAFFOLD_REQUEST"
"""Names the JSON file with the request."""


class CommandProposer:
    """Runs a program in the candidate's tree; whatever it writes there is the candidate.

    The program starts at the tree's root with the user's environment (without git's own variables) and
    `SCAFFOLD_REQUEST`. Its last line on stdout becomes the summary. Raises UsageError for a command line
    that cannot be split into words.
    """

    name = "command"

    def __init__(self, command: str) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"The proposer's command cannot be read: {error}.", "Check its quotes.") from error
        if not words:
            raise UsageError("The proposer's command is empty.", 'Write --with command:"PROGRAM ARGUMENTS…".')
        self._words = tuple(words)

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Run the program once.

        Raises ProgramNotFoundError when it does not exist, ProposalFailedError with its last output when it
        fails or takes longer than the request allows.
        """
        program = self._words[0]
        if "/" not in program and shutil.which(program) is None:
            raise ProgramNotFoundError(program)
        with tempfile.TemporaryDirectory(prefix=owned.prefix("request-")) as folder:
            document = Path(folder) / "request.json"
            document.write_bytes(request_json(request))
            environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
            environment[VARIABLE] = str(document)
            done = workspace.run(self._words, timeout=request.time_limit, env=environment)
        self._check(done, request.time_limit)
        return Proposal(one_line(done.stdout) or f"edit by {Path(program).name}")

    def _check(self, done: Completed, limit: float) -> None:
        program = self._words[0]
        if done.timed_out:
            raise ProposalFailedError(
                f"The proposer {program!r} was ended after {limit:g} seconds.", last_lines(done.stdout, done.stderr)
            )
        if done.code != 0:
            raise ProposalFailedError(
                f"The proposer {program!r} ended with code {done.code}.", last_lines(done.stdout, done.stderr)
            )
