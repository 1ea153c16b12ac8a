"""The commit message of an accepted step."""

from __future__ import annotations

from textwrap import fill

from scaffold_cli.model.chain import Attempt, ChainStart
from scaffold_cli.model.verdict import LayerName, Verdict

_WIDTH = 72
CHAIN, STEP, VERDICT, ANCHORS = "Scaffold-Chain", "Scaffold-Step", "Scaffold-Verdict", "Scaffold-Anchors"
WAIVER, HOOKS, RECORD, UNDOES = "Scaffold-Waiver", "Scaffold-Hooks", "Scaffold-Record", "Scaffold-Undoes"
TRAILERS = (CHAIN, STEP, VERDICT, ANCHORS, WAIVER, HOOKS, RECORD)
"""What the commit of an accepted step may carry, in this order."""

_SKIPPED = "skipped by --no-verify"
_KEPT = ("kept", "moved", "renamed")
"""Outcomes of an anchor that stands as strong as before."""


def step_message(start: ChainStart, attempt: Attempt) -> str:
    """Subject, goal and trailers. Raises nothing; text from outside is folded so that it cannot forge a trailer."""
    assert attempt.verdict is not None
    trailers = [
        (CHAIN, start.chain),
        (STEP, str(attempt.step)),
        (VERDICT, _verdict(attempt.verdict)),
        *_anchors(attempt),
        *((WAIVER, f"{waiver.violation} {waiver.reason}") for waiver in attempt.verdict.waivers),
        (HOOKS, "" if start.hooks else _SKIPPED),
        (RECORD, attempt.record),
    ]
    body = [folded(attempt.detail), f"Goal: {folded(start.goal)}"]
    return _message(f"scaffold: {folded(attempt.summary)}", body, trailers)


def undo_message(start: ChainStart, attempt: Attempt, *, hooks: bool = True) -> str:
    """The message of the commit that takes a step back."""
    skipped = (HOOKS, "" if hooks else _SKIPPED)
    trailers = [(CHAIN, start.chain), (STEP, str(attempt.step)), skipped, (UNDOES, attempt.commit)]
    body = [f"This restores what {attempt.commit} changed."]
    return _message(f"scaffold: undo {folded(attempt.summary)}", body, trailers)


def folded(text: str) -> str:
    """One line without control characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _message(subject: str, body: list[str], trailers: list[tuple[str, str]]) -> str:
    head = [subject] if len(subject) <= _WIDTH else [subject[: _WIDTH - 1] + "…", fill(subject, _WIDTH)]
    tail = "\n".join(f"{name}: {folded(value)}" for name, value in trailers if value)
    return "\n\n".join([*head, *(fill(text, _WIDTH) for text in body if text), tail]) + "\n"


def _verdict(verdict: Verdict) -> str:
    layers = ", ".join(f"{layer.layer.value} {layer.status.value}" for layer in verdict.layers)
    return f"{verdict.decision.value} ({layers})"


def _anchors(attempt: Attempt) -> list[tuple[str, str]]:
    """Only when the layer looked: "kept 0" would read as a finding of its own."""
    counts = {name: attempt.fact(LayerName.ANCHORS, name) for name in (*_KEPT, "strengthened")}
    kept = [count for name in _KEPT if (count := counts[name]) is not None]
    return [(ANCHORS, f"kept {sum(kept)}, strengthened {counts['strengthened']}")] if kept else []
