"""Tests that are gone, emptied, kept from running, or run with fewer rows."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material, TestCase, TestPair

_WORDS = {"skip": "skipped", "xfail": "expected to fail", "only": "the only one that runs in its file"}


def gone(material: Material) -> Iterator[Breach]:
    """Tests without a successor. One of code that the change takes away too may go with it."""
    for case in material.gone:
        if case.marks & {"skip", "xfail"} or not (case.checks or case.statements) or is_excused(case, material):
            continue
        yield Breach(
            BreachKind.GONE,
            f"The test `{case.name}` is taken away and no other test of the change asserts what it did.",
            f"{case.path}::{case.name}",
            before=material.place(case.path, case.line, after=False, symbol=case.name),
        )


def is_excused(case: TestCase, material: Material) -> bool:
    """True when what the test calls is taken away by the same change, or a new or wider test takes its place."""
    return bool(case.calls & material.removed) or stand_in(case, material) is not None


def stand_in(case: TestCase, material: Material) -> TestCase | None:
    """A test that is new, or run with more rows than before, that calls what `case` called and demands as much."""
    wider = [pair.after for pair in material.pairs if pair.after.parameters > pair.before.parameters]
    strongest = max((check.strength for check in case.checks), default=0)
    for other in (*material.new, *wider):
        enough = max((check.strength for check in other.checks), default=0) >= strongest
        if enough and len(case.calls & other.calls) * 2 > len(case.calls):
            return other
    return None


def emptied(pair: TestPair, material: Material) -> Breach | None:
    """A test that asserted, or at least did something, and now does nothing."""
    had, has = pair.before.statements, pair.after.statements
    if not had or has:
        return None
    return _breach(BreachKind.EMPTIED, f"The body of the test `{pair.before.name}` is emptied.", pair, material)


def marks(material: Material) -> Iterator[Breach]:
    """Tests that are newly skipped, expected to fail, or (`only`) keep others from running."""
    for pair in material.pairs:
        for mark in sorted((pair.after.marks - pair.before.marks) & _WORDS.keys()):
            what = f"The test `{pair.before.name}` is {_WORDS[mark]} now."
            yield _breach(BreachKind.SKIPPED, what, pair, material)
    for case in material.new:
        if "only" in case.marks and any(pair.after.path == case.path for pair in material.pairs):
            yield Breach(
                BreachKind.SKIPPED,
                f"The new test `{case.name}` is marked as the only one that runs in its file.",
                f"{case.path}::{case.name}",
                after=material.place(case.path, case.line, after=True, symbol=case.name),
            )


def parameters(material: Material) -> Iterator[Breach]:
    """Tables of parameters with fewer rows than before."""
    for pair in material.pairs:
        had, has = pair.before.parameters, pair.after.parameters
        fewer = 0 < has < had or (had > 1 and has == 0 and len(pair.after.checks) <= len(pair.before.checks))
        if fewer and not pair.before.calls & material.removed:
            what = f"The test `{pair.before.name}` ran with {had} rows of parameters and runs with {max(has, 1)} now."
            yield _breach(BreachKind.PARAMETERS, what, pair, material)


def _breach(kind: BreachKind, what: str, pair: TestPair, material: Material) -> Breach:
    return Breach(
        kind,
        what,
        f"{pair.after.path}::{pair.after.name}",
        before=material.place(pair.before.path, pair.before.line, after=False, symbol=pair.before.name),
        after=material.place(pair.after.path, pair.after.line, after=True, symbol=pair.after.name),
    )
