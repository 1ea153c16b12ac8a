"""The range door: merge bases, shallow clones, missing commits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.doors.revisions import revisions
from tests.support.repos import commit, git, make_repo, write
from tests.vcs.support import LIMIT, brief, found


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """main and side part at the first commit, and both go on."""
    repo = make_repo(tmp_path / "repo", {"a.py": "one\n", "b.py": "b\n"})
    git(repo, "checkout", "-q", "-b", "side")
    commit(repo, {"a.py": "two\n"})
    commit(repo, {"c.py": "c\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"b.py": "main only\n"})
    git(repo, "checkout", "-q", "side")
    return repo


def look(folder: Path, base: str, head: str = "HEAD") -> dict[str, tuple[str | None, str | None]]:
    return brief(revisions(found(folder), base, head, max_file_bytes=LIMIT))


def test_from_the_merge_base_whatever_the_working_tree_holds(repo: Path) -> None:
    write(repo, {"a.py": "dirty\n", "u.py": "untracked\n"})
    expected = {"a.py": ("one\n", "two\n"), "c.py": (None, "c\n")}
    assert look(repo, "main") == expected
    git(repo, "tag", "-a", "-m", "t", "v1", "main")
    assert look(repo, "v1", "side") == expected
    assert look(repo, "HEAD~1") == {"c.py": (None, "c\n")}
    with revisions(found(repo), "main", max_file_bytes=LIMIT) as comparison:
        assert comparison.change.base == git(repo, "merge-base", "main", "side")
        assert comparison.change.head == git(repo, "rev-parse", "side")


@pytest.mark.parametrize("name", ["nowhere", "origin/main", "-x", "", "main..side", "--all", "a\nb", "HEAD:a.py"])
def test_unknown_revisions_are_usage_errors(repo: Path, name: str) -> None:
    with pytest.raises(UsageError, match="revision"):
        look(repo, name)
    with pytest.raises(UsageError, match="revision"):
        look(repo, "main", name)


def test_no_common_history(repo: Path) -> None:
    git(repo, "checkout", "-q", "--orphan", "other")
    commit(repo, {})
    with pytest.raises(UndecidedError, match="no common ancestor"):
        look(repo, "main")


def test_a_missing_commit_is_named(repo: Path) -> None:
    missing = "1234567890" * 4
    with pytest.raises(UndecidedError, match=missing) as failure:
        look(repo, missing)
    assert f"git fetch origin {missing}" in failure.value.hint


def shallow(repo: Path, folder: Path) -> Path:
    git(repo, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(repo.parent, "clone", "-q", "--depth=1", "--branch=side", f"file://{repo}", str(folder))
    return folder


def follow(hint: str, folder: Path) -> None:
    """Run the first command a hint names."""
    found_command = re.search(r"`git ([^`]+)`", hint)
    assert found_command
    git(folder, *found_command[1].split())


def test_a_base_beyond_a_shallow_clone(repo: Path, tmp_path: Path) -> None:
    """ghosttype PR #15: the parent's hash as the baseline of a checkout of depth 1."""
    clone = shallow(repo, tmp_path / "clone")
    parent = git(repo, "rev-parse", "side~1")
    with pytest.raises(UndecidedError, match=parent) as failure:
        look(clone, parent)
    assert "fetch-depth: 0" in failure.value.hint
    follow(failure.value.hint, clone)
    assert look(clone, parent) == {"c.py": (None, "c\n")}


def test_a_relative_base_beyond_a_shallow_clone(repo: Path, tmp_path: Path) -> None:
    clone = shallow(repo, tmp_path / "clone")
    with pytest.raises(UndecidedError, match=git(repo, "rev-parse", "side~1")) as failure:
        look(clone, "HEAD~1")
    follow(failure.value.hint, clone)
    assert look(clone, "HEAD~1") == {"c.py": (None, "c\n")}


def test_no_merge_base_in_a_shallow_clone(repo: Path, tmp_path: Path) -> None:
    """semgrep#3730: base and head are there, their common ancestor is not."""
    clone = shallow(repo, tmp_path / "clone")
    git(clone, "fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main")
    with pytest.raises(UndecidedError, match="shallow") as failure:
        look(clone, "origin/main")
    assert failure.value.exit_code == 3
    follow(failure.value.hint, clone)
    assert look(clone, "origin/main") == look(repo, "main")
