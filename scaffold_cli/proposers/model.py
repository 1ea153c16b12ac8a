"""Candidates from a language model, by reflection or as a ReflexiCoder trajectory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from scaffold_cli import clock
from scaffold_cli.memory.redaction import MASK
from scaffold_cli.memory.retrieval import Retriever
from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.models.dry import NotSentError
from scaffold_cli.models.interface import Ended, Message, Model, ModelFailedError, Role
from scaffold_cli.models.spending import Meter
from scaffold_cli.proposers.interface import Counterexample, Proposal, ProposalFailedError, Request
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.architect import anchors_for
from scaffold_cli.reflection.assimilator import Assimilator
from scaffold_cli.reflection.audit import Auditor, AuditRecord
from scaffold_cli.reflection.dialogue import Asker
from scaffold_cli.reflection.gatekeeper import layer_check
from scaffold_cli.reflection.implementer import Task, Tools, implement, templates_digest
from scaffold_cli.sandbox.interface import Workspace

_FILE_BYTES = 60_000
_PROMPT_BYTES = 120_000


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is used. Texts of prompts are recorded only with `record_prompts`; else their digests."""

    answer_tokens: int = 4096
    rounds: int = 1
    record_prompts: bool = False
    model_check: bool = True
    heard: Callable[[int], None] = field(default=lambda tokens: None)
    show: Callable[[str], None] = field(default=lambda text: None)
    """Where a dry run shows what would be sent."""


class ModelProposer:
    """One step per proposal: draft, self-check, reflection (see `reflection.implementer`).

    It reads the files the goal names, and writes no others. An answer that cannot be applied is a failed attempt,
    told to the next.
    """

    kind = "model"
    """The first part of its name."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        retriever: Retriever | None = None,
        options: ModelOptions | None = None,
        cache: Path | None = None,
    ) -> None:
        self._model = model
        self._meter = meter
        self._retriever = retriever
        self._options = options or ModelOptions()
        self._cache = cache
        self._assimilator = Assimilator()
        self._learned: set[tuple[int, int]] = set()
        self.name = f"{self.kind}:{model.name}"

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Ask the model for one step.

        Raises ProposalFailedError, BudgetSpentError, and UsageError for the model's address.
        """
        self._learn(request.counterexamples)
        files = read_files(request, workspace)
        asker = self._asker(request)
        audit = Auditor()
        tools = Tools(
            asker,
            layer_check(files, self._cache),
            self._retriever,
            self._options.answer_tokens,
            self._options.rounds,
            self._options.model_check,
        )
        try:
            texts = implement(self._task(request, files), tools, audit, lambda path: path in files)
        except ModelFailedError as error:
            raise ProposalFailedError(error.message, error.hint) from error
        except NotSentError as error:
            return self._not_sent(error)
        put(workspace, request, texts, files)
        return Proposal(
            _summary(request, texts), detail=f"Proposed by {self._model.name}.", audit=self._record(audit, asker)
        )

    def _not_sent(self, error: NotSentError) -> Proposal:
        self._options.show("\n".join(f"[{message.role.value}]\n{message.text}" for message in error.messages))
        return Proposal("nothing was sent", done=True)

    def _task(self, request: Request, files: Mapping[str, str]) -> Task:
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

    def _asker(self, request: Request) -> Asker:
        return Asker(
            self._model,
            self._meter,
            deadline=clock.seconds() + request.time_limit,
            heard=self._options.heard,
            record_texts=self._options.record_prompts,
        )

    def _learn(self, counterexamples: Sequence[Counterexample]) -> None:
        for item in counterexamples:
            if item.verdict is not None and (item.step, item.attempt) not in self._learned:
                self._learned.add((item.step, item.attempt))
                self._assimilator.learn(item.verdict, item.step)

    def _record(self, audit: Auditor, asker: Asker) -> Json:
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
            )
        )


class TrajectoryProposer(ModelProposer):
    """One reply in the grammar of ReflexiCoder; its answers go through the gate one after the other.

    The first answer is a candidate, the next one whatever became of the first, and so on: what stands at the end is
    the last that passed (our choice RC-3). It works on one file.
    """

    kind = "trajectory"
    _left: list[str] | None = None
    """Answers not handed in yet; None before the model was asked."""

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Hand in the next answer of the trajectory; done when the last one was handed in."""
        files = read_files(request, workspace)
        if len(files) != 1:
            raise ProposalFailedError(f"A trajectory works on one file; the goal names {len(files)}.", "Name one file.")
        path = next(iter(files))
        asker = self._asker(request)
        try:
            if self._left is None:
                self._left = self._answers(request, files, asker)
        except NotSentError as error:
            return self._not_sent(error)
        if not self._left:
            return Proposal("the trajectory has no further answer", done=True)
        text = self._left.pop(0)
        put(workspace, request, {path: text}, files)
        return Proposal(
            f"an answer of the trajectory for {path}",
            done=not self._left,
            detail=f"Proposed by {self._model.name}.",
            audit=self._record(Auditor(), asker),
        )

    def _answers(self, request: Request, files: Mapping[str, str], asker: Asker) -> list[str]:
        from scaffold_cli.reflection.trajectory_parser import cut_to_cap, parse, parse_leniently

        language = _fence_tag(next(iter(files)))
        task = self._task(request, files)
        asked = prompts.request(task.goal, files, task.anchors, task.lessons, None, task.rejected)
        talk = [Message(Role.SYSTEM, prompts.trajectory(language)), Message(Role.USER, asked)]
        try:
            reply = asker.ask("trajectory", talk, self._options.answer_tokens)
        except ModelFailedError as error:
            raise ProposalFailedError(error.message, error.hint) from error
        read = parse(reply.text, language)
        lenient = read if read.valid else cut_to_cap(parse_leniently(reply.text, language))
        if not lenient.valid or reply.ended is Ended.LENGTH:
            why = ", ".join(reason.value for reason in read.reasons) or "cut off"
            raise ProposalFailedError(f"The answer is no trajectory: {why}.")
        return [text for text in lenient.answers if text.strip()]


def read_files(request: Request, workspace: Workspace) -> dict[str, str]:
    """The texts of the files the goal is about. Raises ProposalFailedError when they do not fit a prompt."""
    found: dict[str, str] = {}
    for path, mode in request.files.items():
        data = workspace.read(path) if mode is not FileMode.SYMLINK else None
        if data is None or b"\0" in data or len(data) > _FILE_BYTES:
            continue
        with suppress(UnicodeDecodeError):  # a model could not give back bytes that are no UTF-8
            found[path] = data.decode("utf-8")
    if not found:
        raise ProposalFailedError(
            "The goal names no text file in UTF-8 that fits a prompt.", "Name one to a few source files."
        )
    if sum(map(len, found.values())) > _PROMPT_BYTES:
        raise ProposalFailedError(f"The {len(found)} files are too long for one prompt.", "Name fewer files.")
    return found


def put(workspace: Workspace, request: Request, texts: Mapping[str, str], files: Mapping[str, str]) -> None:
    """Write the new texts with the modes the files have; line ends stay as they were."""
    versions: dict[str, FileVersion | None] = {}
    for path, text in texts.items():
        if text.count(MASK) > files.get(path, "").count(MASK):
            raise ProposalFailedError(
                f"The answer writes {MASK} into {path}, where a secret was kept from the model.",
                "Ask for search and replace around it.",
            )
        keeps_crlf = "\r\n" in files.get(path, "") and "\r\n" not in text
        ended = text.replace("\n", "\r\n") if keeps_crlf else text
        versions[path] = FileVersion(path, ended.encode("utf-8", "replace"), request.files[path])
    workspace.write(versions)


def _summary(request: Request, texts: Mapping[str, str]) -> str:
    return f"a step towards {request.goal[:60]!r} in {', '.join(sorted(texts)) or 'no file'}"


def _fence_tag(path: str) -> str:
    tags = {"py": "python", "java": "java", "js": "javascript", "ts": "typescript", "go": "go", "c": "c", "cpp": "cpp"}
    return tags.get(path.rpartition(".")[2], "text")
