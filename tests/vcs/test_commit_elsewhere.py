"""Commits onto a branch that is not checked out, interrupts, and full disks."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs import commits
from scaffold_cli.vcs.commits import CommitFailedError
from scaffold_cli.vcs.interrupts import Held
from tests.support.repos import git, make_repo, write
from tests.vcs.test_commits import FILES, do, hook, state


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", FILES)


def test_a_missing_branch_is_made_and_the_users_folder_is_not_touched(repo: Path) -> None:
    write(repo, {"a.py": "dirty\n", "u": "untracked"})
    before, head = state(repo), git(repo, "rev-parse", "HEAD")
    first = do(repo, {"a.py": "two\n"}, branch="steps/x")
    assert git(repo, "rev-parse", "steps/x") == first
    assert git(repo, "rev-parse", "steps/x^") == head
    after = state(repo)
    assert {name: after[name] for name in after if name != ".git/refs/heads/steps/x"} == before
    assert git(repo, "worktree", "list").count("\n") == 0
    git(repo, "branch", "other", "steps/x")
    assert git(repo, "rev-parse", "HEAD") == head


def test_an_existing_branch_goes_on_and_its_hooks_run_there(repo: Path) -> None:
    git(repo, "branch", "side")
    hook(repo, "pre-commit", 'git symbolic-ref --short HEAD > "$(git rev-parse --git-common-dir)/../../branch"; ls sub')
    new = do(repo, {"a.py": "two\n"}, branch="side")
    assert git(repo, "rev-parse", "side") == new
    assert (repo.parent / "branch").read_text() == "side\n"
    assert (repo / "a.py").read_text() == "one\n"


def test_a_hook_that_rejects_there_leaves_no_branch_and_no_worktree(repo: Path) -> None:
    hook(repo, "pre-commit", "exit 1")
    before = state(repo)
    with pytest.raises(CommitFailedError):
        do(repo, {"a.py": "two\n"}, branch="side")
    assert state(repo) == before
    assert git(repo, "branch", "--list", "side") == ""


@pytest.mark.parametrize("name", ["-x", "a..b", "", "with space"])
def test_bad_names_are_refused(repo: Path, name: str) -> None:
    with pytest.raises(UsageError):
        do(repo, {"a.py": "two\n"}, branch=name)


def test_a_branch_checked_out_elsewhere_is_refused(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    with pytest.raises(UsageError, match="side"):
        do(repo, {"a.py": "two\n"}, branch="side")
    assert (tmp_path / "side/a.py").read_text() == "one\n"


def test_the_current_branch_by_name_is_the_ordinary_commit(repo: Path) -> None:
    do(repo, {"a.py": "two\n"}, branch="main")
    assert (repo / "a.py").read_text() == "two\n"


COMMIT_IN_A_PROCESS = """
import sys
from pathlib import Path
from tests.vcs.test_commits import do
try:
    do(Path(sys.argv[1]), {"a.py": "two\\n", "new/e.py": "e", "sub/d.py": None})
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("hook_name", ["pre-commit", "post-commit"])
def test_an_interrupt_during_a_hook_takes_everything_back(repo: Path, hook_name: str) -> None:
    hook(repo, hook_name, "touch ../started; sleep 60")
    before = state(repo)
    process = subprocess.Popen([sys.executable, "-c", COMMIT_IN_A_PROCESS, str(repo)])
    while not (repo.parent / "started").exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    assert state(repo) == before
    assert git(repo, "status", "--porcelain") == ""


class Late(Held):
    """Ctrl-C that arrives when git has just ended by itself."""

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        with super().open():
            yield
        raise KeyboardInterrupt


def test_an_interrupt_as_git_ends_is_an_interrupt(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = state(repo)
    monkeypatch.setattr(commits, "Held", Late)
    with pytest.raises(KeyboardInterrupt):
        do(repo, {"a.py": "two\n"})
    assert state(repo) == before
    assert git(repo, "status", "--porcelain") == ""


FILL_A_DISK = """
import os, sys
from pathlib import Path
from scaffold_cli.model.errors import UndecidedError
from tests.support.repos import make_repo
from tests.vcs.test_commits import do, state

disk = Path(sys.argv[1])
repo = make_repo(disk / "repo", {"a.py": "one\\n", "b.py": "b\\n"})
before, refused = state(repo), 0
for left in range(0, 400, 12):  # KiB; the disk fills up at a later and later point of the commit
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
    filler = disk / "filler"
    filler.write_bytes(bytes(max(0, free - left * 1024)))
    try:
        do(repo, {"a.py": "two\\n", "b.py": None, "new/x": os.urandom(40_000).hex(), "y": os.urandom(40_000).hex()})
    except UndecidedError as error:
        assert "room" in error.hint, error.message
        assert state(repo) == before, left
        refused += 1
    else:
        break
    finally:
        filler.unlink()
else:
    sys.exit("never committed")
assert refused > 10, refused
"""


def test_a_disk_that_fills_up_at_any_point_leaves_everything(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=2m none "$1" || exit 77; exec "$2" -c "$3" "$1"'
    command = [
        "unshare",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        script,
        "sh",
        str(disk),
        sys.executable,
        FILL_A_DISK,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip("a small disk can only be mounted where user namespaces are allowed")
    assert done.returncode == 0, done.stderr
