"""The two arms: what a model writes by itself, and what a chain with reflection keeps of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.reflection.scenarios import Scenario
from benchmarks.samples import git
from scaffold_cli import clock
from scaffold_cli.chain.learning import MemoryLearner
from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.runner import run_chain
from scaffold_cli.memory.embedding import Embedding
from scaffold_cli.memory.retrieval import Retriever
from scaffold_cli.memory.store import Store
from scaffold_cli.model.chain import StepOutcome
from scaffold_cli.model.change import FileMode
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.plain import Json
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.models.interface import Message, Model, ModelFailedError, Reply
from scaffold_cli.models.spending import Meter
from scaffold_cli.proposers.interface import Proposal, ProposalFailedError, Proposer, Request
from scaffold_cli.proposers.model import ModelProposer
from scaffold_cli.proposers.rules import RulesProposer
from scaffold_cli.proposers.session import ModelOptions, ModelSession
from scaffold_cli.reflection.implementer import implement
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.vcs.repository import Repository

ANSWER_TOKENS = 450
RETRIES = 1
SECONDS = 900.0
"""For one proposal, on a machine that has other things to do."""
_LAYERS = (LayerName.SAST, LayerName.BUDGET, LayerName.ANCHORS)
"""The functional tests are what is measured, so the gate does not get to see them."""


@dataclass(frozen=True, slots=True)
class Written:
    """What came of one scenario. `text` is None when nothing was written that could be applied, or nothing kept."""

    language: str
    text: str | None
    seconds: float
    audits: tuple[dict[str, Any], ...] = ()
    """One for each proposal, in order; empty ones left out."""
    accepted: int = -1
    """Which of them was accepted."""
    attempts: int = 1
    refused: tuple[str, ...] = ()
    """Why answers could not be taken as a candidate."""
    reply: Reply | None = None
    """The model's one reply, of the base."""


def alone(scenario: Scenario, model: Model) -> Written:
    """Base: one draft with the prompt that reflection begins with, and nothing else."""
    began = clock.seconds()
    files = {scenario.path: scenario.unfinished}
    heard = _First(model)
    session = ModelSession(heard, Meter(), options=ModelOptions(answer_tokens=ANSWER_TOKENS, rounds=0))
    request = Request(
        scenario.goal, (scenario.path,), 1, 1, files={scenario.path: FileMode.REGULAR}, time_limit=SECONDS
    )
    step = session.step(request, files)
    text: str | None = None
    refused: tuple[str, ...] = ()
    try:
        text = implement(step.task(), step.tools, step.audit, files.__contains__).get(scenario.path)
    except ModelFailedError as error:
        refused = (error.message,)
    return Written(
        scenario.language,
        _changed(text, scenario.unfinished),
        clock.seconds() - began,
        _told([step.record]),
        refused=refused,
        reply=heard.reply,
    )


def reflected(
    scenario: Scenario, model: Model, store: Store, vectors: Embedding, begun: Written | None = None
) -> Written:
    """Base + reflection: self-check, evidence from memory, the four stages, the gate, one retry, and memory kept.

    Its first draft is asked for with the prompt of the base. Given what the base wrote (`begun`), that is the draft:
    the two arms differ by reflection then, and not by the chance of two drafts. Its time and tokens count in both.
    """
    options = ModelOptions(answer_tokens=ANSWER_TOKENS)
    first = _First(model, begun.reply if begun is not None else None, given=True)
    took = begun.seconds if begun is not None and begun.reply is not None else 0.0
    session = ModelSession(first, Meter(), Retriever((store,), vectors), options)
    written = _chain(scenario, scenario.unfinished, ModelProposer(session), MemoryLearner(store))
    return replace(written, seconds=written.seconds + took)


def repaired(scenario: Scenario) -> Written:
    """The built-in proposer, which needs no model and writes nothing new: it is given the unsafe program to mend."""
    return _chain(scenario, scenario.unsafe_text, RulesProposer(), None, steps=3)


@dataclass(slots=True)
class _First:
    """A model whose first reply is kept; or, `given`, is the one there is."""

    model: Model
    reply: Reply | None = None
    given: bool = False
    name: str = ""

    def __post_init__(self) -> None:
        self.name = self.model.name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        time_limit: float,
        heard: Callable[[int], None] = lambda tokens: None,
    ) -> Reply:
        """See `Model.complete`."""
        if self.given and self.reply is not None:
            reply, self.reply = self.reply, None
            return reply
        reply = self.model.complete(messages, max_tokens=max_tokens, time_limit=time_limit, heard=heard)
        self.reply = self.reply if self.given else self.reply or reply
        return reply


@dataclass(slots=True)
class _Recorded:
    """Keeps what a proposer tells of each proposal."""

    proposer: Proposer
    name: str = "recorded"
    audits: list[Json] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        try:
            proposal = self.proposer.propose(request, workspace)
        except ProposalFailedError as error:
            self.audits.append(error.audit)
            self.refused.append(error.message)
            raise
        self.audits.append(proposal.audit)
        return proposal


def _chain(
    scenario: Scenario, text: str, proposer: Proposer, learner: MemoryLearner | None, *, steps: int = 1
) -> Written:
    began = clock.seconds()
    recorded = _Recorded(proposer)
    options = ChainOptions(steps=steps, retries=RETRIES, wall_time=4 * SECONDS, layers=_LAYERS, verify=False)
    with _repository({scenario.path: text}) as folder:
        result = run_chain(
            Repository.discover(folder), scenario.goal, (scenario.path,), recorded, options, learner=learner
        )
        if result.exit_code == UndecidedError.exit_code and not result.attempts:
            raise UndecidedError(f"The chain of {scenario.id} did not begin: {result.message}")
        final = (folder / scenario.path).read_text(encoding="utf-8")
    accepted = [place for place, attempt in enumerate(result.attempts) if attempt.outcome is StepOutcome.ACCEPTED]
    kept = final if text == scenario.unsafe_text else _changed(final, text)
    return Written(
        scenario.language,
        kept,
        clock.seconds() - began,
        _told(recorded.audits),
        accepted[-1] if accepted else -1,
        len(result.attempts),
        tuple(recorded.refused),
    )


@contextmanager
def _repository(files: Mapping[str, str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as name:
        folder = Path(name)
        for path, text in files.items():
            (folder / path).write_text(text, encoding="utf-8")
        git(folder, "init", "-q")
        for key, value in (("user.name", "Bench"), ("user.email", "bench@example.invalid"), ("gc.auto", "0")):
            git(folder, "config", key, value)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", "start")
        yield folder


def _changed(text: str | None, unfinished: str) -> str | None:
    return None if text is None or text.strip() == unfinished.strip() else text


def _told(audits: Sequence[Json]) -> tuple[dict[str, Any], ...]:
    return tuple(audit if isinstance(audit, dict) else {} for audit in audits)
