"""The delta: the fact sheet's checks (SC-5), and what must hold for any findings."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.finding import Finding, Fingerprint
from scaffold_cli.model.verdict import Place, Severity
from scaffold_cli.sast.delta import Delta, compare
from scaffold_cli.sast.source import Side, Source

CODE = "def f():\n    a\n\n\ndef g():\n    b\n"


def side(code: str = CODE) -> Side:
    return Side({"a.py": Source.of(FileVersion("a.py", code.encode()), "a.py")})


def finding(
    code: str, *, rule: str = "r", symbol: str = "f", severity: Severity = Severity.HIGH, path: str = "a.py"
) -> Finding:
    return Finding(Fingerprint(rule, path, symbol, tuple(code.split())), severity, Place(path, 1, 1))


def delta(before: list[Finding], after: list[Finding]) -> Delta:
    """Compare on two sides with the same functions, where nothing can count as moved."""
    return compare(before, after, side(), side())


@pytest.mark.parametrize(
    ("before", "after", "new", "fixed"),
    [
        ("ab", "ab", 0, 0),
        ("a", "b", 1, 1),
        ("ab", "a", 0, 1),
        ("a", "aa", 1, 0),
        ("abc", "ad", 1, 2),
        ("", "a", 1, 0),
        ("aa", "a", 0, 1),
    ],
)
def test_the_checks_of_the_fact_sheet(before: str, after: str, new: int, fixed: int) -> None:
    # Calls of different functions, so that no renaming of a variable explains the difference.
    found = delta([finding(f"{name} ( )") for name in before], [finding(f"{name} ( )") for name in after])
    assert (len(found.new), len(found.fixed)) == (new, fixed)


def test_a_finding_that_rises_in_severity_is_new_there() -> None:
    found = delta([finding("x", severity=Severity.MEDIUM)], [finding("x", severity=Severity.HIGH)])
    assert [item.severity for item in found.new] == [Severity.HIGH]


def test_severities_do_not_cancel_each_other_out() -> None:
    found = delta([finding("x", severity=Severity.CRITICAL)] * 2, [finding("x", severity=Severity.HIGH)])
    assert (len(found.new), len(found.fixed)) == (1, 2)


def test_a_finding_in_a_renamed_function_is_the_same() -> None:
    found = compare([finding("x")], [finding("x", symbol="h")], side(), side(CODE.replace("f()", "h()")))
    assert not found.new
    assert not found.fixed


def test_a_finding_that_left_one_function_for_another_that_was_there_is_new() -> None:
    found = delta([finding("x", symbol="f")], [finding("x", symbol="g")])
    assert len(found.new) == 1


def test_an_extracted_helper_keeps_the_finding_and_an_inlined_one_too() -> None:
    whole, split = side("def f():\n    a\n"), side("def f():\n    h()\n\n\ndef h():\n    a\n")
    assert not compare([finding("x")], [finding("x", symbol="h")], whole, split).new
    assert not compare([finding("x", symbol="h")], [finding("x")], split, whole).new


def test_a_new_function_that_the_old_place_does_not_use_brings_a_new_finding() -> None:
    swapped = side("def f():\n    b\n\n\ndef h():\n    a\n")
    assert len(compare([finding("x")], [finding("x", symbol="h")], side("def f():\n    a\n"), swapped).new) == 1
    assert len(compare([finding("x", symbol="h")], [finding("x")], swapped, side("def f():\n    a\n")).new) == 1


def test_a_second_copy_in_a_new_function_is_new() -> None:
    more = CODE + "\n\ndef h():\n    a\n"
    found = compare([finding("x")], [finding("x"), finding("x", symbol="h")], side(), side(more))
    assert [item.fingerprint.symbol for item in found.new] == ["h"]


def test_a_renamed_variable_is_the_same_finding() -> None:
    old, new = side("def f(q):\n    run(q, q)\n"), side("def f(query):\n    run(query, query)\n")
    found = compare([finding("run ( q , q )")], [finding("run ( query , query )")], old, new)
    assert not found.new


@pytest.mark.parametrize(
    ("before", "after", "old", "new"),
    [
        # The other variable was there before: another finding in place of the first.
        ("run ( p )", "run ( q )", "def f(p, q):\n    run(p)\n", "def f(q):\n    run(q)\n"),
        # The old one is still there.
        ("run ( p )", "run ( q )", "def f(p):\n    run(p)\n", "def f(p):\n    q = p\n    run(q)\n"),
        # Another function, attribute, keyword or literal is no variable.
        ("run ( p )", "exec ( p )", "def f(p):\n    run(p)\n", "def f(p):\n    exec(p)\n"),
        ("o . safe", "o . raw", "def f(o):\n    o.safe\n", "def f(o):\n    o.raw\n"),
        ("run ( a = p )", "run ( b = p )", "def f(p):\n    run(a=p)\n", "def f(p):\n    run(b=p)\n"),
        ('run ( "a" )', 'run ( "b" )', 'def f():\n    run("a")\n', 'def f():\n    run("b")\n'),
        # Two variables became one.
        ("run ( p , q )", "run ( z , z )", "def f(p, q):\n    run(p, q)\n", "def f(z):\n    run(z, z)\n"),
    ],
)
def test_what_is_no_renaming_is_new(before: str, after: str, old: str, new: str) -> None:
    found = compare([finding(before)], [finding(after)], side(old), side(new))
    assert len(found.new) == 1


findings = st.lists(
    st.builds(
        finding,
        st.sampled_from(["a ( )", "b ( )", "c"]),
        rule=st.sampled_from(["r", "s"]),
        symbol=st.sampled_from(["", "f", "g"]),
        severity=st.sampled_from(list(Severity)),
    ),
    max_size=8,
)


def key(item: Finding) -> tuple[Severity, Fingerprint]:
    return item.severity, item.fingerprint


@given(findings)
def test_nothing_is_new_against_itself(found: list[Finding]) -> None:
    result = delta(found, found)
    assert (result.new, result.fixed, len(result.kept)) == ((), (), len(found))


@given(findings, findings)
def test_on_equal_symbols_it_is_the_formula(before: list[Finding], after: list[Finding]) -> None:
    counts, result = (Counter(map(key, before)), Counter(map(key, after))), delta(before, after)
    assert Counter(map(key, result.new)) == counts[1] - counts[0]
    assert Counter(map(key, result.fixed)) == counts[0] - counts[1]


@given(st.data(), findings, findings)
def test_the_order_of_findings_does_not_matter(
    data: st.DataObject, before: list[Finding], after: list[Finding]
) -> None:
    mixed = delta(data.draw(st.permutations(before)), data.draw(st.permutations(after)))
    straight = delta(before, after)
    assert Counter(map(key, mixed.new)) == Counter(map(key, straight.new))
    assert Counter(map(key, mixed.fixed)) == Counter(map(key, straight.fixed))


@given(findings, findings)
def test_every_finding_is_accounted_for_once(before: list[Finding], after: list[Finding]) -> None:
    result = compare(before, after, side(), side("def h():\n    a\n"))
    assert len(result.new) + len(result.kept) == len(after)
    assert len(result.fixed) + len(result.kept) == len(before)
