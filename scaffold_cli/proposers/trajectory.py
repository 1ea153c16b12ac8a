"""Candidates from a language model that answers in the grammar of ReflexiCoder."""

from __future__ import annotations

from scaffold_cli.models.dry import NotSentError
from scaffold_cli.models.interface import Ended, Message, ModelFailedError, Role
from scaffold_cli.proposers.interface import Proposal, ProposalFailedError, Request
from scaffold_cli.proposers.model_files import put, read_files
from scaffold_cli.proposers.session import ModelSession, Step
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.implementer import Draft, opening, settled
from scaffold_cli.reflection.trajectory_parser import cut_to_cap, parse, parse_leniently
from scaffold_cli.sandbox.interface import Workspace


class TrajectoryProposer:
    """One reply of up to five answers, which go through the gate one after the other.

    The first answer is a candidate, the next one whatever became of the first, and so on: what stands at the end is
    the last that passed (our choice RC-3). When none did, a new trajectory is asked for, with what was wrong, the
    lessons and the evidence. The answer a trajectory ends with is self-checked and reflected on like any draft; the
    answers before it were reflected on by the trajectory itself. It works on one file.
    """

    def __init__(self, session: ModelSession) -> None:
        self._session = session
        self._left: list[str] = []
        """Answers not handed in yet."""
        self._talk: tuple[Message, ...] = ()
        """What they answer, and the reply they stand in."""
        self._asked_for = 0
        """The step it was asked for; 0 before it was."""
        self.name = f"trajectory:{session.name}"

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Hand in the next answer of the trajectory; done when the last one was handed in.

        Raises ProposalFailedError, BudgetSpentError, and UsageError for the model's address.
        """
        files = read_files(request, workspace)
        if len(files) != 1:
            raise ProposalFailedError(f"A trajectory works on one file; the goal names {len(files)}.", "Name one file.")
        passed = request.step > self._asked_for > 0
        if not self._left and (passed or (self._asked_for and not request.counterexamples)):
            return Proposal("the trajectory has no further answer", done=True)
        path = next(iter(files))
        step = self._session.step(request, files)
        try:
            with step.failing():
                if not self._left:
                    self._ask(step, path)
                put(workspace, request, {path: self._next(step, path)}, files)
        except NotSentError as error:
            return self._session.not_sent(error)
        return Proposal(
            f"an answer of the trajectory for {path}",
            done=not self._left,
            detail=f"Proposed by {self._session.name}.",
            audit=step.record,
            doubt=step.audit.doubt,
        )

    def _ask(self, step: Step, path: str) -> None:
        language = prompts.fence_tag(path)
        task = step.task()
        talk = opening(task, step.tools, step.audit, prompts.trajectory(language), "Answer with one trajectory.")
        reply = step.tools.asker.ask("trajectory", talk, step.tools.answer_tokens)
        read = parse(reply.text, language)
        lenient = read if read.valid else cut_to_cap(parse_leniently(reply.text, language))
        if not lenient.valid or reply.ended is Ended.LENGTH:
            why = ", ".join(reason.value for reason in read.reasons) or "cut off"
            raise ModelFailedError(f"The answer is no trajectory: {why}.")
        self._left = [text for text in lenient.answers if text.strip()]
        if not self._left:
            raise ModelFailedError("No answer of the trajectory holds code.")
        self._talk = (*talk, Message(Role.ASSISTANT, reply.text))
        self._asked_for = step.request.step

    def _next(self, step: Step, path: str) -> str:
        text = self._left.pop(0)
        if self._left:
            return text
        task = self._session.task(step.request, step.files)
        draft = Draft(self._talk[:-1], self._talk[-1].text, {path: text})
        return settled(task, step.tools, step.audit, draft, lambda name: name == path)[path]
