"""A lesson refined by a model: advice beside the rule that the template wrote (SCAFFOLD-CEGIS's Assimilator)."""

from __future__ import annotations

from scaffold_cli.memory.redaction import redact
from scaffold_cli.models.interface import Ended, Message, ModelFailedError, Role
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.assimilator import Lesson
from scaffold_cli.reflection.dialogue import Asker

_TOKENS = 80
_CHARACTERS = 240
_DIFF = 2000


def refined(lesson: Lesson, diff: str, asker: Asker) -> str:
    """One sentence of advice; empty when the model fails or answers anything else.

    The rule itself stays as the template wrote it: a model can add to what is asked for, and take nothing away.
    Raises BudgetSpentError, and UsageError for the model's address.
    """
    material = prompts.fenced("rule", lesson.rule) + prompts.fenced("rejected step", diff[:_DIFF])
    talk = [Message(Role.SYSTEM, prompts.fill("lesson")), Message(Role.USER, material)]
    try:
        reply = asker.ask("lesson", talk, _TOKENS)
    except ModelFailedError:
        return ""
    text = redact(reply.text.strip())
    one_line = "\n" not in text and "```" not in text and len(text) <= _CHARACTERS
    return text if one_line and reply.ended is Ended.COMPLETE else ""
