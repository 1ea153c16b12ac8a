"""The example keeps its promises: what the demo shows is so."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scaffold_cli.chain.view import view
from scaffold_cli.model.chain import StepOutcome
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.verdict import LayerName, LayerStatus
from scaffold_cli.proposers.table import proposer
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import chain, outcomes
from tests.support.repos import commit, git, make_repo

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WITHOUT_TESTS = (LayerName.SAST, LayerName.BUDGET, LayerName.ANCHORS)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = make_repo(tmp_path / "notes", {})
    shutil.copytree(EXAMPLES / "notes_app", root, dirs_exist_ok=True)
    commit(root, {})
    return root


def test_the_built_in_proposer_repairs_it_step_by_step(notes: Path, tmp_path: Path) -> None:
    rules = proposer("rules", folder=notes, cache=tmp_path / "cache")
    result = chain(notes, paths=["notes"], proposer=rules, layers=WITHOUT_TESTS, steps=2)
    assert result.exit_code is ExitCode.ACCEPTED
    assert len(result.accepted) == 2


def test_the_recorded_edits_end_as_their_readme_says(notes: Path) -> None:
    recorded = proposer("patches:patches", folder=EXAMPLES)
    result = chain(notes, paths=["notes"], proposer=recorded, layers=WITHOUT_TESTS)
    _, accepted, _, nothing = result.attempts
    assert outcomes(result) == [
        StepOutcome.REJECTED,
        StepOutcome.ACCEPTED,
        StepOutcome.REJECTED,
        StepOutcome.NO_CHANGE,
    ]
    assert result.exit_code is ExitCode.REJECTED
    recorded_attempts = view(Repository.discover(notes), result.start.chain).attempts
    for attempt in (recorded_attempts[0], recorded_attempts[2]):
        assert attempt.verdict is not None
        statuses = {layer.layer: layer.status for layer in attempt.verdict.layers}
        assert statuses[LayerName.ANCHORS] is LayerStatus.FAIL
        assert statuses[LayerName.SAST] is LayerStatus.PASS, "a scanner has nothing to say"
    assert (accepted.step, nothing.step) == (1, 2)


def test_all_its_tests_stay_green_with_every_recorded_edit(notes: Path) -> None:
    for patch in sorted((EXAMPLES / "patches").glob("*.patch")):
        git(notes, "apply", "--3way", str(patch))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=notes, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
