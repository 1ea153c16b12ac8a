"""Commands of the configuration run only when they were approved on this machine."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.support.repos import commit, git, make_repo, write

CHECK = ("check", "--layers", "tests", "--format", "json")


@pytest.fixture
def marked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose test command leaves a mark when it runs; nobody approved it."""
    monkeypatch.delenv("SCAFFOLD_TRUST")
    monkeypatch.delenv("CI", raising=False)
    mark = tmp_path / "ran"
    command = f"sh -c 'touch {mark}'"
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "scaffold.toml": f'[tests]\ncommand = "{command}"\n'})
    write(repo, {"a.py": "x = 2\n"})
    return repo


def told(repo: Path, *words: str) -> tuple[int, list[str]]:
    ended = scaffold(*(words or CHECK), cwd=repo)
    layer = ended.json["layers"][0]
    return ended.code, [violation["what"] for violation in layer["violations"]]


def test_a_command_nobody_approved_is_not_run_and_the_verdict_is_undecided(marked: Path) -> None:
    code, (what,) = told(marked)
    assert code == 3
    assert "tests.command: sh -c" in what
    assert not (marked.parent / "ran").exists()


def test_trust_shows_approves_and_takes_back(marked: Path) -> None:
    assert scaffold("trust", "--list", cwd=marked).out.startswith("not approved  tests.command: sh -c")
    assert told(marked)[0] == 3
    assert scaffold("trust", cwd=marked).out.startswith("approved now  tests.command")
    assert told(marked)[0] == 0
    assert scaffold("trust", "--list", cwd=marked).out.startswith("approved  ")
    scaffold("trust", "--revoke", cwd=marked)
    assert told(marked)[0] == 3


def test_an_approval_is_bound_to_the_words(marked: Path) -> None:
    scaffold("trust", cwd=marked)
    commit(marked, {"scaffold.toml": '[tests]\ncommand = "sh -c true"\n'})
    write(marked, {"a.py": "x = 3\n"})
    assert told(marked)[0] == 3


def test_other_settings_may_change_without_a_new_approval(marked: Path) -> None:
    scaffold("trust", cwd=marked)
    commit(marked, {"scaffold.toml": (marked / "scaffold.toml").read_text() + "timeout = 50\n"})
    write(marked, {"a.py": "x = 3\n"})
    assert told(marked)[0] == 0


def test_what_the_caller_names_needs_no_approval(marked: Path) -> None:
    assert told(marked, *CHECK, "--test-command", "sh -c true")[0] == 0
    assert not (marked.parent / "ran").exists()


def test_the_scanner_and_the_proposer_need_one_too(marked: Path) -> None:
    commit(marked, {"scaffold.toml": '[sast]\nengine = "./mine"\n[run]\nproposer = "command:./mine"\n'})
    write(marked, {"a.py": "import os\nos.system('x')\n"})
    code, (what,) = told(marked, "check", "--layers", "sast", "--format", "json")
    assert (code, "sast.engine: ./mine" in what) == (3, True)
    git(marked, "checkout", "-q", "a.py")
    ended = scaffold("run", "a.py", "--goal", "x", cwd=marked)
    assert ended.code == 3
    assert "run.proposer: command:./mine" in ended.warned


def test_what_init_finds_is_approved(marked: Path) -> None:
    commit(marked, {"scaffold.toml": None, "test_a.py": "def test():\n    assert True\n"})
    scaffold("init", cwd=marked)
    commit(marked, {})
    assert scaffold("trust", "--list", cwd=marked).out.startswith("approved  tests.command: python3 -m pytest")


@pytest.mark.parametrize(("workflow", "code"), [("run: scaffold check --base main\n", 0), ("run: make\n", 3)])
def test_in_ci_the_base_revisions_own_call_of_scaffold_approves(
    marked: Path, monkeypatch: pytest.MonkeyPatch, workflow: str, code: int
) -> None:
    monkeypatch.setenv("CI", "true")
    commit(marked, {".github/workflows/ci.yml": workflow})
    write(marked, {"a.py": "x = 5\n"})
    assert told(marked)[0] == code


def test_a_change_cannot_approve_itself_in_ci(marked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    write(marked, {".github/workflows/ci.yml": "run: scaffold check --base main\n"})
    assert told(marked)[0] == 3


def test_a_damaged_record_approves_nothing(marked: Path) -> None:
    scaffold("trust", cwd=marked)
    (marked / ".git" / "scaffold" / "trust.json").write_text("[1")
    assert told(marked)[0] == 3


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 3)])
def test_at_a_terminal_the_question_is_asked(marked: Path, answer: str, code: int) -> None:
    leader, follower = pty.openpty()
    os.write(leader, f"{answer}\n".encode())
    command = [sys.executable, "-m", "scaffold_cli", *CHECK]
    done = subprocess.run(command, cwd=marked, stdin=follower, stdout=subprocess.PIPE, stderr=follower, check=False)
    shown = os.read(leader, 65536).decode()
    assert ("[y/N]" in shown, done.returncode) == (True, code)
