"""`scaffold rules`: what is in force, what a rule says, and whether examples hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.support.repos import make_repo

OWN = """
rules:
  - id: no-shout
    languages: [python]
    severity: HIGH
    message: Shouting is rude. Speak softly.
    pattern: shout(...)
"""
WIDE = {"COLUMNS": "160"}
SETTINGS = '[sast]\nrules = ["rules/own.yml"]\n'


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {"scaffold.toml": SETTINGS, "rules/own.yml": OWN, "rules/own.examples.yml": "no-shout: {bad: [shout()]}\n"}
    make_repo(tmp_path / "repo", files)
    return tmp_path / "repo"


def test_all_rules_are_listed_with_the_users_own(repo: Path) -> None:
    ended = scaffold("rules", "list", "--format", "json", cwd=repo)
    told = {rule["id"]: rule for rule in ended.json}
    assert ended.code == 0
    assert told["no-shout"]["origin"] == "rules/own.yml (line 3)"
    assert told["py-weak-hash"]["repair"] == "fix"
    assert told["py-http-without-timeout"]["repair"] == "http-timeout"


def test_a_list_is_narrowed_by_pattern_and_cwe(tmp_path: Path) -> None:
    told = scaffold("rules", "list", "go-*", "cwe-611", cwd=tmp_path, env=WIDE).out
    rows = told.splitlines()
    assert rows[0].split() == ["rule", "severity", "cwe", "repair", "languages"]
    assert {row.split("-")[0] for row in rows[1:-2]} == {"go", "py", "java", "js"}
    assert rows[-1].startswith(f"{len(rows) - 3} rules, ")


def test_a_rule_is_shown_with_reason_and_examples(tmp_path: Path) -> None:
    told = scaffold("rules", "show", "js-jwt-expiry-ignored", cwd=tmp_path, env=WIDE).out
    for word in (
        "medium",
        "CWE-613",
        "works for ever",
        "https://",
        "bad 1",
        "fixed 2",
        "good 3",
        "rulesets/javascript/",
    ):
        assert word in told


def test_examples_that_hold_and_that_do_not(repo: Path) -> None:
    assert scaffold("rules", "test", "no-shout", cwd=repo).out == "1 examples of 1 rules: all hold.\n"
    (repo / "rules/own.examples.yml").write_text("no-shout: {bad: [whisper()]}\n")
    ended = scaffold("rules", "test", "no-shout", cwd=repo)
    assert (ended.code, ended.out.splitlines()[0]) == (1, "no-shout, bad example 1 is not found")


def test_a_rule_without_examples_is_named(repo: Path) -> None:
    (repo / "rules/own.examples.yml").unlink()
    ended = scaffold("rules", "test", "no-shout", cwd=repo)
    assert (ended.code, ended.out.splitlines()[0]) == (0, "no-shout has no examples")


def test_a_name_that_is_no_rule_is_an_error(tmp_path: Path) -> None:
    ended = scaffold("rules", "show", "py-gone", cwd=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "No rule is called 'py-gone'" in ended.warned
