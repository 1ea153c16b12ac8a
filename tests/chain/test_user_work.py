"""The user's own work: untouched in other files, respected in the same ones, before and while a chain runs."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from scaffold_cli.chain.ledger import chains
from scaffold_cli.chain.verify import verify
from scaffold_cli.chain.view import view
from scaffold_cli.model.chain import StepOutcome, StopReason
from scaffold_cli.model.errors import ExitCode, UsageError
from scaffold_cli.proposers.interface import Request
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import NO_OWNER, TIDY, VAULT, Edit, Scripted, chain, outcomes, vault, version
from tests.support.repos import commit, git, make_repo
from tests.support.snapshots import snapshot


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path / "repo")


def refused(root: Path, *edits: Edit, **options: Any) -> UsageError:
    """The chain does not start: an error, no ledger, not one byte different."""
    before = snapshot(root)
    proposer = Scripted(*edits)
    with pytest.raises(UsageError) as caught:
        chain(root, proposer=proposer, **options)
    assert caught.value.exit_code is ExitCode.USAGE
    assert proposer.requests == []
    assert snapshot(root) == before
    return caught.value


def test_work_in_other_files_survives_byte_for_byte(root: Path) -> None:
    (root / "other.py").write_bytes(b"x = 3\r\n")
    git(root, "add", "other.py")
    (root / "other.py").write_bytes(b"x = 3\r\ny = 4\n")
    (root / "notes.txt").unlink()
    (root / "loose.txt").write_text("not known to git\n")
    staged = git(root, "show", ":other.py")
    result = chain(root, {"vault.py": TIDY}, steps=1)
    assert outcomes(result) == [StepOutcome.ACCEPTED]
    assert (root / "other.py").read_bytes() == b"x = 3\r\ny = 4\n"
    assert git(root, "show", ":other.py") == staged
    assert git(root, "status", "--porcelain") == "\n".join(["MM other.py", " D notes.txt", "?? loose.txt"]).replace(
        "MM other.py\n D notes.txt", " D notes.txt\nMM other.py"
    )
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "vault.py"


@pytest.mark.parametrize("staged", [False, True])
def test_work_in_the_same_file_stops_the_chain_before_it_starts(root: Path, staged: bool) -> None:
    (root / "vault.py").write_text(VAULT + "# mine\n")
    if staged:
        git(root, "add", "vault.py")
    error = refused(root, {"vault.py": TIDY})
    assert error.message.startswith("vault.py has uncommitted edits")


def test_work_below_a_folder_of_the_goal_stops_the_chain_too(root: Path) -> None:
    (root / "other.py").unlink()
    (root / "notes.txt").write_text("two\n")
    assert "notes.txt and 1 more have uncommitted edits" in refused(root, {"vault.py": TIDY}, paths=["."]).message


def test_files_git_does_not_know_may_lie_around(root: Path) -> None:
    seen = []

    def look(_request: Request, workspace: Workspace) -> None:
        seen.append(workspace.read("new.py"))
        workspace.write({"vault.py": version("vault.py", TIDY)})

    (root / "new.py").write_text("mine\n")
    result = chain(root, look, paths=["."], steps=1)
    assert outcomes(result) == [StepOutcome.ACCEPTED]
    assert seen == [None], "a candidate is made from what is committed"
    assert (root / "new.py").read_text() == "mine\n"
    assert git(root, "status", "--porcelain") == "?? new.py"


def test_a_candidate_for_an_edited_file_is_turned_away_before_the_gate(root: Path) -> None:
    (root / "other.py").write_text("x = 2  # mine\n")
    result = chain(root, {"vault.py": TIDY, "other.py": "x = 5\n"}, retries=0)
    assert outcomes(result) == [StepOutcome.CONFLICT]
    assert result.exit_code is ExitCode.USAGE
    assert result.attempts[0].verdict is None
    assert "other.py" in result.attempts[0].reason
    assert (root / "other.py").read_text() == "x = 2  # mine\n"
    assert (root / "vault.py").read_text() == VAULT


def test_a_candidate_may_not_overwrite_a_file_git_does_not_know(root: Path) -> None:
    commit(root, {".gitignore": "*.secret\n"})
    (root / "a.secret").write_text("mine\n")
    (root / "loose.txt").write_text("mine\n")
    result = chain(root, {"loose.txt": "theirs\n"}, retries=0)
    assert outcomes(result) == [StepOutcome.CONFLICT]
    assert (root / "loose.txt").read_text() == "mine\n"
    assert (root / "a.secret").read_text() == "mine\n"


def test_an_edit_made_while_the_chain_runs_ends_it(root: Path) -> None:
    """The gate has accepted by then; the commit is what refuses."""

    def edit_meanwhile(_request: Request, workspace: Workspace) -> None:
        workspace.write({"vault.py": version("vault.py", TIDY)})
        (root / "vault.py").write_text(VAULT + "# typed while the chain ran\n")

    result = chain(root, edit_meanwhile, retries=0)
    assert outcomes(result) == [StepOutcome.CONFLICT]
    assert result.exit_code is ExitCode.USAGE
    assert (root / "vault.py").read_text() == VAULT + "# typed while the chain ran\n"
    assert git(root, "rev-list", "--count", "HEAD") == "1"


def test_a_commit_made_while_the_chain_runs_ends_it(root: Path) -> None:
    def commit_meanwhile(_request: Request, workspace: Workspace) -> None:
        workspace.write({"vault.py": version("vault.py", TIDY)})
        commit(root, {"other.py": "x = 9\n"}, "Mine")

    result = chain(root, commit_meanwhile)
    assert result.reason is StopReason.CONFLICT
    assert result.exit_code is ExitCode.USAGE
    assert "moved while the chain was running" in result.message
    assert outcomes(result) == [StepOutcome.CONFLICT]
    assert git(root, "log", "-1", "--format=%s") == "Mine"
    assert (root / "vault.py").read_text() == VAULT
    told = view(Repository.discover(root), result.start.chain)
    assert (told.reason, told.attempts[0].outcome) == (StopReason.CONFLICT, StepOutcome.CONFLICT)
    assert verify(Repository.discover(root), result.start.chain).ok


def test_another_branch_checked_out_while_the_chain_runs_ends_it(root: Path) -> None:
    def switch_meanwhile(_request: Request, workspace: Workspace) -> None:
        workspace.write({"vault.py": version("vault.py", TIDY)})
        git(root, "checkout", "-q", "-b", "mine")

    result = chain(root, switch_meanwhile)
    assert (result.reason, result.exit_code) == (StopReason.CONFLICT, ExitCode.USAGE)
    assert "The branch main is no longer checked out" in result.message
    assert git(root, "rev-parse", "mine") == git(root, "rev-parse", "main") == result.start.baseline


def hook(root: Path, name: str, script: str) -> None:
    path = root / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_a_hook_that_rejects_our_commit_leaves_everything_as_it_was(root: Path) -> None:
    (root / "other.py").write_text("x = 2  # mine\n")
    hook(root, "pre-commit", "echo 'no commits on Fridays' >&2; exit 1")
    index = git(root, "ls-files", "--stage")
    result = chain(root, {"vault.py": TIDY})
    assert result.reason is StopReason.ERROR
    assert result.exit_code is not ExitCode.ACCEPTED
    assert "no commits on Fridays" in result.message
    assert (root / "vault.py").read_text() == VAULT
    assert (root / "other.py").read_text() == "x = 2  # mine\n"
    assert git(root, "ls-files", "--stage") == index
    assert git(root, "rev-list", "--count", "HEAD") == "1"
    assert verify(Repository.discover(root), result.start.chain).ok


def test_a_ledger_that_cannot_be_written_is_never_passed_over(root: Path) -> None:
    """The commit is made by then, so the person is told which one it is."""
    hook(root, "post-commit", 'for ref in .git/refs/scaffold/chains/*; do touch "$ref.lock"; done')
    result = chain(root, {"vault.py": TIDY})
    head = git(root, "rev-parse", "HEAD")
    assert (result.reason, result.exit_code) == (StopReason.ERROR, ExitCode.UNDECIDED)
    assert f"Step 1 was committed as {head}, but the ledger could not be written" in result.message
    assert "The end could not be recorded" in result.message
    assert git(root, "status", "--porcelain") == ""


def test_hooks_run_unless_the_person_says_otherwise(root: Path) -> None:
    hook(root, "pre-commit", "exit 1")
    result = chain(root, {"vault.py": TIDY}, steps=1, verify=False)
    assert outcomes(result) == [StepOutcome.ACCEPTED]


def test_without_a_commit_there_is_nothing_to_go_back_to(tmp_path: Path) -> None:
    root = make_repo(tmp_path / "repo", {})
    (root / "vault.py").write_text(VAULT)
    assert "no commit yet" in refused(root, {"vault.py": TIDY}).message


def test_a_detached_head_is_refused_unless_a_branch_is_named(root: Path) -> None:
    git(root, "checkout", "-q", "--detach")
    assert "HEAD is detached" in refused(root, {"vault.py": TIDY}).message
    result = chain(root, {"vault.py": TIDY}, branch="refined", steps=1)
    assert outcomes(result) == [StepOutcome.ACCEPTED]
    assert git(root, "show", "refined:vault.py") == TIDY.rstrip("\n")


def test_a_merge_in_progress_is_refused(root: Path) -> None:
    git(root, "checkout", "-q", "-b", "side")
    commit(root, {"other.py": "x = 2\n"})
    git(root, "checkout", "-q", "main")
    commit(root, {"other.py": "x = 3\n"})
    with pytest.raises(AssertionError):
        git(root, "merge", "side")
    assert "A merge is in progress" in refused(root, {"vault.py": TIDY}).message


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"paths": ["nowhere.py"]}, "There is no file or folder nowhere.py"),
        ({"paths": []}, "No path is given"),
        ({"goal": "  "}, "The goal is empty"),
        ({"steps": 0}, "at least one step"),
        ({"retries": -1}, "cannot be negative"),
        ({"wall_time": float("nan")}, "must be more than nothing"),
        ({"branch": "not a name"}, "no name for a branch"),
        ({"overrides": {"run.stepz": 3}}, "run.steps"),
    ],
)
def test_a_call_that_makes_no_sense_is_refused(root: Path, options: dict[str, object], said: str) -> None:
    error = refused(root, {"vault.py": TIDY}, **options)
    assert said in f"{error.message} {error.hint}"


def test_a_path_that_is_not_committed_is_refused(root: Path) -> None:
    (root / "ignored.py").write_text("mine\n")
    (root / ".git/info/exclude").write_text("ignored.py\n")
    assert "holds no committed file" in refused(root, {}, paths=["ignored.py"]).message


def test_another_branch_receives_the_commits_and_the_checkout_stays(root: Path) -> None:
    (root / "vault.py").write_text(VAULT + "# mine\n")
    before = {path: state for path, state in snapshot(root).items() if not path.startswith(".git")}
    index = (root / ".git/index").read_bytes()
    first = chain(root, {"vault.py": NO_OWNER}, {"vault.py": TIDY}, branch="refined", steps=1)
    assert outcomes(first) == [StepOutcome.REJECTED, StepOutcome.ACCEPTED]
    assert git(root, "show", "refined:vault.py") == TIDY.rstrip("\n")
    assert git(root, "rev-list", "--count", "main") == "1"
    second = chain(root, {"other.py": "x = 7\n"}, branch="refined", steps=1)
    assert outcomes(second) == [StepOutcome.ACCEPTED]
    assert git(root, "rev-list", "--count", "refined") == "3"
    assert {path: state for path, state in snapshot(root).items() if not path.startswith(".git")} == before
    assert (root / ".git/index").read_bytes() == index
    repo = Repository.discover(root)
    assert [verify(repo, name).ok for name in chains(repo)] == [True, True]


def test_a_chain_runs_in_a_linked_worktree(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    before = {path: state for path, state in snapshot(root).items() if not path.startswith(".git")}
    result = chain(tmp_path / "side", {"vault.py": NO_OWNER}, {"vault.py": TIDY}, steps=1)
    assert outcomes(result) == [StepOutcome.REJECTED, StepOutcome.ACCEPTED]
    assert (tmp_path / "side" / "vault.py").read_text() == TIDY
    assert git(root, "rev-parse", "side") == result.head
    assert git(root, "rev-parse", "main") == result.start.baseline
    assert {path: state for path, state in snapshot(root).items() if not path.startswith(".git")} == before
    assert verify(Repository.discover(root), result.start.chain).ok, "worktrees share their ledgers"
