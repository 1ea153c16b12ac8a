"""A writer without a model, to measure the memory alone.

It drafts every scenario unsafely, calls that UNSAFE, and writes it safely once it reflected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.reflection.scenarios import Scenario
from scaffold_cli.models.interface import Ended, Message, Reply, estimated_tokens, prompt_estimate


class ScriptedModel:
    """Knows the two versions of each of `wanted`; what it says of safety is the truth."""

    name = "scripted"

    def __init__(self, wanted: Sequence[Scenario]) -> None:
        self._wanted = wanted

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int,
        time_limit: float,
        heard: Callable[[int], None] = lambda tokens: None,
    ) -> Reply:
        """See `Model.complete`."""
        text = self._answer(messages)
        return Reply(text, Ended.COMPLETE, prompt_estimate(messages), estimated_tokens(text), True, self.name)

    def _answer(self, messages: Sequence[Message]) -> str:
        asked, last = messages[1].text, messages[-1].text
        scenario = next(item for item in self._wanted if item.context.rstrip() in asked)
        if "exactly one word" in messages[0].text:
            return "UNSAFE" if scenario.unsafe_text.rstrip() in asked else "SAFE"
        if last.startswith("Stage") and not last.startswith("Stage 4"):
            return "The draft can be attacked."
        mended = last.startswith("Stage 4") or "A candidate that was not accepted" in asked
        text = scenario.safe_text if mended else scenario.unsafe_text
        return f"FILE: {scenario.path}\n```\n{text}```\n"
