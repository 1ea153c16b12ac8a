"""Candidates from a language model that reflects on its draft."""

from __future__ import annotations

from collections.abc import Mapping

from scaffold_cli.models.dry import NotSentError
from scaffold_cli.proposers.interface import Proposal, Request
from scaffold_cli.proposers.model_files import put, read_files
from scaffold_cli.proposers.session import ModelSession
from scaffold_cli.reflection.implementer import implement
from scaffold_cli.sandbox.interface import Workspace


class ModelProposer:
    """One step per proposal: draft, self-check, reflection (see `reflection.implementer`).

    It reads the files the goal names, and writes no others. An answer that cannot be applied is a failed attempt,
    told to the next.
    """

    def __init__(self, session: ModelSession) -> None:
        self._session = session
        self.name = f"model:{session.name}"

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Ask the model for one step.

        Raises ProposalFailedError, BudgetSpentError, and UsageError for the model's address.
        """
        files = read_files(request, workspace)
        step = self._session.step(request, files)
        try:
            with step.failing():
                texts = implement(step.task(), step.tools, step.audit, lambda path: path in files)
                put(workspace, request, texts, files)
        except NotSentError as error:
            return self._session.not_sent(error)
        told = f"Proposed by {self._session.name}."
        return Proposal(_summary(request, texts), detail=told, audit=step.record, doubt=step.audit.doubt)


def _summary(request: Request, texts: Mapping[str, str]) -> str:
    return f"a step towards {request.goal[:60]!r} in {', '.join(sorted(texts)) or 'no file'}"
