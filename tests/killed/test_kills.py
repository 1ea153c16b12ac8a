"""SIGKILL at write points and at random instants: afterwards all is as before a step or as after it.

A sample; `python -m benchmarks.kills` does all of it. The seed is printed with a failure.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks import killing
from benchmarks.killing import Project, State


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, list[State]]:
    folder = tmp_path_factory.mktemp("template")
    project = killing.prepare(folder, "run")
    return project, killing.states(project, tmp_path_factory.mktemp("states"))


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("whole", [False, True], ids=["the process", "everything"])
def test_killed_at_write_points(prepared: tuple[Project, list[State]], tmp_path: Path, whole: bool) -> None:
    project, known = prepared
    points = killing.points(project, tmp_path)
    seed = random.randrange(1 << 32)
    for point in random.Random(seed).sample(range(1, points + 1), 5):
        with killing.copied(project, tmp_path) as folder:
            assert killing.kill_at(folder, project, point, project.command, whole)
            outcome = killing.judged(folder, project, known, f"point {point} of {points}, seed {seed}")
            assert not outcome.broken, outcome


@pytest.mark.xdist_group("kills")
def test_killed_at_random_instants(prepared: tuple[Project, list[State]], tmp_path: Path) -> None:
    project, known = prepared
    seconds = killing.timed(project, tmp_path)
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    for number in range(5):
        with killing.copied(project, tmp_path) as folder:
            killing.kill_after(folder, project, chance.uniform(0.2, 1) * seconds, project.command, bool(number % 2))
            outcome = killing.judged(folder, project, known, f"random, seed {seed}, kill {number}")
            assert not outcome.broken, outcome


@pytest.mark.xdist_group("kills")
def test_a_kill_in_the_middle_of_a_step_is_told_and_put_in_order(
    prepared: tuple[Project, list[State]], tmp_path: Path
) -> None:
    """At the point where the second step has written its files: `check` warns, `run` refuses, `resume` mends."""
    project, known = prepared
    with killing.copied(project, tmp_path) as folder:
        killing.kill_at_commit(folder, project, 2)
        repo = folder / "repo"
        assert (repo / ".git/index.lock").exists()
        assert not (repo / "src/old").exists()
        told = killing.scaffold(folder, "repo", "check", "--layers", "budget")
        assert "scaffold resume" in told.stderr
        refused = killing.scaffold(folder, "repo", *project.command)
        assert (refused.returncode, "scaffold resume" in refused.stderr) == (2, True), refused.stderr
        resumed = killing.scaffold(folder, "repo", "resume")
        assert "it was taken back" in resumed.stdout
        assert "--steps 2" in resumed.stdout
        assert killing.differs(killing.state(folder), known[1]) == []
        assert killing.scaffold(folder, "repo", "resume").stdout == "Nothing was cut off.\n"
        on = killing.scaffold(folder, "repo", *project.command)
        assert on.returncode in (0, 2, 3), on.stderr
