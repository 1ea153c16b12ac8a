"""Reports 1 to 4: a scan is held against a baseline that moved, was renamed, or is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.situations.support import LOOK, check, fails
from tests.support.repos import commit, git, make_repo

WEAK = """\
import subprocess


def archive(name, target):
    command = "tar -cf " + target + " " + name
    return subprocess.call(command, shell=True)
"""
SHELL = "py-shell-dynamic-command"


def test_1_renaming_a_file_out_of_an_ignore_file_is_looked_at(tmp_path: Path) -> None:
    """semgrep/semgrep#6621. A pure rename brings nothing new, but the new name is scanned, ignore files or not."""
    repo = make_repo(tmp_path / "repo", {"before.py": WEAK, ".semgrepignore": "before.py\n"})
    git(repo, "mv", "before.py", "after.py")
    commit(repo, {})
    renamed = check(repo, "--base", "HEAD~1", *LOOK)
    assert renamed.code == 0
    assert (renamed.facts("sast")["findings before"], renamed.facts("sast")["findings after"]) == (1, 1)


def test_1_renaming_it_does_not_cover_a_weak_call_that_is_added(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"before.py": WEAK, ".semgrepignore": "*.py\n"})
    more = WEAK + '\n\ndef remove(name):\n    return subprocess.call("rm " + name, shell=True)\n'
    commit(repo, {"before.py": None, "after.py": more})
    judged = check(repo, "--base", "HEAD~1", *LOOK)
    assert (judged.code, judged.blocking) == (1, {(SHELL, "after.py")})


def test_1_a_copy_out_of_the_ignored_pattern_is_a_new_file(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"before.py": WEAK, ".semgrepignore": "before.py\n"})
    commit(repo, {"after.py": WEAK})
    judged = check(repo, "--base", "HEAD~1", *LOOK)
    assert (judged.code, judged.blocking) == (1, {(SHELL, "after.py")})


def test_2_renaming_a_file_while_tidying_up_keeps_its_old_findings_old(tmp_path: Path) -> None:
    """semgrep/semgrep-action#406: renamed along with a one-line edit."""
    repo = make_repo(tmp_path / "repo", {"old.py": WEAK, "other.py": "LIMIT = 1\n"})
    commit(repo, {"old.py": None, "new/name.py": WEAK.replace("tar -cf", "tar -czf")})
    judged = check(repo, "--base", "HEAD~1", *LOOK)
    assert (judged.code, judged.document["files"]) == (0, 1)
    assert judged.facts("sast")["findings before"] == 1


def test_2_renaming_a_file_and_rewriting_most_of_it(tmp_path: Path) -> None:
    """60 % of the text changed: still the same file, so its one weak call is no news."""
    before = WEAK + "".join(f"\n\ndef part_{number}():\n    return {number}\n" for number in range(8))
    after = WEAK + "".join(f"\n\nclass Piece{number}:\n    value = 'x{number}'\n" for number in range(8))
    repo = make_repo(tmp_path / "repo", {"old.py": before})
    commit(repo, {"old.py": None, "new.py": after})
    judged = check(repo, "--base", "HEAD~1", "--layers", "sast")
    assert (judged.code, judged.document["files"]) == (0, 1)


def test_2_two_files_that_swap_names_are_compared_with_their_old_selves(tmp_path: Path) -> None:
    # Git takes no file below 400 bytes apart, so these are longer.
    weak = WEAK + "".join(f"\n\ndef name_{number}(text):\n    return text[{number}:]\n" for number in range(9))
    plain = "".join(f"def part_{number}():\n    return {number}\n\n\n" for number in range(16))
    repo = make_repo(tmp_path / "repo", {"a.py": weak, "b.py": plain})
    commit(repo, {"a.py": plain, "b.py": weak})
    swapped = check(repo, "--base", "HEAD~1", *LOOK)
    assert (swapped.code, swapped.facts("budget")["changed lines"]) == (0, 0)
    commit(repo, {"a.py": weak, "b.py": plain + "import os\n\n\ndef remove(name):\n    os.system('rm ' + name)\n"})
    judged = check(repo, "--base", "HEAD~1", *LOOK)
    assert judged.code == 1
    assert {path for _, path in judged.blocking} == {"b.py"}


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """A repository with a branch `topic` that left `main` two commits ago."""
    repo = make_repo(tmp_path / "upstream", {"a.py": "LIMIT = 1\n"})
    commit(repo, {"a.py": "LIMIT = 2\n"})
    git(repo, "checkout", "-q", "-b", "topic")
    commit(repo, {"b.py": "SIZE = 1\n"})
    commit(repo, {"b.py": "SIZE = 2\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"a.py": "LIMIT = 3\n"})
    return repo


def test_3_a_pipeline_without_a_merge_base_says_how_to_fetch_it(tmp_path: Path, upstream: Path) -> None:
    """semgrep/semgrep#3730: cloned with depth 1, the base fetched with depth 1."""
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=topic", upstream.as_uri(), "clone")
    clone = tmp_path / "clone"
    git(clone, "fetch", "-q", "--depth=1", "origin", "main:refs/remotes/origin/main")
    ended = fails(clone, "check", "--base", "origin/main")
    assert ended.code == 3
    assert "no common ancestor" in ended.err
    assert "shallow" in ended.err
    assert git(upstream, "rev-parse", "topic~1") in ended.err or git(upstream, "rev-parse", "main~1") in ended.err
    follow(clone, ended.err)
    assert check(clone, "--base", "origin/main", *LOOK).code == 0


def test_4_a_base_commit_that_a_shallow_checkout_lacks_is_named(tmp_path: Path, upstream: Path) -> None:
    """xFreed0m/ghosttype PR #15: the event's base commit in a checkout of depth 1."""
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=topic", upstream.as_uri(), "clone")
    clone = tmp_path / "clone"
    parent = git(upstream, "rev-parse", "topic~1")
    out = tmp_path / "out.sarif"
    ended = fails(clone, "check", "--base", parent, "--format", "sarif", "--output", out)
    assert ended.code == 3
    assert f"The commit {parent} is missing" in ended.err
    assert not out.exists()
    follow(clone, ended.err)
    assert check(clone, "--base", parent, *LOOK).code == 0


def follow(clone: Path, told: str) -> None:
    """Do what the hint says."""
    command = told.split("hint:")[1].split("`")[1].split()
    assert command[:2] == ["git", "fetch"]
    git(clone, *command[1:])
