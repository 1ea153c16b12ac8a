"""Asking a model, with every call counted beforehand and recorded afterwards."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scaffold_cli import clock
from scaffold_cli.memory.redaction import redact
from scaffold_cli.models.interface import Message, Model, ModelFailedError, Reply, prompt_estimate
from scaffold_cli.models.spending import Meter


@dataclass(frozen=True, slots=True)
class Call:
    """One call, for the audit: digests of what was asked and answered; the texts where they are to be recorded."""

    stage: str
    asked: str
    answered: str
    prompt_tokens: int
    completion_tokens: int
    estimated: bool
    seconds: float
    model: str
    asked_text: str = ""
    answered_text: str = ""
    failed: str = ""
    """Why there is no answer; the counts are estimates then."""


class Asker:
    """Asks one model within caps and a time limit; `calls` is the record.

    `deadline` is a moment of `clock.seconds`. Raises BudgetSpentError before a call that could go over a cap.
    """

    def __init__(
        self,
        model: Model,
        meter: Meter,
        *,
        deadline: float,
        heard: Callable[[int], None] = lambda tokens: None,
        record_texts: bool = False,
    ) -> None:
        self._model = model
        self._meter = meter
        self._deadline = deadline
        self._heard = heard
        self.records_texts = record_texts
        self.calls: list[Call] = []

    def ask(self, stage: str, messages: Sequence[Message], max_tokens: int) -> Reply:
        """Ask once; secrets are taken out of what is sent. Raises what `Model.complete` raises."""
        sent = [Message(message.role, redact(_text(message.text))) for message in messages]
        left = self._deadline - clock.seconds()
        if left <= 0:
            raise ModelFailedError("There is no time left to ask the model.")
        self._meter.check(sent, max_tokens)
        text = "\n\n".join(f"[{message.role.value}]\n{message.text}" for message in sent)
        began = clock.seconds()
        try:
            reply = self._model.complete(sent, max_tokens=max_tokens, time_limit=left, heard=self._heard)
        except ModelFailedError as error:
            error.message = redact(error.message)  # it may quote the server, and stands in the ledger
            self._failed(stage, sent, text, error, clock.seconds() - began)
            raise
        self._meter.count(reply)
        self.calls.append(
            Call(
                stage,
                text_digest(text),
                text_digest(reply.text),
                reply.prompt_tokens,
                reply.completion_tokens,
                reply.estimated,
                round(reply.seconds, 3),
                reply.model,
                text if self.records_texts else "",
                redact(reply.text) if self.records_texts else "",
            )
        )
        return reply

    def _failed(self, stage: str, sent: Sequence[Message], text: str, error: ModelFailedError, seconds: float) -> None:
        """Count and record a call that brought no answer; one that reached nobody took no tokens."""
        written = error.completion_tokens
        if written is not None:
            self._meter.count_failed(sent, written)
        self.calls.append(
            Call(
                stage,
                text_digest(text),
                "",
                prompt_estimate(sent) if written is not None else 0,
                written or 0,
                True,
                round(seconds, 3),
                self._model.name,
                text if self.records_texts else "",
                failed=error.message,
            )
        )


def _text(text: str) -> str:
    """The same text where it is one: bytes that are none cannot be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def text_digest(text: str) -> str:
    """SHA-256 of a text, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
