"""Reflective prompt engine: problem identification, root cause, repair strategy, implementation, as one dialogue."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scaffold_cli.memory.redaction import redact
from scaffold_cli.models.interface import Ended, Message, ModelFailedError, Role
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.dialogue import Asker, text_digest

STAGE_TOKENS = 400


class Stage(StrEnum):
    """The four stages, in their order."""

    PROBLEM = "problem"
    ROOT_CAUSE = "root_cause"
    STRATEGY = "strategy"
    IMPLEMENTATION = "implementation"


SCHEMAS: dict[Stage, dict[str, Any]] = {
    Stage.PROBLEM: {
        "type": "object",
        "required": ["problem"],
        "properties": {"problem": {"type": "string"}, "location": {"type": "string"}, "cwe": {"type": "string"}},
    },
    Stage.ROOT_CAUSE: {
        "type": "object",
        "required": ["root_cause"],
        "properties": {"root_cause": {"type": "string"}},
    },
    Stage.STRATEGY: {
        "type": "object",
        "required": ["strategy"],
        "properties": {
            "strategy": {"type": "string"},
            "keep": {"type": "array", "items": {"type": "string"}},
        },
    },
}
"""JSON Schema of the record each stage but the last gives."""


@dataclass(frozen=True, slots=True)
class Record:
    """What one stage gave.

    `structured` is False when the model answered in prose: the first field holds it, or its digest.
    """

    stage: Stage
    fields: tuple[tuple[str, str], ...]
    structured: bool


@dataclass(frozen=True, slots=True)
class Reflected:
    """One round: the records of the first three stages and the answer with the mended edits.

    `talk` is the dialogue up to that answer, without it.
    """

    records: tuple[Record, ...]
    answer: str
    talk: tuple[Message, ...]


class ReflectionEngine:
    """Leads the dialogue. `opening` is the dialogue so far, up to the answer that is to be mended."""

    def __init__(self, asker: Asker, max_tokens: int) -> None:
        self._asker = asker
        self._max_tokens = max_tokens

    def reflect(self, opening: tuple[Message, ...], material: str, evidence: str, form: str) -> Reflected:
        """One round over `material`, what was flagged, with `evidence`; `form` says how to write the edits.

        What was flagged is told again where the model writes: a small one has lost sight of it by then.

        Raises what the model raises, and ModelFailedError for a cut-off end.
        """
        talk = list(opening)
        records: list[Record] = []
        for stage, text in (
            (Stage.PROBLEM, prompts.fill("problem", material=material)),
            (Stage.ROOT_CAUSE, prompts.fill("root_cause")),
            (Stage.STRATEGY, prompts.fill("strategy", evidence=evidence)),
        ):
            talk.append(Message(Role.USER, text))
            reply = self._asker.ask(stage.value, talk, STAGE_TOKENS)
            talk.append(Message(Role.ASSISTANT, reply.text))
            records.append(record(stage, reply.text, prose=self._asker.records_texts))
        talk.append(Message(Role.USER, prompts.fill("implementation", material=material, form=form)))
        return Reflected(tuple(records), self._implementation(talk), tuple(talk))

    def again(self, talk: tuple[Message, ...], answer: str, why: str, form: str) -> str:
        """Another answer in place of one that cannot be taken; `why` is told. Raises as `reflect` does."""
        asked = Message(Role.USER, prompts.fill("again", material=prompts.fenced("why not", why), form=form))
        return self._implementation([*talk, Message(Role.ASSISTANT, answer), asked])

    def _implementation(self, talk: Sequence[Message]) -> str:
        reply = self._asker.ask(Stage.IMPLEMENTATION.value, talk, self._max_tokens)
        if reply.ended is Ended.LENGTH:
            raise ModelFailedError("The answer was cut off at the limit on tokens.", "Allow more with --answer-tokens.")
        return reply.text


def record(stage: Stage, answer: str, *, prose: bool = False) -> Record:
    """The structured record in an answer. Never raises.

    Prose is no record: it becomes a SHA-256 digest in the required field, or with `prose` the text.
    """
    schema = SCHEMAS[stage]
    required = schema["required"][0]
    found = re.search(r"\{.*\}", answer, re.DOTALL)
    try:
        document = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        document = None
    if isinstance(document, dict) and isinstance(document.get(required), str):
        fields = tuple((name, _text(document[name])) for name in schema["properties"] if name in document)
        return Record(stage, fields, True)
    said = redact(" ".join(answer.split()))[:1000] if prose else f"sha256:{text_digest(answer)}"
    return Record(stage, ((required, said),), False)


def _text(value: object) -> str:
    return redact("; ".join(map(str, value)) if isinstance(value, list) else str(value))
