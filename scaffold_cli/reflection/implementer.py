"""Implementer: one step of a model, checked and reflected on before it is handed in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scaffold_cli.memory.retrieval import Evidence, Retriever, Source
from scaffold_cli.memory.store import MemoryFileError
from scaffold_cli.model.protection import Anchor
from scaffold_cli.model.verdict import Violation
from scaffold_cli.models.interface import Ended, Message, ModelFailedError, Role
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.assimilator import Lesson
from scaffold_cli.reflection.audit import Auditor, Retrieved
from scaffold_cli.reflection.dialogue import Asker
from scaffold_cli.reflection.edits import EditError, apply, read_edits
from scaffold_cli.reflection.engine import Reflected, ReflectionEngine
from scaffold_cli.reflection.mending import worse
from scaffold_cli.reflection.self_check import LayerCheck, Safety, SelfCheck, self_check


@dataclass(frozen=True, slots=True)
class Task:
    """What a step is about. `rejected` holds diff, violations and reason of this step's rejected candidates."""

    goal: str
    files: Mapping[str, str]
    anchors: Sequence[Anchor] = ()
    lessons: Sequence[Lesson] = ()
    rejected: Sequence[tuple[str, Sequence[Violation], str]] = ()

    @property
    def only(self) -> str:
        """The file meant where an answer names none; empty when there are several."""
        return next(iter(self.files)) if len(self.files) == 1 else ""


@dataclass(frozen=True, slots=True)
class Tools:
    """What the Implementer works with. `rounds` is how often a draft is reflected on at most."""

    asker: Asker
    layers: LayerCheck
    retriever: Retriever | None
    answer_tokens: int
    rounds: int = 1
    model_check: bool = True


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model wrote: `opening` is what it was asked, `texts` the new text of each file the answer changes."""

    opening: tuple[Message, ...]
    answer: str
    texts: Mapping[str, str]


def implement(task: Task, tools: Tools, audit: Auditor, allowed: Callable[[str], bool]) -> Mapping[str, str]:
    """The new text of each file the step changes: a draft, settled.

    Raises EditError for an answer that cannot be applied, and what the model raises.
    """
    asked = opening(task, tools, audit, prompts.implementer(), prompts.answer_form(task.files))
    reply = tools.asker.ask("draft", asked, tools.answer_tokens)
    if reply.ended is Ended.LENGTH:
        raise ModelFailedError("The answer was cut off at the limit on tokens.", "Allow more with --answer-tokens.")
    texts = apply(read_edits(reply.text, task.only), task.files.get, allowed)
    return settled(task, tools, audit, Draft(asked, reply.text, texts), allowed)


def opening(task: Task, tools: Tools, audit: Auditor, system: str, form: str) -> tuple[Message, ...]:
    """How a dialogue about the step begins; what was rejected before brings evidence from memory with it."""
    evidence = None
    if task.rejected and tools.retriever is not None:
        found = [violation for _, violations, _ in task.rejected for violation in violations]
        evidence = _evidence(tools.retriever, "\n".join(task.files.values()), _cwes(found), audit)
        audit.flagged += [violation.id for violation in found]
    asked = prompts.request(task.goal, task.files, task.anchors, task.lessons, evidence, task.rejected, form=form)
    return Message(Role.SYSTEM, system), Message(Role.USER, asked)


def settled(
    task: Task, tools: Tools, audit: Auditor, draft: Draft, allowed: Callable[[str], bool]
) -> Mapping[str, str]:
    """The draft after self-check, and while that says UNSAFE and rounds are left: retrieve, reflect, write again.

    A mended answer that cannot be used, or is worse than the one it mends (see `mending`), is asked for once more and
    then left out. What is still UNSAFE, or could not be mended, is handed in all the same, with `audit.doubt`: only
    the gate decides. Raises BudgetSpentError, and UsageError for the model's address.
    """
    for _ in range(tools.rounds):
        check = self_check(draft.texts, tools.layers, tools.asker if tools.model_check else None)
        audit.checks.append(check)
        audit.doubt = "" if check.safety is Safety.SAFE else check.because or "The model calls it unsafe."
        if not audit.doubt:
            break
        try:
            mended = _mended(task, tools, audit, draft, check, allowed)
        except ModelFailedError as error:
            audit.flagged.append(f"the mended answer cannot be used: {error.message}")
            break
        if mended is not None:
            draft = mended
            audit.doubt = tools.layers(draft.texts).because
    return draft.texts


def _mended(
    task: Task, tools: Tools, audit: Auditor, draft: Draft, check: SelfCheck, allowed: Callable[[str], bool]
) -> Draft | None:
    """The draft mended; None where neither of two answers is better than it. Raises what the model raises."""
    engine = ReflectionEngine(tools.asker, tools.answer_tokens)
    form = prompts.answer_form(task.files)
    reflected = _reflect(task, tools, audit, draft, check, engine)
    answer = reflected.answer
    for is_last in (False, True):
        texts, why_not = _taken(task, tools, draft, check, answer, allowed)
        if not why_not:
            return Draft(draft.opening, answer, texts)
        audit.flagged.append(why_not)
        if not is_last:
            answer = engine.again(reflected.talk, answer, why_not, form)
    return None


def _taken(
    task: Task, tools: Tools, draft: Draft, check: SelfCheck, answer: str, allowed: Callable[[str], bool]
) -> tuple[Mapping[str, str], str]:
    """The texts an answer makes, and why they are not taken in place of the draft's."""
    try:
        texts = apply(read_edits(answer, task.only), task.files.get, allowed)
    except EditError as error:
        return {}, f"the mended answer cannot be used: {error.message}"
    return texts, worse(task.files, draft.texts, texts, (check.complaints, tools.layers(texts).complaints))


def _reflect(
    task: Task, tools: Tools, audit: Auditor, draft: Draft, check: SelfCheck, engine: ReflectionEngine
) -> Reflected:
    because = check.because
    evidence = Evidence(Source.FALLBACK, ())
    if tools.retriever is not None:
        evidence = _evidence(tools.retriever, "\n".join((*task.files.values(), because)), check.cwe, audit)
    audit.flagged.append(because or "the model says UNSAFE")
    audit.rounds += 1
    material = prompts.fenced("what was flagged", because or "A reviewer calls the change unsafe.")
    talk = (*draft.opening, Message(Role.ASSISTANT, draft.answer))
    reflected = engine.reflect(
        talk, material, prompts.evidence_text(evidence, task.files), prompts.answer_form(task.files)
    )
    audit.records += reflected.records
    return reflected


def _evidence(retriever: Retriever, query: str, cwe: Sequence[str], audit: Auditor) -> Evidence:
    """What memory gives; nothing from one that fails meanwhile, which is recorded and costs neither step nor chain."""
    try:
        evidence = retriever.retrieve(query, cwe)
    except MemoryFileError as error:
        audit.retrieved.append(Retrieved(f"failed: {error.message}", "", (), (), 0.0))
        return Evidence(Source.FALLBACK, ())
    audit.retrieved.append(Retrieved.of(evidence))
    return evidence


def _cwes(violations: Sequence[Violation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for violation in violations for name in violation.cwe))
