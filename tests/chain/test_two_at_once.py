"""One chain at a time in a work tree, its left-overs, the clock, and the user who edits at the last moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from scaffold_cli import clock, owned
from scaffold_cli.chain.ledger import chains, find_chain
from scaffold_cli.chain.resume import CutOffError, resume
from scaffold_cli.chain.undo import undo
from scaffold_cli.chain.verify import verify
from scaffold_cli.chain.view import view
from scaffold_cli.model.chain import StepOutcome, StopReason
from scaffold_cli.model.errors import ExitCode, UndecidedError
from scaffold_cli.vcs import renaming
from scaffold_cli.vcs.lock import LockedError, holder, work_tree_lock
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import TIDIER, TIDY, VAULT, chain, outcomes, vault
from tests.cli.program import scaffold
from tests.support.repos import commit, git
from tests.support.snapshots import snapshot


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path / "repo")


def test_a_second_chain_is_told_who_is_at_work_and_touches_nothing(root: Path, tmp_path: Path) -> None:
    repo = Repository.discover(root)
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    with work_tree_lock(repo, "run"):
        before = snapshot(root)
        for words in (("run", "vault.py", "--goal", "tidy", "--no-memory"), ("resume",)):
            refused = scaffold(*words, cwd=root)
            assert refused.code == 2
            assert f"process {os.getpid()}" in refused.err
            assert f"kill {os.getpid()}" in refused.err
        assert snapshot(root) == before
        beside = chain(tmp_path / "side", {"vault.py": TIDY}, steps=1)
        assert outcomes(beside) == [StepOutcome.ACCEPTED], "a linked worktree has a lock of its own"
        assert outcomes(chain(root, {"vault.py": TIDY}, steps=1, dry_run=True)) == [StepOutcome.ACCEPTED]
    assert outcomes(chain(root, {"vault.py": TIDY}, steps=1)) == [StepOutcome.ACCEPTED]
    assert holder(repo) is None


def test_undo_waits_for_no_one(root: Path) -> None:
    chain(root, {"vault.py": TIDY}, steps=1)
    repo = Repository.discover(root)
    with work_tree_lock(repo, "run"), pytest.raises(LockedError, match="scaffold run"):
        undo(repo)
    assert (root / "vault.py").read_text() == TIDY


def test_the_lock_of_a_killed_process_is_taken_over_and_its_chain_is_closed(root: Path, tmp_path: Path) -> None:
    started = tmp_path / "started"
    slow = f'command:sh -c "touch {started}; sleep 60"'
    process = subprocess.Popen(
        [sys.executable, "-m", "scaffold_cli", "run", "vault.py", "--goal", "tidy", "--with", slow],
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "SCAFFOLD_ISOLATION": "", "TMPDIR": str(tmp_path)},
    )
    repo = Repository.discover(root)
    while not chains(repo):
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    left = holder(repo)
    assert left is not None
    assert left.killed
    assert (left.owner.pid, left.command) == (process.pid, "run")
    assert owned.abandoned([tmp_path])
    result = chain(root, {"vault.py": TIDY}, steps=1)
    assert outcomes(result) == [StepOutcome.ACCEPTED]
    old, new = chains(repo)
    assert new == result.start.chain
    told = view(repo, old)
    assert (told.reason, told.exit_code) == (StopReason.INTERRUPTED, ExitCode.INTERRUPTED)
    assert verify(repo, old).ok
    assert resume(repo).nothing


def test_a_folder_of_a_process_with_the_same_number_is_not_taken_for_ours(tmp_path: Path) -> None:
    me = owned.me()
    mine = owned.new_folder(tmp_path)
    gone = tmp_path / f"scaffold-{me.space}-{me.pid}-{me.started - 1}-x"
    elsewhere = tmp_path / f"scaffold-00000000-{me.pid}-{me.started - 1}-x"
    other = tmp_path / "scaffold-notes"
    for folder in (gone, elsewhere, other):
        folder.mkdir()
    assert owned.abandoned([tmp_path]) == [gone]
    assert mine.is_dir()


def test_half_a_step_is_built_on_by_nobody(root: Path) -> None:
    repo = Repository.discover(root)
    repo.step_dir.mkdir(parents=True)
    for dry in (False, True):
        with pytest.raises(CutOffError):
            chain(root, {"vault.py": TIDY}, dry_run=dry)
    assert "scaffold resume" in scaffold("check", "--layers", "budget", cwd=root).err
    assert "nothing of it had been written" in scaffold("resume", cwd=root).out
    assert scaffold("check", "--layers", "budget", cwd=root).err == ""


def test_a_lock_that_another_git_holds_is_left_to_it(root: Path) -> None:
    (root / ".git/index.lock").write_text("somebody's")
    result = chain(root, {"vault.py": TIDY}, steps=1)
    assert (result.reason, result.exit_code) == (StopReason.CONFLICT, ExitCode.USAGE)
    assert "Another git program" in result.message
    assert (root / ".git/index.lock").read_text() == "somebody's"
    assert (root / "vault.py").read_text() == VAULT
    assert resume(Repository.discover(root)).nothing


def test_a_clock_that_goes_back_does_not_mix_up_chains(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = chain(root, {"vault.py": TIDY}, steps=1)
    monkeypatch.setattr(clock, "now", lambda: datetime(2001, 1, 1, tzinfo=UTC))
    second = chain(root, {"vault.py": TIDIER}, steps=1)
    repo = Repository.discover(root)
    assert chains(repo) == (first.start.chain, second.start.chain)
    assert find_chain(repo) == second.start.chain
    _, commit_id = undo(repo)
    assert git(root, "rev-parse", "HEAD") == commit_id
    assert (root / "vault.py").read_text() == TIDY
    assert all(verify(repo, name).ok for name in chains(repo))


@pytest.mark.parametrize("save", ["in place", "by rename"])
def test_an_edit_between_the_verdict_and_the_write_wins(root: Path, save: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After git itself found the file clean: the edit stays, and the message names the three versions."""
    mine = VAULT + "# typed in the last moment\n"
    real = renaming.exchange

    def hurried(staged: Path, place: Path) -> bool:
        if save == "in place":
            place.write_text(mine)
        else:
            (root / "vault.py~").write_text(mine)
            (root / "vault.py~").rename(place)
        return real(staged, place)

    monkeypatch.setattr("scaffold_cli.vcs.writing.exchange", hurried)
    result = chain(root, {"vault.py": TIDY}, steps=1)
    assert (result.reason, result.exit_code) == (StopReason.CONFLICT, ExitCode.USAGE)
    assert outcomes(result) == [StepOutcome.CONFLICT]
    assert (root / "vault.py").read_text() == mine
    assert git(root, "status", "--porcelain") == " M vault.py"
    assert git(root, "rev-parse", "HEAD") == result.start.baseline
    shown = result.message.split("`")[1::2]
    assert [git(root, *words.split()[1:]) + "\n" for words in shown] == [VAULT, TIDY]
    assert str(root / "vault.py") in result.message
    assert resume(Repository.discover(root)).nothing


def test_a_commit_past_the_hooks_says_so(root: Path) -> None:
    hook = root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    refused = chain(root, {"vault.py": TIDY}, steps=1)
    assert refused.exit_code is ExitCode.UNDECIDED
    result = chain(root, {"vault.py": TIDY}, steps=1, verify=False)
    repo = Repository.discover(root)
    assert not view(repo, result.start.chain).start.hooks
    assert "Scaffold-Hooks: skipped by --no-verify" in git(root, "log", "-1", "--format=%B")
    with pytest.raises(UndecidedError):
        undo(repo)
    undo(repo, verify=False)
    assert "Scaffold-Hooks: skipped by --no-verify" in git(root, "log", "-1", "--format=%B")
    assert verify(repo, result.start.chain).ok


READ_ONLY = """
mount --bind "$1/.git" "$1/.git" && mount -o remount,ro,bind "$1/.git" || exit 77
cd "$1" || exit 77
"$2" -m scaffold_cli run vault.py --goal tidy --layers budget; echo "run $?"
"$2" -m scaffold_cli check --layers budget; echo "check $?"
"""


def test_a_repository_that_cannot_be_written_is_said_to_be_that(root: Path) -> None:
    commit(root, {"vault.py": VAULT + "# more\n"})
    (root / "vault.py").write_text(VAULT)
    git(root, "commit", "-qam", "Back")
    before = snapshot(root)
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", READ_ONLY, "sh", str(root), sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip("a read-only mount can only be made where user namespaces are allowed")
    assert "run 3\n" in done.stdout, done.stdout + done.stderr
    assert "check 0\n" in done.stdout
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert snapshot(root) == before


_STEPS = """\
import pathlib, sys, time
path = pathlib.Path("vault.py")
text = path.read_text()
for old, new in (("file:", "stream:"), ("file.read", "stream.read")):
    text = text.replace(old, new)
time.sleep(float(sys.argv[1]))
path.write_text(text)
"""


def test_two_chains_in_linked_worktrees_run_beside_each_other_and_do_not_meet(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    program = tmp_path / "steps.py"
    program.write_text(_STEPS)
    words = ("run", "vault.py", "--goal", "tidy", "--no-memory", "--steps", "1", "--with",
             f"command:{sys.executable} {program} 1")  # fmt: skip
    places = (root, tmp_path / "side")
    with ThreadPoolExecutor(len(places)) as pool:
        ended = list(pool.map(lambda place: scaffold(*words, cwd=place), places))
    for place, one in zip(places, ended, strict=True):
        assert one.code == 0, one
        assert (place / "vault.py").read_text() == TIDY
        assert git(place, "status", "--porcelain") == ""
        assert git(place, "rev-list", "--count", "HEAD").strip() == "2"
    repo = Repository.discover(root)
    names = chains(repo)
    assert len(names) == 2
    assert all(verify(repo, name).ok for name in names)
