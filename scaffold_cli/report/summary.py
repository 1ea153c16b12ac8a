"""A verdict in one line, without rich: for the text's first line, for stderr and for the chain's log."""

from __future__ import annotations

from scaffold_cli.model.verdict import Decision, Effect, Verdict

WORDS = {Decision.ACCEPT: "ACCEPTED", Decision.REJECT: "REJECTED", Decision.UNDECIDED: "UNDECIDED"}
EFFECTS = (
    (Effect.BLOCKS, "violation blocks", "violations block"),
    (Effect.UNDECIDED, "question undecided", "questions undecided"),
    (Effect.WARNS, "warning", "warnings"),
    (Effect.WAIVED, "violation waived", "violations waived"),
)


def headline(verdict: Verdict) -> tuple[str, str]:
    """The decision as a word, and what it rests on."""
    if not verdict.files:
        return WORDS[verdict.decision], "nothing to judge: the change is empty"
    effects = [violation.effect for violation in verdict.violations]
    parts = [counted(effects.count(effect), one, many) for effect, one, many in EFFECTS if effect in effects]
    parts.append(counted(verdict.files, "file", "files"))
    return WORDS[verdict.decision], " · ".join([*parts, f"{verdict.seconds:.2f} s"])


def summary(verdict: Verdict) -> str:
    """Both in one line."""
    return "  ".join(headline(verdict))


def counted(number: int, one: str, many: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {one if number == 1 else many}"
