"""The hook as people install it: the real pre-commit program, our manifest, real commits."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import IDENTITY
from tests.support.repos import git

ROOT = Path(__file__).resolve().parents[2]
PRE_COMMIT = (sys.executable, "-m", "pre_commit")

GUARDED = """\
def load(name: str) -> bytes:
    if '..' in name:
        raise ValueError(name)
    with open('/srv/data/' + name, 'rb') as file:
        return file.read()
"""
BARE = GUARDED.replace("    if '..' in name:\n        raise ValueError(name)\n", "")
RENAMED = GUARDED.replace("file", "handle")

pytestmark = pytest.mark.xdist_group("pre-commit")


@pytest.fixture(scope="module")
def hook_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A repository holding this checkout as it is now, and the folder pre-commit installed it into."""
    source = tmp_path_factory.mktemp("hook") / "scaffold"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    identity = {**os.environ, **IDENTITY}
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "Release")):
        subprocess.run(["git", *arguments], cwd=source, check=True, env=identity)
    store = tmp_path_factory.mktemp("pre-commit")
    scratch = make_scratch(tmp_path_factory.mktemp("first") / "repo", source)
    # pip's settings and cache are in the user's own home, which the tests hide from everything else.
    home = pwd.getpwuid(os.getuid()).pw_dir
    subprocess.run(
        [*PRE_COMMIT, "install-hooks"],
        cwd=scratch,
        check=True,
        env={**identity, "HOME": home, "PRE_COMMIT_HOME": str(store)},
        capture_output=True,
    )
    return source, store


def make_scratch(path: Path, source: Path) -> Path:
    """A repository whose pre-commit configuration names the hook's repository."""
    revision = subprocess.run(["git", "rev-parse", "HEAD"], cwd=source, check=True, capture_output=True, text=True)
    config = f"repos:\n  - repo: {source}\n    rev: {revision.stdout.strip()}\n    hooks:\n      - id: scaffold-check\n"
    path.mkdir(parents=True)
    files = {"store.py": GUARDED, "other.py": "VALUE = 1\n", ".pre-commit-config.yaml": config}
    for name, text in files.items():
        (path / name).write_text(text)
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "Start")):
        subprocess.run(["git", *arguments], cwd=path, check=True, env={**os.environ, **IDENTITY})
    return path


@pytest.fixture
def repo(hook_home: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    source, store = hook_home
    monkeypatch.setenv("PRE_COMMIT_HOME", str(store))
    path = make_scratch(tmp_path / "repo", source)
    subprocess.run([*PRE_COMMIT, "install"], cwd=path, check=True, capture_output=True)
    return path


def attempt(repo: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "commit", *arguments], cwd=repo, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [("-a",), ("store.py",)], ids=["commit -a", "commit FILE"])
def test_a_commit_that_drops_a_check_is_refused_and_nothing_moves(repo: Path, arguments: tuple[str, ...]) -> None:
    head = git(repo, "rev-parse", "HEAD")
    (repo / "store.py").write_text(BARE)
    done = attempt(repo, "-m", "Simplify", *arguments)
    assert done.returncode != 0
    assert "'..' in name" in done.stdout + done.stderr
    assert git(repo, "rev-parse", "HEAD") == head
    assert (repo / "store.py").read_text() == BARE


@pytest.mark.parametrize("arguments", [("-a",), ("store.py",)], ids=["commit -a", "commit FILE"])
def test_an_honest_commit_passes(repo: Path, arguments: tuple[str, ...]) -> None:
    head = git(repo, "rev-parse", "HEAD")
    (repo / "store.py").write_text(RENAMED)
    done = attempt(repo, "-m", "Rename", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert git(repo, "rev-parse", "HEAD~1") == head


def test_what_is_staged_is_judged_not_what_is_in_the_tree(repo: Path) -> None:
    (repo / "store.py").write_text(BARE)
    git(repo, "add", "store.py")
    (repo / "store.py").write_text(GUARDED)
    assert attempt(repo, "-m", "Staged without the check").returncode != 0
    assert (repo / "store.py").read_text() == GUARDED

    (repo / "store.py").write_text(RENAMED)
    git(repo, "add", "store.py")
    (repo / "store.py").write_text(BARE)
    done = attempt(repo, "-m", "Staged with the check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (repo / "store.py").read_text() == BARE


def test_unstaged_work_elsewhere_survives_a_refused_commit(repo: Path) -> None:
    (repo / "other.py").write_text("VALUE = 2\n")
    (repo / "store.py").write_text(BARE)
    git(repo, "add", "store.py")
    assert attempt(repo, "-m", "Simplify").returncode != 0
    assert (repo / "other.py").read_text() == "VALUE = 2\n"
    assert git(repo, "diff", "--cached", "--name-only").strip() == "store.py"


def test_it_works_in_a_linked_worktree(repo: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", "-b", "side", str(linked))
    (linked / "store.py").write_text(BARE)
    assert attempt(linked, "-m", "Simplify", "-a").returncode != 0
    (linked / "store.py").write_text(RENAMED)
    done = attempt(linked, "-m", "Rename", "-a")
    assert done.returncode == 0, done.stdout + done.stderr
