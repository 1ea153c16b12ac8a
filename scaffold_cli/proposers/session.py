"""What the proposers that ask a model share: the model, what they learned, and what they tell of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scaffold_cli import clock
from scaffold_cli.memory.retrieval import Retriever
from scaffold_cli.model.errors import BudgetSpentError
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.models.dry import NotSentError
from scaffold_cli.models.interface import Model, ModelFailedError
from scaffold_cli.models.spending import Meter
from scaffold_cli.proposers.interface import Proposal, ProposalCutOffError, ProposalFailedError, Request
from scaffold_cli.reflection.architect import anchors_for
from scaffold_cli.reflection.assimilator import Assimilator
from scaffold_cli.reflection.audit import Auditor, AuditRecord
from scaffold_cli.reflection.dialogue import Asker
from scaffold_cli.reflection.gatekeeper import layer_check
from scaffold_cli.reflection.implementer import Task, Tools
from scaffold_cli.reflection.prompts import templates_digest
from scaffold_cli.reflection.refining import refined


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is used. Texts of prompts are recorded only with `record_prompts`; else their digests.

    `rounds` is how often a draft is reflected on at most; with 0 nothing is asked but the draft.
    """

    answer_tokens: int = 4096
    rounds: int = 1
    record_prompts: bool = False
    model_check: bool = True
    heard: Callable[[int], None] = field(default=lambda tokens: None)
    show: Callable[[str], None] = field(default=lambda text: None)
    """Where a dry run shows what would be sent."""


class ModelSession:
    """One model over the life of a chain."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        retriever: Retriever | None = None,
        options: ModelOptions | None = None,
        cache: Path | None = None,
    ) -> None:
        self.name = model.name
        self._model = model
        self._meter = meter
        self._retriever = retriever
        self._options = options or ModelOptions()
        self._cache = cache
        self._assimilator = Assimilator()
        self._learned: set[tuple[int, int]] = set()

    def step(self, request: Request, files: Mapping[str, str]) -> Step:
        """What one proposal works with."""
        options = self._options
        asker = Asker(
            self._model,
            self._meter,
            deadline=clock.seconds() + request.time_limit,
            heard=options.heard,
            record_texts=options.record_prompts,
        )
        tools = Tools(
            asker,
            layer_check(files, self._cache),
            self._retriever,
            options.answer_tokens,
            options.rounds,
            options.model_check,
        )
        return Step(self, request, files, tools, Auditor())

    def learn(self, request: Request, asker: Asker) -> None:
        """Take in the rejected candidates not seen before; the model words what each new lesson means."""
        for item in request.counterexamples:
            if item.verdict is None or (item.step, item.attempt) in self._learned:
                continue
            self._learned.add((item.step, item.attempt))
            for lesson in self._assimilator.learn(item.verdict, item.step):
                if self._options.rounds and not self._assimilator.known(lesson).advice:
                    self._assimilator.advise(lesson, refined(lesson, item.diff, asker))

    def task(self, request: Request, files: Mapping[str, str]) -> Task:
        """The request as the Implementer takes it."""
        return Task(
            request.goal,
            files,
            anchors_for(tuple(files), request.anchors, self._assimilator),
            self._assimilator.lessons,
            [
                (item.diff, item.verdict.violations if item.verdict else (), item.reason)
                for item in request.counterexamples
            ],
        )

    def record(self, audit: Auditor, asker: Asker) -> Json:
        """The audit evidence of one proposal."""
        return to_plain(
            AuditRecord(
                tuple(audit.flagged),
                tuple(audit.checks),
                tuple(audit.retrieved),
                tuple(audit.records),
                tuple(asker.calls),
                templates_digest(),
                self._meter.tokens,
                self._meter.money,
                audit.rounds,
                audit.doubt,
            )
        )

    def not_sent(self, error: NotSentError) -> Proposal:
        """Show what a dry run would have sent."""
        self._options.show("\n".join(f"[{message.role.value}]\n{message.text}" for message in error.messages))
        return Proposal("nothing was sent", done=True)


@dataclass(frozen=True, slots=True)
class Step:
    """One proposal under way."""

    session: ModelSession
    request: Request
    files: Mapping[str, str]
    tools: Tools
    audit: Auditor

    def task(self) -> Task:
        """What it is about, with the lessons so far. Raises what the model raises, but for ModelFailedError."""
        self.session.learn(self.request, self.tools.asker)
        return self.session.task(self.request, self.files)

    @property
    def record(self) -> Json:
        """Its audit evidence so far."""
        return self.session.record(self.audit, self.tools.asker)

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Turns a call, or an answer, that failed into a failed attempt that keeps its audit evidence.

        So does a budget that is spent, which ends the chain.
        """
        try:
            yield
        except ProposalFailedError as error:
            error.audit = self.record
            raise
        except ModelFailedError as error:
            failed = ProposalFailedError(error.message, error.hint)
            failed.audit = self.record
            raise failed from error
        except BudgetSpentError as error:
            cut_off = ProposalCutOffError(error.message, error.hint)
            cut_off.audit = self.record
            raise cut_off from error
