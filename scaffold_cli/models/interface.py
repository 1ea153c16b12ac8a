"""What a model is asked and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from scaffold_cli.model.errors import UndecidedError


class ModelFailedError(UndecidedError):
    """This call brought no usable answer; another one may.

    `completion_tokens` is what it wrote all the same, estimated; None when the model was not reached, so that it took
    nothing.
    """

    completion_tokens: int | None = None


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a dialogue."""

    role: Role
    text: str


class Ended(StrEnum):
    """Why an answer ended."""

    COMPLETE = "complete"
    LENGTH = "length"
    """Cut off at the limit on tokens."""
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. Token counts are the server's; where it sends none they are estimated, and `estimated` says so."""

    text: str
    ended: Ended
    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False
    model: str = ""
    seconds: float = 0.0


class Model(Protocol):
    """One model at one address."""

    name: str

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        time_limit: float,
        heard: Callable[[int], None] = lambda tokens: None,
    ) -> Reply:
        """Ask once. `heard` is told the tokens received so far; `time_limit` is in seconds.

        Raises UsageError for what only the user can mend (no such model, key refused, nobody listens),
        ModelFailedError for what another call may mend.
        """
        ...


def estimated_tokens(text: str) -> int:
    """Tokens of a text, on the safe side: a token is hardly ever shorter than three bytes on average."""
    return len(text.encode("utf-8", "surrogatepass")) // 3 + 1


def prompt_estimate(messages: Sequence[Message]) -> int:
    """Tokens of a dialogue, on the safe side."""
    return sum(estimated_tokens(message.text) + 8 for message in messages)
