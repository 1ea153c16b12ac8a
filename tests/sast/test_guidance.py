"""The guidance of each CWE keeps to one form, and its examples are code that our own rules accept."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from scaffold_cli.anchoring.careless import careless
from scaffold_cli.model.change import FileVersion
from scaffold_cli.resources import data_folder
from scaffold_cli.sast.rules import load
from scaffold_cli.sast.scan import Target, scan
from scaffold_cli.syntax.frontends import outline

FOLDER = data_folder("rulesets") / "guidance"
FILES = sorted(FOLDER.glob("*.md"))
FORM = re.compile(
    r"---\n(?P<head>.*?)---\n"
    r"\n## Problem\n\n(?P<problem>[^\n]+)\n"
    r"\n## Root cause\n\n(?P<cause>[^\n]+)\n"
    r"\n## Repair strategy\n\n(?P<steps>(?:\d\. [^\n]+\n)+)"
    r"\n## Python\n\nBefore:\n\n```python\n(?P<python_before>.*?)```\n\nAfter:\n\n```python\n(?P<python_after>.*?)```\n"
    r"\n## Java\n\nBefore:\n\n```java\n(?P<java_before>.*?)```\n\nAfter:\n\n```java\n(?P<java_after>.*?)```\n"
    r"(?:\n## C\n\nBefore:\n\n```c\n(?P<c_before>.*?)```\n\nAfter:\n\n```c\n(?P<c_after>.*?)```\n)?",
    re.DOTALL,
)


def parts(path: Path) -> dict[str, str]:
    found = FORM.fullmatch(path.read_text())
    assert found is not None, f"{path.name} is not of the form in rulesets/README.md"
    return found.groupdict()


def test_there_is_guidance_for_many_weaknesses_and_for_all_that_block() -> None:
    told = {path.stem for path in FILES}
    assert len(told) >= 40
    blocking = (rule for rule in load().rules if rule["severity"] in ("CRITICAL", "HIGH"))
    cwes = {str(rule["metadata"]["cwe"]).partition(":")[0] for rule in blocking}
    assert cwes <= told


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_keeps_to_the_form(path: Path) -> None:
    found = parts(path)
    head = yaml.safe_load(found["head"])
    assert list(head) == ["cwe", "title", "languages"]
    languages = ["python", "java", *(["c"] if found["c_before"] else [])]
    assert (head["cwe"], head["languages"]) == (path.stem, languages)
    steps = found["steps"].splitlines()
    assert [step.partition(".")[0] for step in steps] == [str(number) for number in range(1, len(steps) + 1)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_examples_parse_and_differ(path: Path) -> None:
    found = parts(path)
    for side in ("before", "after"):
        ast.parse(found[f"python_{side}"])
        assert outline(FileVersion("A.java", found[f"java_{side}"].encode())).problem is None
    assert found["python_before"] != found["python_after"]
    assert found["java_before"] != found["java_after"]


def test_every_carelessness_of_c_has_guidance_in_c_that_it_sees_and_sees_no_more() -> None:
    told = {path.stem: found for path in FILES if (found := parts(path))["c_before"]}
    assert told.keys() == {"CWE-125", "CWE-190", "CWE-416", "CWE-476", "CWE-787"}
    for cwe, found in told.items():
        for side, expected in (("before", {cwe}), ("after", set())):
            file = FileVersion("a.c", found[f"c_{side}"].encode())
            assert outline(file).problem is None
            assert {place.cwe for place in careless(file)} == expected, (cwe, side)


_NOT_TO_BE_SEEN = {
    ("CWE-20", "python"): "what a number may be, only the program knows",
    ("CWE-200", "java"): "which fields are private stands in no code",
    ("CWE-276", "python"): "open() without a mode is right nearly everywhere",
    ("CWE-306", "python"): "a check that is not there; the rule sees one that was taken away",
    ("CWE-347", "java"): "reading a token without verifying it is right where nothing depends on it",
    ("CWE-384", "java"): "a call that is not there; the rule sees the protection switched off",
    ("CWE-476", "python"): "which look-ups may fail, only their data knows",
    ("CWE-770", "python"): "which sizes are too large, only the program knows; the rule sees limits switched off",
    ("CWE-770", "java"): "which sizes are too large, only the program knows; the rule sees limits switched off",
    ("CWE-862", "python"): "a check that is not there; the rule sees one that lets everyone in",
    ("CWE-862", "java"): "a check that is not there; the rule sees one that lets everyone in",
    ("CWE-863", "python"): "who may read, only the program knows",
    ("CWE-863", "java"): "who may read, only the program knows",
}
"""Examples whose weakness a rule for their CWE cannot see, and why."""
_ALSO = {"CWE-321": "CWE-798", "CWE-77": "CWE-78", "CWE-94": "CWE-95"}
"""A weakness whose rules speak of another one as well."""
_SIDES = [(path, language, side) for path in FILES for language in ("python", "java") for side in ("before", "after")]
_SUFFIXES = {"python": ".py", "java": ".java"}
_PREFIXES = {"py": "python", "java": "java", "js": "javascript", "go": "go"}


@pytest.fixture(scope="module")
def seen() -> dict[tuple[str, str, str], set[str]]:
    """By CWE, language and side of an example: the rules that find something in it. One engine run for all."""
    targets = [
        Target(path.stem, _SUFFIXES[language], parts(path)[f"{language}_{side}"].encode())
        for path, language, side in _SIDES
    ]
    scanned = scan(targets, load(), timeout=300).files
    return {
        (path.stem, language, side): {match.rule for match in result.matches}
        for (path, language, side), result in zip(_SIDES, scanned, strict=True)
    }


def test_rules_are_silent_about_every_repaired_example(seen: dict[tuple[str, str, str], set[str]]) -> None:
    assert {key: rules for key, rules in seen.items() if key[2] == "after" and rules} == {}


def test_a_rule_sees_the_weakness_it_speaks_of(seen: dict[tuple[str, str, str], set[str]]) -> None:
    rules: dict[tuple[str, str], set[str]] = {}
    for rule in load().rules:
        cwe = str(rule["metadata"]["cwe"]).partition(":")[0]
        rules.setdefault((_PREFIXES[str(rule["id"]).partition("-")[0]], cwe), set()).add(str(rule["id"]))
    missed = set()
    for path, language in {(path.stem, language) for path, language, _ in _SIDES}:
        wanted = rules.get((language, path), set()) | rules.get((language, _ALSO.get(path, "")), set())
        if wanted and not wanted & seen[path, language, "before"]:
            missed.add((path, language))
    assert missed == set(_NOT_TO_BE_SEEN)
