"""Ctrl-C, wherever it strikes: the tree is that of the last accepted step, and the ledger says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scaffold_cli.chain.entry import EntryKind
from scaffold_cli.chain.interrupts import uninterrupted
from scaffold_cli.chain.ledger import chains, read, reopened
from scaffold_cli.chain.verify import verify
from scaffold_cli.chain.view import ChainView, view
from scaffold_cli.model.chain import Attempt, StopReason
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.plain import Json
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.vcs import refs
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import TIDIER, TIDY, VAULT, chain, vault
from tests.support.processes import running
from tests.support.repos import commit, git

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
from pathlib import Path
from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.runner import run_chain
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.proposers.table import proposer
from scaffold_cli.vcs import refs
from scaffold_cli.vcs.repository import Repository

root = Path(sys.argv[1])
layers = tuple(LayerName(name) for name in sys.argv[3].split(","))
made = proposer(sys.argv[2], folder=root)
result = run_chain(Repository.discover(root), "tidy up", ("vault.py",), made, ChainOptions(layers=layers))
print(result.reason.value)
sys.exit(int(result.exit_code))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path / "repo")


def interrupted(root: Path, proposer: str, layers: str, started: str) -> subprocess.CompletedProcess[str]:
    """Run a chain as a program, and press Ctrl-C once a process has `started` among its words."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(root), proposer, layers],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not running(started) and process.poll() is None:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, stdout, stderr)


def test_ctrl_c_while_the_proposer_works(root: Path, tmp_path: Path) -> None:
    started = "300.0625"
    script = tmp_path / "slow.sh"
    script.write_text(f"echo broken > vault.py\nsleep {started}\n")
    done = interrupted(root, f'command:sh "{script}"', "budget,anchors", started)
    assert (done.returncode, done.stdout.strip()) == (130, "interrupted"), done.stderr
    assert (root / "vault.py").read_text() == VAULT
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "worktree", "list").count("\n") == 0
    told = only_chain(root)
    assert (told.reason, told.exit_code) == (StopReason.INTERRUPTED, ExitCode.INTERRUPTED)


def test_ctrl_c_while_the_tests_run(root: Path, tmp_path: Path) -> None:
    started = "300.125"
    commit(root, {"slow.sh": f"sleep {started}\n", "scaffold.toml": '[tests]\ncommand = "sh slow.sh"\n'})
    script = tmp_path / "edit.sh"
    script.write_text("echo '# more' >> vault.py\n")
    done = interrupted(root, f'command:sh "{script}"', ",".join(LayerName), started)
    assert (done.returncode, done.stdout.strip()) == (130, "interrupted"), done.stderr
    assert (root / "vault.py").read_text() == VAULT
    assert only_chain(root).reason is StopReason.INTERRUPTED


def test_what_was_accepted_before_stays(root: Path) -> None:
    class Impatient(Progress):
        def attempt_finished(self, attempt: Attempt) -> None:
            os.kill(os.getpid(), signal.SIGINT)

    result = chain(root, {"vault.py": TIDY}, {"vault.py": TIDIER}, progress=Impatient())
    assert (result.reason, result.exit_code) == (StopReason.INTERRUPTED, ExitCode.INTERRUPTED)
    assert (root / "vault.py").read_text() == TIDY
    assert git(root, "status", "--porcelain") == ""
    assert [attempt.commit for attempt in result.attempts] == [git(root, "rev-parse", "HEAD")]
    assert [attempt.record for attempt in only_chain(root).accepted] == [attempt.record for attempt in result.accepted]


def test_a_commit_and_its_record_are_not_cut_in_two(root: Path) -> None:
    """Ctrl-C while git commits (in a hook of the user's): the commit is made, recorded, and then the chain ends."""
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nkill -INT {os.getpid()}\n")
    hook.chmod(0o755)
    result = chain(root, {"vault.py": TIDY}, {"vault.py": TIDIER})
    assert result.reason is StopReason.INTERRUPTED
    told = only_chain(root)
    committed = [attempt.commit for attempt in told.attempts if attempt.commit]
    if committed:
        assert committed == [git(root, "rev-parse", "HEAD")]
        assert (root / "vault.py").read_text() == TIDY
    else:
        assert (root / "vault.py").read_text() == VAULT
        assert git(root, "rev-list", "--count", "HEAD") == "1"
    assert git(root, "status", "--porcelain") == ""


def press(times: int, done: list[str], number: signal.Signals = signal.SIGINT) -> None:
    with uninterrupted():
        for _ in range(times):
            os.kill(os.getpid(), number)
        done.append(f"went on after {times}")


def test_the_first_ctrl_c_waits_and_the_second_does_not() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        press(1, done)
    with pytest.raises(KeyboardInterrupt):
        press(2, done)
    assert done == ["went on after 1"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_sigterm_waits_as_ctrl_c_does_where_the_program_handles_it() -> None:
    def handler(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, handler)
    done: list[str] = []
    try:
        with pytest.raises(KeyboardInterrupt):
            press(1, done, signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)
    assert done == ["went on after 1"]


@pytest.mark.parametrize("arrived", [True, False])
def test_a_ledger_goes_on_after_an_entry_that_was_cut_off(
    root: Path, arrived: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second Ctrl-C strikes while an entry is written: before git has it, or after."""
    repo = Repository.discover(root)
    chain(root, {"vault.py": TIDY})
    (name,) = chains(repo)
    ledger = reopened(repo, name)
    known = len(read(repo, name))
    write = refs.append

    def cut_off(*args: Any, **options: Any) -> str:
        if arrived:
            write(*args, **options)
        raise KeyboardInterrupt

    body: dict[str, Json] = {"step": 1, "commit": git(root, "rev-parse", "HEAD")}
    with monkeypatch.context() as patched:
        patched.setattr(refs, "append", cut_off)
        with pytest.raises(KeyboardInterrupt):
            ledger.append(EntryKind.UNDO, body)
    ledger.append(EntryKind.UNDO, body)
    assert verify(repo, name).ok
    assert len(read(repo, name)) == known + (2 if arrived else 1)


def only_chain(root: Path) -> ChainView:
    repo = Repository.discover(root)
    (name,) = chains(repo)
    assert verify(repo, name).ok
    return view(repo, name)
