"""run, log, show, undo and verify through the real program."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from tests.cli.program import entries, scaffold
from tests.cli.samples import GUARDED, REWORDED, UNGUARDED
from tests.support.repos import git, make_repo, write

QUICK = ("--layers", "budget,anchors")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository, and beside it a folder of recorded candidates: one that drops a guard, one harmless."""
    repo = make_repo(tmp_path / "repo", {"notes.py": GUARDED, "other.py": "x = 1\n"})
    for number, after in enumerate((UNGUARDED, REWORDED), start=1):
        write(repo, {"notes.py": after})
        write(tmp_path / "patches", {f"{number}.patch": git(repo, "diff") + "\n"})
    git(repo, "checkout", "-q", "notes.py")
    return repo


def run(repo: Path, *args: str) -> tuple[str, ...]:
    return ("run", "notes.py", "--goal", "tidy [bold]up[/]", "--with", "patches:../patches", *QUICK, *args)


def test_a_chain_keeps_the_good_and_throws_the_bad_away(repo: Path) -> None:
    write(repo, {"other.py": "x = 2  # mine\n"})
    ended = scaffold(*run(repo), cwd=repo)
    assert ended.code == 0
    assert "step 1.1  rejected  apply 1.patch" in ended.out
    assert "blocks  anchors · guard-lost" in ended.out
    assert "step 1.2  accepted  apply 2.patch" in ended.out
    assert "1 step accepted, 1 thrown away" in ended.told
    assert "tidy [bold]up[/]" in ended.told
    assert (repo / "notes.py").read_text() == REWORDED
    assert (repo / "other.py").read_text() == "x = 2  # mine\n"
    log = scaffold("log", cwd=repo).out
    assert log.index("1.1   rejected") < log.index("1.2   accepted")
    assert git(repo, "rev-parse", "--short=10", "HEAD") in log
    assert scaffold("verify", cwd=repo).code == 0


def test_show_tells_the_evidence_and_the_diff(repo: Path) -> None:
    scaffold(*run(repo), cwd=repo)
    shown = scaffold("show", "1.1", cwd=repo).out
    assert "REJECTED" in shown
    assert "-        raise PermissionError(path)" in shown
    assert len(scaffold("show", "1", "--quiet", cwd=repo).out.splitlines()) == 3
    diff = scaffold("show", "1.1", "--format", "diff", cwd=repo).out
    assert diff.startswith("diff --git a/notes.py b/notes.py\n")
    attempts = scaffold("show", "1", "--format", "json", cwd=repo).json
    assert [attempt["outcome"] for attempt in attempts] == ["rejected", "accepted"]
    schema = scaffold("schema", "verdict", cwd=repo).json
    for attempt in attempts:  # the same form that `check` writes
        jsonschema.Draft202012Validator(schema).validate(attempt["verdict"])
    document = scaffold("log", "--format", "json", cwd=repo).json[0]
    assert document["attempts"][: len(attempts)] == attempts
    assert document["start"]["goal"] == "tidy [bold]up[/]"
    assert document["metrics"]["accepted"] == 1
    missing = scaffold("show", "9", cwd=repo)
    assert (missing.code, missing.out) == (2, "")


def test_undo_takes_one_step_back_and_refuses_a_second_time(repo: Path) -> None:
    scaffold(*run(repo), cwd=repo)
    undone = scaffold("undo", "1", cwd=repo)
    assert undone.code == 0
    assert undone.out.startswith("Undid step 1 (apply 2.patch) with commit ")
    assert (repo / "notes.py").read_text() == GUARDED
    again = scaffold("undo", "1", cwd=repo)
    assert again.code == 2
    assert "was already undone" in again.err
    assert "undone" in scaffold("log", cwd=repo).out
    assert scaffold("verify", "--all", cwd=repo).code == 0


def test_a_dry_run_writes_nothing(repo: Path) -> None:
    before = entries(repo)
    ended = scaffold(*run(repo, "--dry-run"), cwd=repo)
    assert ended.code == 0
    assert "step 1.2  accepted" in ended.out
    assert entries(repo) == before


def test_a_chain_whose_last_candidate_is_refused_ends_with_1(repo: Path) -> None:
    ended = scaffold(*run(repo, "--retries", "0"), cwd=repo)
    assert ended.code == 1
    assert (repo / "notes.py").read_text() == GUARDED
    assert git(repo, "status", "--short") == ""


def test_the_branch_option_leaves_the_checkout_alone(repo: Path) -> None:
    write(repo, {"other.py": "x = 2\n"})
    assert scaffold(*run(repo, "--branch", "tidy"), cwd=repo).code == 0
    assert (repo / "notes.py").read_text() == GUARDED
    assert git(repo, "show", "tidy:notes.py") + "\n" == REWORDED


def test_the_proposer_of_the_settings_is_used(repo: Path) -> None:
    write(repo, {"scaffold.toml": '[run]\nproposer = "patches:../patches"\n'})
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "settings")
    ended = scaffold("run", "notes.py", "--goal", "x", *QUICK, cwd=repo)
    assert "by patches" in ended.told
    assert ended.code == 0


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("run", "notes.py"), "Missing option '--goal'"),
        (("run", "--goal", "x"), "Missing argument 'PATH...'"),
        (("run", "gone.py", "--goal", "x"), "There is no file or folder gone.py."),
        (("run", "notes.py", "--goal", " "), "The goal is empty."),
        (("run", "notes.py", "--goal", "x", "--with", "magic"), "There is no proposer 'magic'."),
        (("run", "notes.py", "--goal", "x", "--with", "patches:gone"), "gone"),
        (("run", "notes.py", "--goal", "x", "--steps", "0"), "Invalid value for '--steps'"),
        (("run", "notes.py", "--goal", "x", "--wall-time", "0"), "wall time must be more than nothing"),
        (("run", "../outside", "--goal", "x"), "is outside the repository"),
        (("log",), "No chain has run in this repository yet."),
        (("log", "--all"), "No chain has run in this repository yet."),
        (("verify", "--all"), "No chain has run in this repository yet."),
        (("show",), "No chain has run in this repository yet."),
        (("undo",), "No chain has run in this repository yet."),
    ],
)
def test_calls_that_make_no_sense_change_nothing(repo: Path, args: tuple[str, ...], sentence: str) -> None:
    before = entries(repo)
    ended = scaffold(*args, cwd=repo)
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.warned
    assert entries(repo) == before


def test_a_file_with_uncommitted_edits_stops_the_run_before_it_starts(repo: Path) -> None:
    write(repo, {"notes.py": REWORDED})
    ended = scaffold(*run(repo), cwd=repo)
    assert (ended.code, ended.out) == (2, "")
    assert "notes.py has uncommitted edits" in ended.warned
    assert (repo / "notes.py").read_text() == REWORDED


def test_tampering_with_the_record_is_found(repo: Path) -> None:
    scaffold(*run(repo), cwd=repo)
    name = git(repo, "for-each-ref", "--format=%(refname)", "refs/scaffold/chains")
    # Everything from the record of the accepted attempt on is cut off; the commit still names that record.
    git(repo, "update-ref", name, f"{name}~5")
    ended = scaffold("verify", cwd=repo)
    assert ended.code == 1
    assert "is not as recorded" in ended.told


def test_a_terminal_shows_a_bar_and_the_same_lines(repo: Path) -> None:
    master, slave = os.openpty()
    command = [sys.executable, "-m", "scaffold_cli", *run(repo)]
    environ = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, stderr=slave, env=environ) as process:
        assert process.stdout is not None
        out = process.stdout.read().decode()
    os.close(slave)
    drawn = os.read(master, 1_000_000).decode("utf-8", "replace")  # the terminal holds so much and no more
    os.close(master)
    assert process.returncode == 0
    assert "step 1.2  accepted" in out
    assert "\x1b[" not in out
    assert "step 1.1" in drawn
    assert "anchors" in drawn
