"""Finding the repository, and what its HEAD says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.git import GitError, clean_environment, git
from scaffold_cli.vcs.repository import Repository
from tests.support.repos import git as run_git
from tests.support.repos import make_repo


def test_from_the_top_a_subfolder_a_file_and_a_missing_leaf(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"sub/a.py": "a\n"})
    (repo / "dangling").symlink_to("nowhere")
    for start in (repo, repo / "sub", repo / "sub/a.py", repo / "dangling"):
        assert Repository.discover(start) == Repository(repo, repo / ".git", repo / ".git")
    assert Repository.discover(repo).scaffold_dir == repo / ".git/scaffold"


def test_a_linked_worktree_has_its_own_head_and_shares_the_rest(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "a\n"})
    run_git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Repository.discover(tmp_path / "side")
    assert (side.root, side.git_dir, side.common_dir) == (
        tmp_path / "side",
        repo / ".git/worktrees/side",
        repo / ".git",
    )
    assert side.branch() == "side"
    assert side.head() == run_git(repo, "rev-parse", "side")


def test_unborn_and_detached(tmp_path: Path) -> None:
    folder = make_repo(tmp_path / "fresh", {})
    fresh = Repository.discover(folder)
    assert (fresh.head(), fresh.branch()) == (None, "main")
    repo = make_repo(tmp_path / "repo", {"a.py": "a\n"})
    run_git(repo, "checkout", "-q", "--detach")
    detached = Repository.discover(repo)
    assert (detached.head(), detached.branch()) == (run_git(repo, "rev-parse", "HEAD"), None)


def test_what_is_no_checkout_is_a_usage_error(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "--bare", "bare.git")
    repo = make_repo(tmp_path / "repo", {"a.py": "a\n"})
    plain = tmp_path / "plain"
    plain.mkdir()
    for start, said in (
        (tmp_path / "bare.git", "bare repository"),
        (repo / ".git", "bare repository or inside a .git folder"),
        (plain, "not inside a git repository"),
        (tmp_path / "missing", "There is no file or folder"),
    ):
        with pytest.raises(UsageError, match=said):
            Repository.discover(start)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_repository_of_another_user_is_said_to_be_that(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "a\n"})
    for place in (repo, repo / ".git"):
        os.chown(place, 65534, 65534)
    with pytest.raises(UsageError, match="another user") as failure:
        Repository.discover(repo)
    assert "safe.directory" in failure.value.hint


def test_relative_names_a_link_itself_and_refuses_the_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = make_repo(tmp_path / "repo", {"sub/a.py": "a\n"})
    (repo / "link").symlink_to(tmp_path)
    here = Repository.discover(repo)
    monkeypatch.chdir(repo / "sub")
    assert here.relative(Path("a.py")) == "sub/a.py"
    assert here.relative(Path("..")) == "."
    assert here.relative(repo / "link") == "link"
    assert here.relative(repo / "missing.py") == "missing.py"
    with pytest.raises(UsageError, match="outside"):
        here.relative(tmp_path / "x")
    with pytest.raises(UsageError, match="outside"):
        here.relative(repo / "link/x")


def test_a_failing_git_says_what_and_why(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {})
    with pytest.raises(GitError, match="git cat-file failed: fatal: Not a valid object name nothing") as failure:
        git("cat-file", "-p", "nothing", cwd=repo)
    assert isinstance(failure.value, UndecidedError)
    assert failure.value.code == 128
    assert git("cat-file", "-p", "nothing", cwd=repo, ok=(0, 128)) == b""


def test_the_clean_environment_keeps_all_but_gits_own(monkeypatch: pytest.MonkeyPatch) -> None:
    cleaned = clean_environment({"PATH": "/bin", "GIT_DIR": "x", "GIT_CONFIG_KEY_0": "x", "LC_ALL": "de_DE"})
    assert cleaned["PATH"] == "/bin"
    assert {name for name in cleaned if name.startswith("GIT_")} == {
        "GIT_OPTIONAL_LOCKS",
        "GIT_TERMINAL_PROMPT",
        "GIT_PAGER",
    }
    assert cleaned["LC_ALL"] == "C"
    monkeypatch.setenv("GIT_DIR", "x")
    assert "GIT_DIR" not in clean_environment()


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        ("fatal: unable to write loose object file: No space left on device", "Make room on the disk, then run again."),
        ("error: file write error: Disk quota exceeded", "Make room on the disk, then run again."),
        ("fatal: bad object HEAD", "Run `git fsck` if the repository may be damaged."),
    ],
)
def test_a_failure_says_what_to_do(said: str, hint: str) -> None:
    assert GitError("hash-object", 128, said).hint == hint
