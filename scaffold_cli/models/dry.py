"""A model that is not asked: what would be sent is shown instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scaffold_cli.models.interface import Message, Reply


class NotSentError(Exception):
    """Nothing was sent. `messages` is what would have been."""

    def __init__(self, messages: Sequence[Message]) -> None:
        super().__init__("nothing was sent")
        self.messages = tuple(messages)


class DryModel:
    """Ends every call with NotSentError."""

    def __init__(self, name: str) -> None:
        self.name = name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        time_limit: float,
        heard: Callable[[int], None] = lambda tokens: None,
    ) -> Reply:
        """See `Model.complete`."""
        raise NotSentError(messages)
