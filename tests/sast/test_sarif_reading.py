"""What the reader of SARIF makes of severities, addresses, regions, and of reports that are none."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.verdict import Severity
from scaffold_cli.sast.sarif.places import Ground, Region
from scaffold_cli.sast.sarif.reading import read
from tests.sast.sarif_text import at, sarif

KEYS = (
    *(
        "tool",
        "driver",
        "extensions",
        "rules",
        "results",
        "artifacts",
        "originalUriBaseIds",
        "invocations",
        "columnKind",
    ),
    *("ruleId", "ruleIndex", "rule", "index", "level", "kind", "message", "text", "id", "arguments", "locations"),
    *("physicalLocation", "artifactLocation", "uri", "uriBaseId", "region", "startLine", "endLine", "startColumn"),
    *("endColumn", "charOffset", "charLength", "properties", "tags", "security-severity", "severity", "taxa"),
    *("relationships", "target", "toolComponent", "name", "executionSuccessful", "toolExecutionNotifications"),
)
SUB_BASE = {"uri": "s/", "uriBaseId": "R"}


@pytest.mark.parametrize(
    ("rule", "result", "severity"),
    [
        ({"properties": {"security-severity": "9.1"}}, {"level": "note"}, Severity.CRITICAL),
        ({"properties": {"security-severity": 7}}, {}, Severity.HIGH),
        ({"properties": {"security-severity": "4.0", "severity": "BLOCKER"}}, {}, Severity.MEDIUM),
        ({"properties": {"security-severity": "0.1"}}, {"level": "error"}, Severity.LOW),
        ({"properties": {"security-severity": "high"}}, {"level": "error"}, Severity.HIGH),
        ({"properties": {"severity": "CRITICAL"}}, {"level": "warning"}, Severity.CRITICAL),
        ({}, {"properties": {"issue_severity": "LOW"}, "level": "error"}, Severity.LOW),
        ({"defaultConfiguration": {"level": "error"}}, {}, Severity.HIGH),
        ({"defaultConfiguration": {"level": "error"}}, {"level": "none"}, Severity.INFO),
        ({}, {"level": "note"}, Severity.LOW),
        ({}, {}, Severity.MEDIUM),
    ],
)  # fmt: skip
def test_severity_is_read_as_documented(rule: dict[str, Any], result: dict[str, Any], severity: Severity) -> None:
    tool = {"driver": {"name": "Probe", "rules": [{"id": "r1", **rule}]}}
    log = read(sarif({"ruleId": "r1", "message": {"text": "x"}, **result}, tool=tool).encode(), "it")
    assert [found.severity for found in log.results] == [severity]


def test_results_that_say_nothing_is_wrong_do_not_count() -> None:
    log = read(sarif({**at("a.py", 1), "kind": "pass"}, {**at("a.py", 1), "baselineState": "absent"}).encode(), "it")
    assert log.results == ()


@pytest.mark.parametrize(
    ("place", "bases", "path"),
    [
        ({"uri": "src/a%20b.py"}, {}, "app/src/a b.py"),
        ({"uri": "./src/../a.py"}, {}, "app/a.py"),
        ({"uri": "file:///here/app/x.py"}, {}, "app/x.py"),
        ({"uri": "/here/app/x.py"}, {}, "app/x.py"),
        ({"uri": "x.py", "uriBaseId": "R"}, {"R": {"uri": "file:///here/app/"}}, "app/x.py"),
        ({"uri": "x.py", "uriBaseId": "S"}, {"R": {"uri": "file:///here/"}, "S": SUB_BASE}, "s/x.py"),
        ({"uri": "k.py", "uriBaseId": "R"}, {"R": {"uri": "file:///elsewhere/lib/"}}, "lib/k.py"),
        ({"uri": "x.py", "uriBaseId": "R"}, {}, "app/x.py"),
        ({"uri": "x.py", "uriBaseId": "R"}, {"R": {"uri": "r/", "uriBaseId": "R"}}, None),
        ({"index": 0}, {}, "app/listed.py"),
        ({"uri": "../../x.py"}, {}, None),
        ({"uri": "file:///there/x.py"}, {}, None),
    ],
)  # fmt: skip
def test_addresses_become_paths_of_the_tree(place: dict[str, Any], bases: dict[str, Any], path: str | None) -> None:
    result = at("", 1)
    result["locations"][0]["physicalLocation"]["artifactLocation"] = place
    artifacts = [{"location": {"uri": "listed.py"}}]
    report = sarif(result, originalUriBaseIds=bases, artifacts=artifacts).encode()
    ground = Ground(("/here",), "app", frozenset({"lib/k.py"}))
    (found,) = read(report, "it", ground).results
    if path is None:
        assert not found.inside or found.path.startswith("app/r/r/")
    else:
        assert (found.path, found.inside) == (path, True)


@pytest.mark.parametrize(
    ("region", "utf16", "code"),
    [
        ({"startLine": 2, "startColumn": 3, "endColumn": 6}, False, "cde"),
        ({"startLine": 2}, False, "abcdef"),
        ({"startLine": 1, "startColumn": 2, "endLine": 2, "endColumn": 2}, False, "\U0001f600x\na"),
        ({"startLine": 1, "startColumn": 4, "endColumn": 5}, True, "x"),
        ({"startLine": 1, "startColumn": 3, "endColumn": 4}, False, "x"),
        ({"charOffset": 3, "charLength": 2}, False, "\nb"),
        ({"startLine": 2, "startColumn": 3, "endColumn": 99}, False, "cdef"),
        ({"startLine": 2, "startColumn": 5, "endColumn": 2}, False, ""),
    ],
)  # fmt: skip
def test_regions_become_the_code_they_mean(region: dict[str, int], utf16: bool, code: str) -> None:
    text = "\u00e9\U0001f600x\nabcdef\n"
    if region.get("charOffset"):
        text = "abc\nbcd\n"
    found = Region.of(region, utf16=utf16)
    assert found is not None
    span = found.span(text)
    assert span is not None
    assert text.encode()[slice(*span)].decode() == code


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8) | st.just("http://[x"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6), st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6)
)
def test_no_report_breaks_the_reader(run: dict[str, Any], result: dict[str, Any]) -> None:
    document = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [result], **run}]}
    try:
        log = read(json.dumps(document).encode(), "it", Ground(("/here",), "", frozenset({"a"})))
    except UndecidedError:
        return
    for found in log.results:
        if found.region is not None and (span := found.region.span("a\n\u00e9\n")) is not None:
            assert 0 <= span[0] <= span[1] <= 6


def test_reading_fails_in_one_way_only() -> None:
    for data in (b"\xff\xfe\x00", b"null", b"3", b'{"version": null}', b'{"version": "2.1.0", "runs": 7}'):
        with pytest.raises(UndecidedError):
            read(data, "it")
