"""Caps on tokens and money, checked before each call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scaffold_cli.model.errors import BudgetSpentError, UsageError
from scaffold_cli.models.interface import Message, Reply, prompt_estimate


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens, in the user's currency."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True)
class Caps:
    """What may be spent at most; None is no limit."""

    tokens: int | None = None
    money: float | None = None


class Meter:
    """Counts what calls cost and refuses the call that could go over a cap.

    Raises UsageError when money is capped and the price is not known: an unknown price is never zero.
    """

    def __init__(self, caps: Caps | None = None, price: Price | None = None) -> None:
        self._caps = caps or Caps()
        self._price = price
        if self._caps.money is not None and price is None:
            raise UsageError(
                "Money is capped, but the price of the model is not known.",
                "Give it: --price PROMPT,COMPLETION for a million tokens each (0,0 for a model of your own).",
            )
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.calls = 0

    @property
    def tokens(self) -> int:
        """All tokens so far."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def money(self) -> float | None:
        """What they cost; None when the price is not known."""
        return self._price.of(self.prompt_tokens, self.completion_tokens) if self._price else None

    def check(self, messages: Sequence[Message], max_tokens: int) -> None:
        """Raises BudgetSpentError when the next call could go over a cap, whatever it answers."""
        prompt = prompt_estimate(messages)
        if self._caps.tokens is not None and self.tokens + prompt + max_tokens > self._caps.tokens:
            raise BudgetSpentError(
                f"The next call may take {prompt + max_tokens} tokens; {self.tokens} of {self._caps.tokens} are spent.",
                "Allow more with --max-tokens.",
            )
        if self._caps.money is not None and self._price is not None:
            spent = self._price.of(self.prompt_tokens, self.completion_tokens)
            needed = self._price.of(prompt, max_tokens)
            if spent + needed > self._caps.money:
                raise BudgetSpentError(
                    f"The next call may cost {needed:.4f}; {spent:.4f} of {self._caps.money:g} is spent.",
                    "Allow more with --max-money.",
                )

    def count_failed(self, messages: Sequence[Message], completion_tokens: int) -> None:
        """Add what a call without a usable answer took, by estimate: it is paid for like any other."""
        self.calls += 1
        self.prompt_tokens += prompt_estimate(messages)
        self.completion_tokens += completion_tokens

    def count(self, reply: Reply) -> None:
        """Add what an answer took."""
        self.calls += 1
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens
