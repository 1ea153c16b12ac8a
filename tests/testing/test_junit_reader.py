"""JUnit XML as its writers write it (samples made up in their form)."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.testing.junit_reader import JunitError, read
from scaffold_cli.testing.outcomes import Outcome

SUREFIRE = b"""<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="shop.CartTest" time="0.1" tests="5" errors="1" skipped="1" failures="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="adds" classname="shop.CartTest" time="0.01"/>
  <testcase name="removes" classname="shop.CartTest" time="0.01">
    <failure message="expected: 1" type="AssertionFailedError"><![CDATA[expected: 1
<!DOCTYPE html> at CartTest.java:9]]></failure>
    <system-out><![CDATA[<!DOCTYPE html>]]></system-out>
  </testcase>
  <testcase name="explodes" classname="shop.CartTest"><error type="java.lang.Error"/></testcase>
  <testcase name="later" classname="shop.CartTest"><skipped message="not yet"/></testcase>
  <testcase name="shaky" classname="shop.CartTest"><flakyFailure message="once"/></testcase>
</testsuite>"""
JEST = b"""<testsuites name="jest tests" tests="2">
  <testsuite name="cart">
    <testcase classname="cart adds" name="cart adds" file="src/cart.test.js"/>
    <testcase classname="cart removes" name="cart removes" file="src/cart.test.js"><failure>1</failure></testcase>
  </testsuite>
</testsuites>"""
GOTESTSUM = b"""<testsuites><testsuite name="example.org/shop" tests="2">
  <testcase classname="example.org/shop" name="TestCart/add"/>
  <testcase classname="example.org/shop" name="TestCart"><skipped/></testcase>
</testsuite></testsuites>"""
NESTED = b"""<testsuites><testsuite name="outer"><testsuite name="inner">
  <testcase name="a"/><testcase name="b" status="notrun"/>
</testsuite></testsuite></testsuites>"""
PYTEST = b"""<testsuites><testsuite name="pytest">
  <testcase classname="tests.test_a" name="test_x"><skipped type="pytest.xfail" message="known"/></testcase>
  <testcase classname="tests.test_a" name="test_y" file="tests/test_a.py" line="12"><failure message="no"/></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            SUREFIRE,
            {
                "shop.CartTest::adds": Outcome.PASSED,
                "shop.CartTest::removes": Outcome.FAILED,
                "shop.CartTest::explodes": Outcome.FAILED,
                "shop.CartTest::later": Outcome.SKIPPED,
                "shop.CartTest::shaky": Outcome.PASSED,
            },
        ),
        (
            JEST,
            {"src/cart.test.js::cart adds": Outcome.PASSED, "src/cart.test.js::cart removes": Outcome.FAILED},
        ),
        (
            GOTESTSUM,
            {"example.org/shop::TestCart/add": Outcome.PASSED, "example.org/shop::TestCart": Outcome.SKIPPED},
        ),
        (NESTED, {"inner::a": Outcome.PASSED, "inner::b": Outcome.SKIPPED}),
        (PYTEST, {"tests.test_a::test_x": Outcome.XFAILED, "tests/test_a.py::tests.test_a::test_y": Outcome.FAILED}),
        (b"<testsuites/>", {}),
    ],
    ids=["surefire", "jest-junit", "gotestsum", "nested", "pytest", "empty"],
)
def test_outcomes_by_id(data: bytes, expected: dict[str, Outcome]) -> None:
    assert {id_: case.outcome for id_, case in read([("report.xml", data)]).items()} == expected


def test_details_are_kept() -> None:
    cases = read([("a.xml", SUREFIRE), ("b.xml", PYTEST)])
    assert cases["shop.CartTest::removes"].summary == "expected: 1"
    assert cases["shop.CartTest::removes"].detail.startswith("expected: 1\n<!DOCTYPE html>")
    assert cases["shop.CartTest::later"].detail == "not yet"
    case = cases["tests/test_a.py::tests.test_a::test_y"]
    assert (case.path, case.line, case.detail) == ("tests/test_a.py", 12, "no")


def test_the_same_id_again_gets_a_number_in_file_order() -> None:
    one = b"<testsuite><testcase classname='c' name='n'/></testsuite>"
    two = b"<testsuite><testcase classname='c' name='n'><failure/></testcase></testsuite>"
    for files in ([("a.xml", one), ("b.xml", two)], [("b.xml", two), ("a.xml", one)]):
        assert {id_: case.outcome for id_, case in read(files).items()} == {
            "c::n": Outcome.PASSED,
            "c::n#2": Outcome.FAILED,
        }


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<testsuite>",
        b"<html/>",
        b"\xff\xfe",
        b'<!DOCTYPE a [<!ENTITY x "yyyy">]><testsuite name="&x;"/>',
        '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a [<!ENTITY x "y">]><testsuite/>'.encode("utf-16"),
    ],
)
def test_what_is_no_report_is_named_and_never_read_as_empty(data: bytes) -> None:
    with pytest.raises(JunitError, match=r"odd\.xml"):
        read([("odd.xml", data)])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(JunitError):
        read([("any.xml", data)])
