"""Self-checker of Reflection-Driven Control: SAFE or UNSAFE, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli.models.interface import Message, ModelFailedError, Role
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.dialogue import Asker


class Safety(StrEnum):
    """The two answers there are."""

    SAFE = "SAFE"
    UNSAFE = "UNSAFE"


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """What the model and our own layers say; the stricter one wins. `model` is None when no model was asked."""

    layers: Safety
    model: Safety | None = None
    because: str = ""
    cwe: tuple[str, ...] = ()
    """The weaknesses the layers see, by number (``CWE-22``): what guidance is looked for."""
    complaints: int = 0
    """How many reasons the layers have."""

    @property
    def safety(self) -> Safety:
        """UNSAFE unless everybody who was asked says SAFE."""
        said = {self.layers, self.model or Safety.SAFE}
        return Safety.UNSAFE if Safety.UNSAFE in said else Safety.SAFE

    @property
    def disagree(self) -> bool:
        """Whether the model says something else than the layers."""
        return self.model is not None and self.model is not self.layers


UNJUDGED = 1000
"""Complaints that stand for a change which cannot be judged: more than there ever are."""
_SAFE = re.compile(r"safe\.?", re.IGNORECASE | re.ASCII)


def read_word(answer: str) -> Safety:
    """SAFE for exactly that word, upper or lower case, with a full stop or without; anything else is UNSAFE."""
    return Safety.SAFE if _SAFE.fullmatch(answer.strip()) else Safety.UNSAFE


@dataclass(frozen=True, slots=True)
class LayerAnswer:
    """What our own layers say, with the first reason for UNSAFE and the weaknesses it is about.

    `complaints` is how many reasons there are, UNJUDGED for what cannot be judged: fewer is safer.
    """

    safety: Safety
    because: str = ""
    cwe: tuple[str, ...] = ()
    complaints: int = 0


LayerCheck = Callable[[Mapping[str, str]], LayerAnswer]
"""Asks our own layers about new texts by path."""


def self_check(texts: Mapping[str, str], layers: LayerCheck, asker: Asker | None = None) -> SelfCheck:
    """Ask the layers and, with an `asker`, the model. A model that fails has not said SAFE."""
    said = layers(texts)
    if asker is None:
        return SelfCheck(said.safety, None, said.because, said.cwe, said.complaints)
    code = "".join(prompts.fenced(path, text) for path, text in sorted(texts.items()))
    try:
        answer = asker.ask(
            "self-check", [Message(Role.SYSTEM, prompts.fill("self_check")), Message(Role.USER, code)], 8
        )
    except ModelFailedError as error:
        return SelfCheck(said.safety, Safety.UNSAFE, said.because or error.message, said.cwe, said.complaints)
    return SelfCheck(said.safety, read_word(answer.text), said.because, said.cwe, said.complaints)
