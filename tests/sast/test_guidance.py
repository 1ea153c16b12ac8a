"""The guidance of each CWE keeps to one form, and its examples are code that our own rules accept."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.verdict import Severity
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
    r"\n## Java\n\nBefore:\n\n```java\n(?P<java_before>.*?)```\n\nAfter:\n\n```java\n(?P<java_after>.*?)```\n",
    re.DOTALL,
)
CRITICAL_OR_HIGH = (Severity.CRITICAL, Severity.HIGH)


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
    assert (head["cwe"], head["languages"]) == (path.stem, ["python", "java"])
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


def test_no_repaired_example_has_a_finding_that_blocks() -> None:
    wanted = [(path, key, suffix) for path in FILES for key, suffix in (("python", ".py"), ("java", ".java"))]
    targets = [Target(path.stem, suffix, parts(path)[f"{key}_after"].encode()) for path, key, suffix in wanted]
    scanned = scan(targets, load(), timeout=300).files
    found = [
        (target.path, match.rule)
        for target, result in zip(targets, scanned, strict=True)
        for match in result.matches
        if match.severity in CRITICAL_OR_HIGH
    ]
    assert found == []
