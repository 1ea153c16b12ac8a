"""The suspicion about a change as a violation: nothing single is seen to be lost, but all of it together reads so."""

from __future__ import annotations

from scaffold_cli.anchoring.suspicion.suspecting import Suspicion
from scaffold_cli.model.change import Change
from scaffold_cli.model.verdict import Effect, LayerName, Place, Violation


def suspected(suspicion: Suspicion, change: Change) -> Violation:
    """The violation for a suspicion; it blocks, and a waiver of its code lets a change that was read pass."""
    score, limit = f"{suspicion.score:.2f}", f"{suspicion.limit:.2f}"
    signs = "; ".join(suspicion.reasons)
    return Violation(
        layer=LayerName.ANCHORS,
        code="suspected-loss",
        effect=Effect.BLOCKS,
        what=f"The change as a whole reads like the removal of a protection{f': {signs}' if signs else ''}.",
        why="Changes of other projects that read like this one took a protection away far more often than not.",
        keep="Say in a smaller change what is taken away and why, or have it read by somebody and waived.",
        because=f"its score is {score}, and {limit} and more blocks; it was learnt from changes whose outcome is known",
        after=_place(suspicion, change),
        subject=f"suspected-loss {suspicion.path} {suspicion.symbol}",
    )


def _place(suspicion: Suspicion, change: Change) -> Place:
    pair = next((pair for pair in change.files if pair.path == suspicion.path), None)
    after = pair.after if pair is not None else None
    lines = after.data.decode("utf-8", "replace").splitlines() if after is not None else []
    text = lines[suspicion.line - 1] if 0 < suspicion.line <= len(lines) else ""
    return Place(suspicion.path, suspicion.line, suspicion.line, text, suspicion.symbol)
