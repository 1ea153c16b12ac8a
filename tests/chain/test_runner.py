"""What a chain does with candidates: commits, rejections, stops."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from scaffold_cli.chain.verify import verify
from scaffold_cli.chain.view import view
from scaffold_cli.model.chain import Attempt, ChainResult, ChainStart, StepOutcome, StopReason
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.progress import Progress
from scaffold_cli.model.verdict import Effect, LayerName, Waiver
from scaffold_cli.proposers.interface import Proposal, ProposalFailedError, Request
from scaffold_cli.sandbox.interface import IsolationKind, Workspace
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import (
    NO_OWNER,
    NO_PATH_CHECK,
    TIDIER,
    TIDY,
    UNPARSABLE,
    VAULT,
    Scripted,
    chain,
    outcomes,
    vault,
    version,
)
from tests.support.repos import git, make_repo
from tests.support.snapshots import snapshot

ACCEPTED, REJECTED = StepOutcome.ACCEPTED, StepOutcome.REJECTED


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path / "repo")


def ledger_holds(root: Path, result: ChainResult) -> bool:
    return verify(Repository.discover(root), result.start.chain).ok


def test_an_accepted_step_is_a_commit_with_trailers(root: Path) -> None:
    start = git(root, "rev-parse", "HEAD")
    result = chain(root, {"vault.py": TIDY})
    assert (result.reason, result.exit_code) == (StopReason.GOAL_REACHED, ExitCode.ACCEPTED)
    assert (root / "vault.py").read_text() == TIDY
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-parse", "HEAD~1") == start
    message = git(root, "log", "-1", "--format=%B")
    assert message.startswith("scaffold: edit vault.py\n\nGoal: tidy up\n\n")
    trailers = dict(
        line.split(": ", 1) for line in git(root, "log", "-1", "--format=%(trailers:only)").splitlines() if line
    )
    assert trailers["Scaffold-Chain"] == result.start.chain
    assert trailers["Scaffold-Step"] == "1"
    assert trailers["Scaffold-Verdict"] == "accept (budget pass, anchors pass)"
    assert trailers["Scaffold-Anchors"].startswith("kept ")
    assert trailers["Scaffold-Record"] == result.attempts[0].record
    assert ledger_holds(root, result)


def test_all_four_layers_judge_a_step(tmp_path: Path) -> None:
    test = "from vault import read\nimport pytest\n\n\ndef test_refuses():\n    with pytest.raises(PermissionError):\n"
    test += "        read('/', 'x', type('U', (), {'name': 'eve'}))\n"
    config = f'[tests]\ncommand = "{sys.executable} -m pytest -q"\nbaseline-runs = 1\n'
    root = make_repo(tmp_path / "repo", {"vault.py": VAULT, "test_vault.py": test, "scaffold.toml": config})
    layers = tuple(LayerName)
    result = chain(root, {"vault.py": NO_OWNER}, {"vault.py": TIDY}, layers=layers, steps=1)
    first, second = view(Repository.discover(root), result.start.chain).attempts
    assert first.verdict is not None
    assert second.verdict is not None
    assert [layer.status.value for layer in first.verdict.layers] == ["fail", "pass", "pass", "fail"]
    assert [layer.status.value for layer in second.verdict.layers] == ["pass", "pass", "pass", "pass"]
    assert "test_vault.py::test_refuses" in first.reason


def test_a_rejection_leaves_nothing_behind(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (root / "other.py").write_text("x = 2  # mine, not staged\n")
    (root / "notes.txt").write_text("one\ntwo\n")
    git(root, "add", "notes.txt")
    (root / "loose.txt").write_text("not known to git\n")
    before = {path: state for path, state in snapshot(root).items() if not path.startswith(".git/")}
    index, refs = (root / ".git/index").read_bytes(), git(root, "for-each-ref", "refs/heads", "refs/tags")
    result = chain(root, {"vault.py": NO_OWNER}, retries=0)
    assert (result.reason, result.exit_code) == (StopReason.RETRIES, ExitCode.REJECTED)
    assert {path: state for path, state in snapshot(root).items() if not path.startswith(".git/")} == before
    assert (root / ".git/index").read_bytes() == index
    assert git(root, "for-each-ref", "refs/heads", "refs/tags") == refs
    assert git(root, "worktree", "list").count("\n") == 0
    assert git(root, "stash", "list") == ""
    assert list((tmp_path / "tmp").iterdir()) == []
    assert ledger_holds(root, result)


def test_a_rejected_candidate_can_be_looked_at_later(root: Path) -> None:
    result = chain(root, {"vault.py": NO_OWNER}, retries=0)
    ref = f"refs/scaffold/chains/{result.start.chain}"
    assert git(root, "show", f"{ref}~1:tree/vault.py") == NO_OWNER.rstrip("\n")
    assert "-        raise PermissionError" in git(root, "show", f"{ref}~1:candidate.diff")


def test_the_counterexample_reaches_the_next_attempt(root: Path) -> None:
    proposer = Scripted({"vault.py": NO_OWNER}, {"vault.py": TIDY})
    result = chain(root, proposer=proposer)
    assert outcomes(result) == [REJECTED, ACCEPTED, StepOutcome.NO_CHANGE]
    assert result.exit_code is ExitCode.ACCEPTED
    first, second, third = proposer.requests
    assert (first.step, first.attempt, len(first.counterexamples)) == (1, 1, 0)
    assert (second.step, second.attempt) == (1, 2)
    assert (third.step, third.attempt, len(third.counterexamples)) == (2, 1, 0)
    told = second.counterexamples[0]
    assert "-        raise PermissionError" in told.diff
    assert told.verdict is not None
    assert any(violation.effect is Effect.BLOCKS for violation in told.verdict.violations)
    assert any("PermissionError" in anchor.protection.action for anchor in first.anchors)


def test_a_check_that_is_moved_out_and_then_emptied_is_caught(root: Path) -> None:
    # Taken down in slices: the first is a refactoring, the second empties what the check moved to.
    moved = (
        VAULT.replace(
            '    if user.name != "admin":\n        raise PermissionError("not yours")\n', "    _allow(user)\n"
        )
        + '\n\ndef _allow(user):\n    if user.name != "admin":\n        raise PermissionError("not yours")\n'
    )
    emptied = moved.replace('    if user.name != "admin":\n        raise PermissionError("not yours")\n', "    pass\n")
    result = chain(root, {"vault.py": moved}, {"vault.py": emptied}, retries=0)
    assert outcomes(result) == [ACCEPTED, REJECTED]
    assert (root / "vault.py").read_text() == moved


def test_the_baseline_counts_even_where_the_step_alone_would_pass(root: Path) -> None:
    """The person lets the loss of one check pass; the next step may not build on that permission."""
    probe = chain(root, {"vault.py": NO_OWNER}, retries=0)
    assert probe.attempts[0].verdict is not None
    ids = [item.id for item in probe.attempts[0].verdict.violations if item.effect is Effect.BLOCKS]
    waivers = tuple(Waiver(item, "the caller checks now") for item in ids)
    once = NO_OWNER.replace("as file", "as stream").replace("file.read", "stream.read")
    result = chain(root, {"vault.py": NO_OWNER}, {"vault.py": once}, retries=0, waivers=waivers)
    assert outcomes(result)[:2] == [ACCEPTED, ACCEPTED]
    second = result.attempts[1].verdict
    assert second is not None
    assert {waiver.violation for waiver in second.waivers} == set(ids), "seen again, against the baseline"
    assert "Scaffold-Waiver: " + ids[0] in git(root, "log", "-1", "--format=%B", "HEAD~1")
    assert result.unused_waivers == ()


def test_a_waiver_that_names_nothing_is_reported(root: Path) -> None:
    result = chain(root, {"vault.py": TIDY}, waivers=(Waiver("anchors-0123456789", "because"),))
    assert result.unused_waivers == ("anchors-0123456789",)


def test_the_anchors_only_grow(root: Path) -> None:
    added = VAULT.replace("    path = os", '    if "\\0" in name:\n        raise ValueError("bad name")\n    path = os')
    proposer = Scripted({"vault.py": added}, {"vault.py": VAULT}, {"vault.py": TIDY})
    result = chain(root, proposer=proposer, retries=1)
    before, after = ({anchor.id for anchor in request.anchors} for request in proposer.requests[:2])
    assert before < after
    assert outcomes(result)[0] is ACCEPTED
    assert outcomes(result)[1] is StepOutcome.REPEATED, "the baseline again"


def test_a_candidate_seen_before_is_not_judged_again(root: Path) -> None:
    result = chain(root, {"vault.py": NO_OWNER}, {"vault.py": NO_OWNER}, {"vault.py": NO_OWNER}, retries=2)
    assert outcomes(result) == [REJECTED, StepOutcome.REPEATED, StepOutcome.REPEATED]
    assert result.attempts[1].reason == "This is attempt 1 of step 1 again."
    assert (result.reason, result.exit_code) == (StopReason.REPEATED, ExitCode.REJECTED)


def test_retries_are_spent_step_by_step(root: Path) -> None:
    edits = [{"vault.py": text} for text in (NO_OWNER, TIDY, NO_PATH_CHECK, NO_OWNER + "\n")]
    result = chain(root, *edits, retries=1)
    assert outcomes(result) == [REJECTED, ACCEPTED, REJECTED, REJECTED]
    assert (result.reason, result.exit_code) == (StopReason.RETRIES, ExitCode.REJECTED)
    assert [(attempt.step, attempt.attempt) for attempt in result.attempts] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert (root / "vault.py").read_text() == TIDY


def test_a_chain_ends_after_the_steps_asked_for(root: Path) -> None:
    result = chain(root, {"vault.py": TIDY}, {"vault.py": TIDIER}, steps=1)
    assert (result.reason, result.exit_code) == (StopReason.STEPS, ExitCode.ACCEPTED)
    assert (root / "vault.py").read_text() == TIDY


def test_a_proposer_that_gives_up_after_a_rejection_ends_with_one(root: Path) -> None:
    result = chain(root, {"vault.py": NO_OWNER})
    assert (result.reason, result.exit_code) == (StopReason.GOAL_REACHED, ExitCode.REJECTED)


def test_a_proposer_that_changes_nothing_ends_the_chain(root: Path) -> None:
    result = chain(root, {})
    assert (result.reason, result.exit_code) == (StopReason.NO_CHANGE, ExitCode.ACCEPTED)
    assert git(root, "rev-list", "--count", "HEAD") == "1"


def test_an_undecided_candidate_is_not_accepted(root: Path) -> None:
    result = chain(root, {"vault.py": UNPARSABLE}, retries=0)
    assert outcomes(result) == [StepOutcome.UNDECIDED]
    assert result.exit_code is ExitCode.UNDECIDED
    assert (root / "vault.py").read_text() == VAULT


def test_a_failed_proposal_is_an_attempt_like_any_other(root: Path) -> None:
    def fail(_request: Request, workspace: Workspace) -> Proposal:
        workspace.write({"vault.py": version("vault.py", NO_OWNER)})
        raise ProposalFailedError("The program crashed.", "last words")

    result = chain(root, fail, {"vault.py": TIDY}, steps=1)
    assert outcomes(result) == [StepOutcome.FAILED, ACCEPTED]
    assert result.attempts[0].reason == "The program crashed. last words"
    assert (root / "vault.py").read_text() == TIDY


def test_the_time_of_a_chain_can_run_out(root: Path) -> None:
    result = chain(root, {"vault.py": TIDY}, wall_time=1e-9)
    assert (result.reason, result.exit_code, result.attempts) == (StopReason.WALL_TIME, ExitCode.BUDGET_SPENT, ())
    assert view(Repository.discover(root), result.start.chain).reason is StopReason.WALL_TIME


def test_a_dry_run_writes_nothing_at_all(root: Path) -> None:
    before = snapshot(root)
    result = chain(root, {"vault.py": TIDY}, {"vault.py": NO_OWNER}, retries=0, dry_run=True)
    assert outcomes(result) == [ACCEPTED, REJECTED]
    # What the gate remembers by content may be kept; files, index and refs are as they were.
    after = {path: state for path, state in snapshot(root).items() if not path.startswith(".git/scaffold")}
    assert after == before


def test_new_deleted_and_binary_files_are_committed(root: Path) -> None:
    edit = {"notes.txt": None, "folder/new.txt": "new\n", "blob.bin": b"\0\1\2"}
    result = chain(root, edit, paths=["."], steps=1)
    assert outcomes(result) == [ACCEPTED]
    names = git(root, "show", "--format=", "--name-status", "--no-renames", "HEAD")
    assert names.split() == ["A", "blob.bin", "A", "folder/new.txt", "D", "notes.txt"]
    assert (root / "blob.bin").read_bytes() == b"\0\1\2"
    assert git(root, "status", "--porcelain") == ""


def test_text_from_outside_cannot_forge_a_trailer(root: Path) -> None:
    result = chain(root, {"vault.py": TIDY}, goal="tidy\n\nScaffold-Step: 9\nSigned-off-by: eve", steps=1)
    assert outcomes(result) == [ACCEPTED]
    trailers = git(root, "log", "-1", "--format=%(trailers:only)")
    assert "eve" not in trailers
    assert "Scaffold-Step: 9" not in trailers


@pytest.mark.parametrize("kind", [IsolationKind.OVERLAY, IsolationKind.WORKTREE])
def test_every_way_of_isolating_gives_the_same_chain(root: Path, kind: IsolationKind) -> None:
    edit = {"vault.py": TIDY, "notes.txt": None, "folder/new.txt": "new\n"}
    result = chain(root, {"vault.py": NO_OWNER}, edit, steps=1, isolation=kind)
    assert outcomes(result) == [REJECTED, ACCEPTED]
    assert result.attempts[1].files == ("folder/new.txt", "notes.txt", "vault.py")
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "worktree", "list").count("\n") == 0


def test_progress_tells_what_happens(root: Path) -> None:
    events: list[str] = []

    class Told(Progress):
        def chain_started(self, start: ChainStart) -> None:
            events.append(f"start {start.proposer} {start.anchors > 0}")

        def attempt_started(self, step: int, attempt: int) -> None:
            events.append(f"attempt {step}.{attempt}")

        def candidate_ready(self, summary: str, files: int) -> None:
            events.append(f"candidate {summary} {files}")

        def attempt_finished(self, attempt: Attempt) -> None:
            events.append(f"{attempt.outcome.value} {bool(attempt.commit)}")

        def chain_finished(self, result: ChainResult) -> None:
            events.append(f"end {result.reason.value}")

    chain(root, {"vault.py": TIDY}, steps=1, progress=Told())
    assert events == ["start scripted True", "attempt 1.1", "candidate edit vault.py 1", "accepted True", "end steps"]


def test_the_ledger_tells_the_same_story(root: Path) -> None:
    result = chain(root, {"vault.py": NO_OWNER}, {"vault.py": TIDY}, steps=1)
    told = view(Repository.discover(root), result.start.chain)
    assert told.start == result.start
    verdicts = [attempt.verdict for attempt in told.attempts]
    assert [replace(attempt, verdict=None, detail="") for attempt in told.attempts] == [
        replace(attempt, verdict=None, detail="") for attempt in result.attempts
    ]
    assert all(verdict is not None and verdict.layers for verdict in verdicts), "the ledger keeps what the layers said"
    assert (told.reason, told.exit_code, told.message) == (result.reason, int(result.exit_code), result.message)
