"""Which test after a change goes on with which test before it: by name, by file, by what it asserts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Language, Outline
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.cases import cases_of
from scaffold_cli.testing.integrity.interface import Material, TestCase, TestPair

_LANGUAGES = frozenset({Language.PYTHON, Language.JAVA, Language.JAVASCRIPT, Language.TYPESCRIPT})
_SIMILAR = 0.5
"""Share of assertions (or of called functions) that two tests have in common to count as one."""


def material(
    change: Change, read: Callable[[str], bytes | None] = lambda _: None, paths: Sequence[str] = ()
) -> Material:
    """Both sides' tests, put together over the whole change."""
    pairs: list[TestPair] = []
    before: list[TestCase] = []
    after: list[TestCase] = []
    text: dict[tuple[str, bool], Sequence[str]] = {}
    for pair in change.files:
        sides = [(_outline(pair.before), False), (_outline(pair.after), True)]
        for found, is_after in sides:
            if found is not None:
                text[found.path, is_after] = found.text
        old, new = ([] if found is None else _cases(found) for found, _ in sides)
        now = {case.name: case for case in new}
        then = {case.name for case in old}
        pairs += [TestPair(case, now[case.name]) for case in old if case.name in now]
        before += [case for case in old if case.name not in now]
        after += [case for case in new if case.name not in then]
    moved, gone, fresh = _moved(before, after)
    return Material(change, (*pairs, *moved), gone, fresh, _removed(change), text, read, paths)


def _moved(before: list[TestCase], after: list[TestCase]) -> tuple[list[TestPair], list[TestCase], list[TestCase]]:
    """Pairs of moved and renamed tests, the tests that are gone, the tests that are new."""
    pairs: list[TestPair] = []
    for close in (_same_name, _same_last_name, _alike):
        for case in list(before):
            found = max(after, key=lambda other: close(case, other), default=None)
            if found is not None and close(case, found) >= _SIMILAR:
                pairs.append(TestPair(case, found))
                before.remove(case)
                after.remove(found)
    return pairs, before, after


def _same_name(one: TestCase, other: TestCase) -> float:
    return float(one.name == other.name)


def _same_last_name(one: TestCase, other: TestCase) -> float:
    same = one.name.rpartition(".")[2].rpartition(" > ")[2] == other.name.rpartition(".")[2].rpartition(" > ")[2]
    return (1 + similarity(one, other)) / 2 if same else 0.0


def _alike(one: TestCase, other: TestCase) -> float:
    return similarity(one, other)


def similarity(one: TestCase, other: TestCase) -> float:
    """Share of assertions that are the same; of called functions where neither asserts in plain sight."""
    left = Counter(check.identity for check in one.checks if check.strength)
    right = Counter(check.identity for check in other.checks if check.strength)
    if not left and not right:
        both = one.calls | other.calls
        return len(one.calls & other.calls) / len(both) if both else 0.0
    checks = (left & right).total() / max(left.total(), right.total())
    calls = len(one.calls & other.calls) / max(1, len(one.calls | other.calls))
    enough = right.total() >= left.total() and demand(other) >= demand(one)
    return max(checks, calls * 0.9) if enough else checks


def demand(case: TestCase) -> int:
    """How much the assertions of a test demand together."""
    return sum(check.strength for check in case.checks)


def _cases(found: Outline) -> list[TestCase]:
    return cases_of(found) if found.language in _LANGUAGES and not found.problem else []


def _outline(version: FileVersion | None) -> Outline | None:
    return outline(version) if version is not None and version.is_text else None


def _removed(change: Change) -> frozenset[str]:
    """Last names of functions, classes and modules of production code that the change takes away everywhere."""
    before: set[str] = set()
    after: set[str] = set()
    for pair in change.files:
        before |= _defined(pair.before)
        after |= _defined(pair.after)
    return frozenset(before - after)


def _defined(version: FileVersion | None) -> set[str]:
    if version is None or is_test_file(version.path):
        return set()
    found = _outline(version)
    if found is None or found.problem:
        return set()
    classes = {item.name.rpartition(".")[2] for item in found.classes}
    module = version.path.rpartition("/")[2].partition(".")[0]
    return {item.short_name for item in found.functions} | classes | {module}
