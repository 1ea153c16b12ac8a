"""The guard on real projects, with their own tests: honest edits pass, a removed check does not, a chain holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.edits import remove_guard, rename_local
from tests.real.projects import PROJECTS, IndexUnreachableError, Project, unpack

pytestmark = [pytest.mark.real]


# One worker per project: its checkout and environment are made once.
@pytest.fixture(
    scope="module",
    params=[
        pytest.param(project, marks=pytest.mark.xdist_group(project.name), id=project.name) for project in PROJECTS
    ],
)
def checkout(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Project, Path]]:
    project: Project = request.param
    try:
        yield project, unpack(project, tmp_path_factory.mktemp(project.name))
    except IndexUnreachableError as error:
        if os.environ.get("REAL_PROJECTS") == "required":
            raise
        pytest.skip(f"the package index cannot be reached, so there is no real project to judge: {error}")


def scaffold(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scaffold_cli", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def check(project: Project, root: Path) -> tuple[int, dict[str, str], str]:
    """Exit code, layer statuses, and everything printed, of judging the working tree."""
    done = scaffold(root, "check", "--test-command", project.command, "--format", "json")
    report = json.loads(done.stdout)
    statuses = {layer["layer"]: layer["status"] for layer in report["layers"]}
    return done.returncode, statuses, done.stdout + done.stderr


def test_a_renamed_local_is_accepted(checkout: tuple[Project, Path]) -> None:
    project, root = checkout
    module = root / project.module
    original = module.read_text()
    module.write_text(rename_local(original, *project.local, "renamed_value"))
    try:
        code, statuses, printed = check(project, root)
    finally:
        module.write_text(original)
    assert code == 0, printed
    assert statuses == dict.fromkeys(("tests", "sast", "budget", "anchors"), "pass")


def test_a_removed_check_is_rejected_by_its_anchor(checkout: tuple[Project, Path]) -> None:
    project, root = checkout
    module = root / project.module
    original = module.read_text()
    module.write_text(remove_guard(original, *project.guard))
    try:
        code, statuses, printed = check(project, root)
    finally:
        module.write_text(original)
    assert code == 1, printed
    assert statuses["anchors"] == "fail", printed
    assert statuses["sast"] == "pass", "the point: no scanner rule fires"


def test_a_chain_keeps_the_harmless_steps_and_drops_the_degrading_one(checkout: tuple[Project, Path]) -> None:
    project, root = checkout
    spec = {
        "local": (*project.local, "renamed_value"),
        "second_local": (*project.second_local, "renamed_too"),
        "guard": project.guard,
    }
    script = Path(__file__).with_name("proposer.py")
    program = f"command:{sys.executable} {script} {project.module} '{json.dumps(spec)}'"
    start = _git(root, "rev-parse", "HEAD")
    done = scaffold(
        root,
        "run",
        project.module,
        *("--goal", "tidy up", "--with", program, "--steps", "3", "--test-command", project.command),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert _git(root, "rev-list", "--count", f"{start}..HEAD") == "3"
    assert _git(root, "status", "--porcelain") == ""
    log = scaffold(root, "log", "--format", "json")
    outcomes = [attempt["outcome"] for attempt in json.loads(log.stdout)[0]["attempts"]]
    assert outcomes.count("accepted") == 3
    assert outcomes.count("rejected") == 1
    assert scaffold(root, "verify").returncode == 0


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()
