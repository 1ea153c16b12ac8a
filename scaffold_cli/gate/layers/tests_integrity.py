"""What a change does to the tests themselves, in words a reviewer can act on."""

from __future__ import annotations

from collections.abc import Sequence

from scaffold_cli.model.verdict import Effect, LayerName, Violation
from scaffold_cli.testing.integrity.interface import Breach, BreachKind

_LESS = "A test that asks for less lets through what it kept out, and its name still says that it does not."
_FORGED = "What can change outcomes, or tell that it is tested, can make every other test worth nothing."
_WHY = {
    BreachKind.FORGED: _FORGED,
    BreachKind.DETECTED: _FORGED,
    BreachKind.LOOSENED: "Looser settings turn failures into silence for every change that comes after.",
    BreachKind.SNAPSHOT: "Recorded output that changes with the code cannot show what the code broke.",
}
_KEEP = {
    BreachKind.GONE: "Bring the test back, or take away what it tests in the same change.",
    BreachKind.EMPTIED: "Bring the body back.",
    BreachKind.SKIPPED: "Take the mark away and make the test pass as it stood.",
    BreachKind.REMOVED: "Bring the assertion back, or one that demands as much.",
    BreachKind.WEAKENED: "Demand what was demanded before, or more.",
    BreachKind.INVERTED: "Make the code do again what the test asks for.",
    BreachKind.PARAMETERS: "Bring the rows back.",
    BreachKind.MOCKED: "Test the real thing; stand-ins are for what it depends on.",
    BreachKind.FORGED: "Take the code out; what tests report is for the runner alone.",
    BreachKind.DETECTED: "Take the question out: code must do the same whether it is tested or not.",
    BreachKind.LOOSENED: "Leave the settings as they were, or change them in a change of its own.",
    BreachKind.SNAPSHOT: "Record it anew in a change of its own, where it can be read.",
}
_SEEN_BY_RUNS = frozenset({BreachKind.GONE, BreachKind.SKIPPED})
_NO_TEST_RAN = frozenset({"tests-not-run", "tests-more"})


def told_by_run(breach: Breach, run: Sequence[Violation], failing: frozenset[str]) -> bool:
    """True for a lost test that the run of the tests names already, or that failed before (ids in `failing`)."""
    if breach.kind not in _SEEN_BY_RUNS:
        return False
    node = breach.subject.replace(".py::", ".py\0").replace(".", "::").replace("::py\0", ".py::")
    blocking = [violation for violation in run if violation.effect is Effect.BLOCKS]
    if any(node.endswith(_bare(id_)) for id_ in failing):
        return True
    return any(violation.code in _NO_TEST_RAN or node.endswith(_bare(violation.subject)) for violation in blocking)


def _bare(id_: str) -> str:
    return id_.partition("[")[0] or "\0"


def integrity_violation(breach: Breach) -> Violation:
    """The violation a breach amounts to: it blocks."""
    return Violation(
        layer=LayerName.TESTS,
        code=breach.kind.value,
        effect=Effect.BLOCKS,
        what=breach.what,
        why=_WHY.get(breach.kind, _LESS),
        keep=_KEEP[breach.kind],
        because="the tests are part of what is protected",
        before=breach.before,
        after=breach.after,
        subject=breach.subject,
    )
