"""Undo takes back one step's files by a new commit, and refuses where that would lose anything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from scaffold_cli.chain.ledger import find_chain
from scaffold_cli.chain.undo import undo
from scaffold_cli.chain.verify import verify
from scaffold_cli.chain.view import view
from scaffold_cli.model.errors import ExitCode, UsageError
from scaffold_cli.vcs.commits import CommitFailedError
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import NO_OWNER, TIDIER, TIDY, VAULT, chain, ran_once
from tests.support.repos import commit, git
from tests.support.snapshots import snapshot


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain with two accepted steps in different files: vault.py, then other.py and a new file."""
    with ran_once(tmp_path_factory) as root:
        second = {"other.py": "x = 2\n", "new.py": "y = 1\n"}
        chain(root, {"vault.py": NO_OWNER}, {"vault.py": TIDY}, second, paths=["."], steps=2)
    return root


@pytest.fixture
def repo(ran: Path, tmp_path: Path) -> Repository:
    """A copy of it to undo steps in."""
    shutil.copytree(ran, tmp_path / "repo", symlinks=True)
    git(tmp_path / "repo", "update-index", "-q", "--refresh")
    return Repository.discover(tmp_path / "repo")


def refusal(repo: Repository, spec: str | None) -> str:
    """Undo refuses: exit 2, and not one byte differs."""
    before = snapshot(repo.root)
    with pytest.raises(UsageError) as caught:
        undo(repo, spec)
    assert caught.value.exit_code is ExitCode.USAGE
    assert snapshot(repo.root) == before
    return caught.value.message


def test_the_latest_step_is_taken_back_by_a_new_commit(repo: Repository) -> None:
    attempt, oid = undo(repo)
    assert attempt.step == 2
    assert git(repo.root, "rev-parse", "HEAD") == oid
    assert git(repo.root, "rev-list", "--count", "HEAD") == "4"
    assert (repo.root / "other.py").read_text() == "x = 1\n"
    assert not (repo.root / "new.py").exists()
    assert (repo.root / "vault.py").read_text() == TIDY
    assert git(repo.root, "status", "--porcelain") == ""
    assert f"Scaffold-Undoes: {attempt.commit}" in git(repo.root, "log", "-1", "--format=%B")
    told = view(repo, find_chain(repo))
    assert [(undone.step, undone.commit) for undone in told.undone] == [(2, oid)]
    assert verify(repo, told.chain).ok


def test_steps_are_taken_back_one_after_the_other(repo: Repository) -> None:
    assert [undo(repo)[0].step, undo(repo)[0].step] == [2, 1]
    assert (repo.root / "vault.py").read_text() == VAULT
    assert "no accepted step left" in refusal(repo, None)


def test_an_earlier_step_may_go_first_when_the_files_are_its_own(repo: Repository) -> None:
    assert undo(repo, "1")[0].step == 1
    assert (repo.root / "vault.py").read_text() == VAULT
    assert (repo.root / "other.py").read_text() == "x = 2\n"


def test_work_in_other_files_survives(repo: Repository) -> None:
    (repo.root / "vault.py").write_text(TIDY + "# mine\n")
    git(repo.root, "add", "vault.py")
    (repo.root / "notes.txt").write_text("mine too\n")
    (repo.root / "loose.txt").write_text("not known to git\n")
    undo(repo, "2")
    assert (repo.root / "vault.py").read_text() == TIDY + "# mine\n"
    assert (repo.root / "notes.txt").read_text() == "mine too\n"
    assert git(repo.root, "status", "--porcelain") == "M  vault.py\n M notes.txt\n?? loose.txt".replace(
        "M  vault.py\n M notes.txt", " M notes.txt\nM  vault.py"
    )


def test_uncommitted_edits_in_its_files_are_not_lost(repo: Repository) -> None:
    (repo.root / "vault.py").write_text(TIDY + "# mine\n")
    assert refusal(repo, "1").startswith("vault.py has uncommitted edits")


def test_a_file_changed_again_is_not_taken_back(repo: Repository) -> None:
    commit(repo.root, {"vault.py": TIDIER})
    assert refusal(repo, "1").startswith("vault.py was changed again after step 1")


def test_a_file_that_came_back_by_hand_is_not_overwritten(repo: Repository) -> None:
    commit(repo.root, {"new.py": None})
    assert refusal(repo, "2").startswith("new.py was changed again")


def test_a_step_is_undone_once(repo: Repository) -> None:
    undo(repo, "2")
    assert "was already undone by commit" in refusal(repo, "2")


def test_a_rejected_attempt_has_nothing_to_undo(repo: Repository) -> None:
    assert "was not accepted (rejected)" in refusal(repo, "1.1")


def test_a_step_of_another_branch_is_refused(repo: Repository) -> None:
    git(repo.root, "checkout", "-q", "-b", "elsewhere", "HEAD~2")
    assert "is not part of the current branch" in refusal(repo, "1")


def test_a_detached_head_is_refused(repo: Repository) -> None:
    git(repo.root, "checkout", "-q", "--detach")
    assert "HEAD is detached" in refusal(repo, "2")


def test_a_merge_in_progress_is_refused(repo: Repository) -> None:
    git(repo.root, "checkout", "-q", "-b", "side")
    commit(repo.root, {"notes.txt": "side\n"})
    git(repo.root, "checkout", "-q", "main")
    commit(repo.root, {"notes.txt": "main\n"})
    with pytest.raises(AssertionError):
        git(repo.root, "merge", "side")
    assert "A merge is in progress" in refusal(repo, "2")


def test_a_commit_that_is_gone_is_said_so(repo: Repository) -> None:
    git(repo.root, "reset", "-q", "--hard", "HEAD~2")
    git(repo.root, "reflog", "expire", "--expire=now", "--all")
    git(repo.root, "gc", "-q", "--prune=now")
    assert "is gone from the repository" in refusal(repo, "1")


def test_an_unknown_chain_or_step_is_said_so(repo: Repository) -> None:
    assert "There is no chain" in refusal(repo, "19990101-000000-aaaaaa/1")
    assert "has no step 7" in refusal(repo, "7")


def test_a_hook_that_refuses_leaves_everything_as_it_was(repo: Repository) -> None:
    hook = repo.git_dir / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    head = git(repo.root, "rev-parse", "HEAD")
    with pytest.raises(CommitFailedError):
        undo(repo, "2")
    assert git(repo.root, "rev-parse", "HEAD") == head
    assert git(repo.root, "status", "--porcelain") == ""
    assert view(repo, find_chain(repo)).undone == ()
