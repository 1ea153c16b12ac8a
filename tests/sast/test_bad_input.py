"""What must not pass in silence, through the door a user takes: strange files, large ones, bad rules, no network."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import Ended, scaffold
from tests.support.repos import make_repo, write

WEAK = "import os\n\n\ndef f(c):\n    os.system(c)\n"
MINIFIED = "!function(){" + "var a=1,b=[1,2,3],c={d:'e'};function f(x){return x+a};" * 93_000 + "}();\n"
SLOW = """
rules:
  - id: py-slow
    languages: [python]
    severity: HIGH
    message: Slow. Do less.
    pattern: $F(..., $A, ..., $B, ..., $C, ..., $D, ..., $A, ..., $B, ...)
"""
RULE = "rules:\n  - {{id: {}, languages: [python], severity: {}, message: m, pattern: '{}'}}\n"


def check(repo: Path, *options: str) -> Ended:
    return scaffold("check", "--layers", "sast", "--format", "json", *options, cwd=repo)


def told(ended: Ended) -> list[tuple[str, str]]:
    return [(item["effect"], item["what"]) for item in ended.json["layers"][0]["violations"]]


def test_five_megabytes_of_minified_javascript_are_named_or_scanned(tmp_path: Path) -> None:
    assert len(MINIFIED) > 5_000_000
    repo = make_repo(tmp_path / "repo", {"app.js": "x = 1;\n", "a.py": "x = 1\n"})
    write(repo, {"app.js": MINIFIED, "a.py": WEAK})
    ended = check(repo)
    assert ended.code == 1
    (_, large), _ = sorted(told(ended), key=lambda item: item[0], reverse=True)
    assert large == f"app.js is larger than the limit ({len(MINIFIED)} bytes), so its findings are not known."


def test_a_repository_of_many_files_costs_what_its_change_costs(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {f"d{n % 200}/f{n}.py": f"x = {n}\n" for n in range(20_000)})
    write(repo, {"d7/f7.py": WEAK})
    ended = check(repo)
    assert (ended.code, len(told(ended))) == (1, 1)
    assert dict(ended.json["layers"][0]["facts"])["file versions scanned"] == 2


def test_a_rule_that_takes_seconds_is_named_with_its_limit(tmp_path: Path) -> None:
    call = "f(" + ", ".join(f"a{number}" for number in range(150)) + ")\n"
    repo = make_repo(
        tmp_path / "repo",
        {"a.py": "x = 1\n", "rules.yml": SLOW, "scaffold.toml": "[sast]\nrules = ['rules.yml']\n"},
    )
    write(repo, {"a.py": call})
    ended = check(repo)
    assert ended.code == 3
    reason = "a.py was not scanned completely (it took longer than 10 seconds (rule py-slow))"
    assert told(ended) == [("undecided", f"{reason}, so its findings are not known.")]


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("rules:\n  - id: [\n", "rules.yml is not valid YAML (line 3)."),
        (RULE.format("a", "LOUD", "x"), "The rule 'a' of rules.yml (line 2) has the unknown severity 'LOUD'."),
        (RULE.format("py-ssrf", "LOW", "x"), "one in rules.yml (line 2)."),
        (RULE.format("a", "LOW", "f(("), "refuses the rule 'a' of rules.yml (line 2)"),
    ],
)
def test_a_bad_rule_of_the_users_is_named(tmp_path: Path, rule: str, sentence: str) -> None:
    files = {"a.py": "x = 1\n", "rules.yml": rule, "scaffold.toml": "[sast]\nrules = ['rules.yml']\n"}
    repo = make_repo(tmp_path / "repo", files)
    write(repo, {"a.py": WEAK})
    ended = check(repo)
    assert ended.code == 2
    assert sentence in ended.warned
    assert "rules.yml" in ended.warned


@pytest.mark.parametrize(
    ("path", "code"), [("a.py", "def f(:\n"), ("a.js", "f((( {"), ("A.java", "class {"), ("a.go", "func (")]
)
def test_broken_syntax_is_undecided(tmp_path: Path, path: str, code: str) -> None:
    repo = make_repo(tmp_path / "repo", {"README": "x\n"})
    write(repo, {path: code})
    ended = check(repo)
    ((effect, what),) = told(ended)
    assert (ended.code, effect, what.startswith(f"{path} does not parse (")) == (3, "undecided", True)


AWAY = ("unshare", "-rn")


@pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run([*AWAY, "true"], check=False, capture_output=True).returncode != 0,
    reason="this machine allows no namespace without a network",
)
def test_without_a_network_a_check_works(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n"})
    write(repo, {"a.py": WEAK})
    command = [*AWAY, sys.executable, "-m", "scaffold_cli", "check", "--layers", "sast", "--format", "json"]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert "py-shell-dynamic-command" in done.stdout
