"""Where the words of a check go, waivers, and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.program import entries, scaffold
from tests.cli.samples import GUARDED, REWORDED, UNGUARDED
from tests.support.processes import running
from tests.support.repos import git, make_repo, write

QUICK = ("--layers", "budget,anchors")


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A repository whose working tree lost a guard."""
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED})
    return repo


def test_results_to_stdout_and_a_summary_to_stderr(bad: Path) -> None:
    text = scaffold("check", *QUICK, cwd=bad)
    assert text.out.startswith("REJECTED")
    assert text.err == ""
    document = scaffold("check", *QUICK, "--format", "json", cwd=bad)
    assert document.json["decision"] == "reject"
    assert document.err.startswith("REJECTED")
    assert len(document.err.splitlines()) == 1
    assert scaffold("check", *QUICK, "--format", "sarif", "--quiet", cwd=bad).err == ""


def test_quiet_and_verbose(bad: Path) -> None:
    assert len(scaffold("check", *QUICK, "-q", cwd=bad).out.splitlines()) == 1
    verbose = scaffold("check", *QUICK, "-v", cwd=bad).out
    assert len(verbose) >= len(scaffold("check", *QUICK, cwd=bad).out)


def test_a_file_is_written_only_when_there_is_a_verdict(bad: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.sarif"
    assert scaffold("check", "--base", "gone", "--format", "sarif", "--output", out, cwd=bad).code == 2
    assert not out.exists()
    ended = scaffold("check", *QUICK, "--format", "sarif", "--output", out, cwd=bad)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("REJECTED")
    assert json.loads(out.read_text())["version"] == "2.1.0"
    assert scaffold("check", *QUICK, "--output", tmp_path / "no" / "out", cwd=bad).code == 2


def test_a_waiver_lets_one_violation_pass_and_is_recorded(bad: Path) -> None:
    document = scaffold("check", *QUICK, "--format", "json", cwd=bad).json
    ids = [item["id"] for layer in document["layers"] for item in layer["violations"] if item["effect"] == "blocks"]
    waive = [word for name in ids for word in ("--waive", name)]
    waived = scaffold("check", *QUICK, "--format", "json", *waive, "--reason", "reviewed by hand", cwd=bad)
    assert waived.code == 0
    assert waived.json["waivers"] == [{"violation": name, "reason": "reviewed by hand"} for name in ids]
    unknown = scaffold("check", *QUICK, "--waive", "anchors-0000000000", "--reason", "x", cwd=bad)
    assert unknown.code == 2
    assert "There is no violation 'anchors-0000000000'" in unknown.err


@pytest.mark.parametrize(("after", "code"), [(UNGUARDED, 2), ("x = (\n", 2), (REWORDED, 0)])
def test_the_claude_code_dialect_blocks_with_2_and_tells_why_on_stderr(tmp_path: Path, after: str, code: int) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": after})
    ended = scaffold("check", "--layers", "anchors", "--exit-dialect", "claude-code", cwd=repo)
    assert ended.code == code
    told, silent = (ended.err, ended.out) if code else (ended.out, ended.err)
    assert told.startswith(("REJECTED", "UNDECIDED", "ACCEPTED"))
    assert silent == ""


def test_the_dialect_also_speaks_for_what_cannot_be_judged(bad: Path) -> None:
    missing = ("check", "--base", "ab" * 20, "--exit-dialect", "claude-code")
    ended = scaffold(*missing, cwd=bad)
    assert ended.code == 2
    assert ended.err.startswith("error: The commit")


def test_a_reader_that_goes_away_does_not_change_the_verdict(bad: Path) -> None:
    read, written = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "scaffold_cli", "check", *QUICK]
    done = subprocess.run(command, cwd=bad, stdout=written, stderr=subprocess.PIPE, check=False)
    os.close(written)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_configuration_from_outside_wins(bad: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "strict.toml"
    chosen.write_text('layers = ["budget"]\n[budget]\nchanged-lines = 0\neffect = "block"\n')
    ended = scaffold("check", "--config", chosen, "--format", "json", cwd=bad)
    assert ended.code == 1
    assert {layer["layer"] for layer in ended.json["layers"]} == {"budget"}
    chosen.write_text("[budget]\nchanged-line = 0\n")
    assert "'budget.changed-lines'" in scaffold("check", "--config", chosen, cwd=bad).err


def test_colour_only_when_forced_or_on_a_terminal(bad: Path) -> None:
    assert "\x1b[" not in scaffold("check", *QUICK, cwd=bad).out
    assert "\x1b[" in scaffold("check", *QUICK, cwd=bad, env={"FORCE_COLOR": "1"}).out
    assert "\x1b[" not in scaffold("check", *QUICK, "--no-color", cwd=bad, env={"FORCE_COLOR": "1"}).out


def test_a_terminal_shows_progress_and_keeps_stdout_clean(bad: Path) -> None:
    master, slave = os.openpty()
    command = [sys.executable, "-m", "scaffold_cli", "check", *QUICK, "--format", "json"]
    environ = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, cwd=bad, stdout=subprocess.PIPE, stderr=slave, env=environ) as process:
        assert process.stdout is not None
        document = json.loads(process.stdout.read())
    os.close(slave)
    os.close(master)
    assert document["decision"] == "reject"
    assert process.returncode == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_check_ends_with_130_and_leaves_nothing(bad: Path, number: signal.Signals) -> None:
    length = f"6{number.value}.25"  # its own for each signal, to be found among all processes
    slow = f"sleep {length}"
    before = entries(bad)
    command = [sys.executable, "-m", "scaffold_cli", "check", "--layers", "tests", "--test-command", slow]
    with subprocess.Popen(command, cwd=bad, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not running(f"sleep\0{length}") and process.poll() is None:
            threading.Event().wait(0.02)
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "Interrupted.\n")
    assert entries(bad) == before
    assert not running(f"sleep\0{length}")


def test_a_waiver_of_the_base_revision_covers_an_added_mark_and_one_of_the_change_does_not(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "scaffold.toml": "layers = ['sast']\n"})
    write(repo, {"a.py": "x = 1  # nosec\n"})
    first = scaffold("check", "--format", "json", cwd=repo)
    assert first.code == 1
    (mark,) = first.json["layers"][0]["violations"]
    excused = f"layers = ['sast']\nwaivers = ['{mark['id']}: agreed', 'sast-0000000000: elsewhere']\n"
    write(repo, {"scaffold.toml": excused})
    assert scaffold("check", cwd=repo).code == 1
    git(repo, "commit", "-q", "-m", "agree", "scaffold.toml")
    ended = scaffold("check", "--format", "json", cwd=repo)
    assert ended.code == 0
    assert ended.json["waivers"] == [{"violation": mark["id"], "reason": "agreed"}]
