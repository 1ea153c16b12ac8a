"""Verdicts to report on."""

from __future__ import annotations

from scaffold_cli.model.verdict import (
    Decision,
    Effect,
    LayerName,
    LayerResult,
    Note,
    Place,
    Severity,
    Verdict,
    Violation,
    Waiver,
)

GUARD = Violation(
    LayerName.ANCHORS,
    "guard-lost",
    Effect.BLOCKS,
    "The check `not path.is_relative_to(root)` stood before `path.read_text()` and is gone.",
    why="A path from outside can leave the folder.",
    keep="Put the check back before the file is read.",
    because="hard because it dominates open()",
    cwe=("CWE-22",),
    severity=Severity.HIGH,
    before=Place(
        "notes/store.py",
        41,
        42,
        "    if not path.is_relative_to(root):\n        raise PermissionError(path)",
        "Store.read",
    ),
    after=Place("notes/store.py", 41, 41, "    return path.read_text()", "Store.read"),
    subject="guard:path",
)
LINES = Violation(LayerName.BUDGET, "budget-files", Effect.WARNS, "4 files changed; the limit is 3.")
FOUND = Violation(
    LayerName.SAST,
    "finding-new",
    Effect.WAIVED,
    "shell=True is new.",
    severity=Severity.CRITICAL,
    cwe=("CWE-78",),
    after=Place("a b/\udcd0.py", 3, 3, "run(x, shell=True)"),
    waiver="only in the build script",
)
UNREAD = Violation(LayerName.TESTS, "tests-not-judged", Effect.UNDECIDED, "The tests took longer than 5 seconds.")


def rejected() -> Verdict:
    layers = (
        LayerResult.skipped(LayerName.TESTS, "no test command is configured"),
        LayerResult.judged(
            LayerName.SAST, [FOUND], facts=[("engine", "semgrep 1.2.3"), ("new", 1), ("cached", False)], seconds=0.21
        ),
        LayerResult.judged(LayerName.BUDGET, [LINES]),
        LayerResult.judged(LayerName.ANCHORS, [GUARD], reason="12 anchors compared", seconds=0.04),
    )
    notes = (Note("binary", "x.png is binary; its content was not judged.", "x.png"),)
    waivers = (Waiver(FOUND.id, "only in the build script"),)
    return Verdict(Decision.REJECT, layers, "a" * 64, 4, notes, waivers, 0.4)


def undecided() -> Verdict:
    return Verdict(Decision.UNDECIDED, (LayerResult.judged(LayerName.TESTS, [UNREAD], seconds=5.0),), "b" * 64, 1)


def accepted() -> Verdict:
    layers = (LayerResult.judged(LayerName.ANCHORS, reason="12 anchors compared", seconds=0.04),)
    return Verdict(Decision.ACCEPT, layers, "c" * 64, 1, seconds=0.05)


def empty() -> Verdict:
    return Verdict(Decision.ACCEPT, (), "d" * 64, 0)
