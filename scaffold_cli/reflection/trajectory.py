"""A trajectory: one reply in the grammar of ReflexiCoder, and the state machine it obeys.

    trajectory := think answer pair+
    pair       := reflection answer

A reflection that found a bug leads to a mended answer and another reflection; one that found none leads to an
optimised answer that ends the trajectory. Five answers at most.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_ANSWERS = 5
"""Answers of one trajectory at most (the authors' prompt; enforced here, our choice RC-5)."""


class Status(StrEnum):
    """What a reflection concludes."""

    BUG_DETECTED = "BUG_DETECTED"
    OPTIMIZATION_ONLY = "OPTIMIZATION_ONLY"


class Reason(StrEnum):
    """Why a text is no valid trajectory."""

    THINK_MISSING = "think-missing"
    ANSWER_MISSING = "answer-missing"
    REFLECTION_MISSING = "reflection-missing"
    """No pair of reflection and answer at all, or a block of another kind where one is due."""
    ANSWER_AFTER_REFLECTION_MISSING = "answer-after-reflection-missing"
    BLOCK_NOT_CLOSED = "block-not-closed"
    TEXT_BETWEEN_BLOCKS = "text-between-blocks"
    CODE_MISSING = "code-missing"
    """An answer without a fenced block of exactly the language asked for."""
    STATUS_MISSING = "status-missing"
    STATUS_UNKNOWN = "status-unknown"
    AFTER_OPTIMIZATION = "after-optimization"
    """Something follows the answer that ends the trajectory."""
    TOO_MANY_ANSWERS = "too-many-answers"


class StopReason(StrEnum):
    """How a valid trajectory ended."""

    OPTIMIZED = "optimized"
    ANSWER_CAP = "answer-cap"
    UNCONFIRMED = "unconfirmed"
    """After a mended answer that was not reflected on (our choice RC-9: valid all the same)."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """One reflection. `status` is None in a lenient reading that does not look at it."""

    status: Status | None
    text: str


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What was read. An invalid one has no answers, as with the authors' parser.

    `answers` hold code: the last fenced block of each answer. `reasons` say what is wrong, each once, in the order
    found.
    """

    valid: bool
    think: str = ""
    answers: tuple[str, ...] = ()
    reflections: tuple[Reflection, ...] = ()
    reasons: tuple[Reason, ...] = ()
    stop: StopReason | None = None

    @property
    def n(self) -> int:
        """The number of reflections, each followed by an answer."""
        return len(self.reflections)


class Action(StrEnum):
    """What comes next."""

    THINK = "think"
    ANSWER = "answer"
    REFLECT = "reflect"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class State:
    """Where a trajectory stands: how many answers there are, and the status of the last reflection."""

    thought: bool = False
    answers: int = 0
    reflections: int = 0
    last: Status | None = None

    @property
    def due(self) -> Action:
        """The block that must come next (section 2.4 of the fact sheet)."""
        if not self.thought:
            return Action.THINK
        if self.answers == self.reflections:
            return Action.ANSWER
        ended = self.last is Status.OPTIMIZATION_ONLY or self.answers >= MAX_ANSWERS
        return Action.STOP if ended else Action.REFLECT

    @property
    def stop(self) -> StopReason | None:
        """Why it may end here; None while a block is missing."""
        if self.reflections == 0 or self.answers != self.reflections + 1:
            return None
        if self.last is Status.OPTIMIZATION_ONLY:
            return StopReason.OPTIMIZED
        return StopReason.ANSWER_CAP if self.answers >= MAX_ANSWERS else StopReason.UNCONFIRMED

    def after_think(self) -> State:
        """The state after the think block."""
        return State(True)

    def after_answer(self) -> State:
        """The state after one more answer."""
        return State(True, self.answers + 1, self.reflections, self.last)

    def after_reflection(self, status: Status) -> State:
        """The state after one more reflection."""
        return State(True, self.answers, self.reflections + 1, status)
