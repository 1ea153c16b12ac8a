"""SIGKILL at write points and at random instants: afterwards all is as before a step or as after it.

A sample; `python -m benchmarks.kills` does all of it. The seed is printed with a failure.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks import kill_scenes, killing
from benchmarks.kill_scenes import Project, State


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, list[State]]:
    folder = tmp_path_factory.mktemp("template")
    project = kill_scenes.prepare(folder, "run")
    return project, kill_scenes.states(project, tmp_path_factory.mktemp("states"))


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("whole", [False, True], ids=["the process", "everything"])
def test_killed_at_write_points(prepared: tuple[Project, list[State]], tmp_path: Path, whole: bool) -> None:
    project, known = prepared
    points = killing.points(project, tmp_path)
    seed = random.randrange(1 << 32)
    for point in random.Random(seed).sample(range(1, points + 1), 5):
        with kill_scenes.copied(project, tmp_path) as folder:
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
        with kill_scenes.copied(project, tmp_path) as folder:
            killing.kill_after(folder, project, chance.uniform(0.2, 1) * seconds, project.command, bool(number % 2))
            outcome = killing.judged(folder, project, known, f"random, seed {seed}, kill {number}")
            assert not outcome.broken, outcome


@pytest.mark.xdist_group("kills")
def test_a_kill_in_the_middle_of_a_step_is_told_and_put_in_order(
    prepared: tuple[Project, list[State]], tmp_path: Path
) -> None:
    """At the point where the second step has written its files: `check` warns, `run` refuses, `resume` mends."""
    project, known = prepared
    with kill_scenes.copied(project, tmp_path) as folder:
        killing.kill_at_commit(folder, project, 2)
        repo = folder / "repo"
        assert (repo / ".git/index.lock").exists()
        assert not (repo / "src/old").exists()
        told = kill_scenes.scaffold(folder, "repo", "check", "--layers", "budget")
        assert "scaffold resume" in told.stderr
        refused = kill_scenes.scaffold(folder, "repo", *project.command)
        assert (refused.returncode, "scaffold resume" in refused.stderr) == (2, True), refused.stderr
        resumed = kill_scenes.scaffold(folder, "repo", "resume", "--close")
        assert "it was taken back" in resumed.stdout
        assert "--steps 2" in resumed.stdout
        assert kill_scenes.differs(kill_scenes.state(folder), known[1]) == []
        assert kill_scenes.scaffold(folder, "repo", "resume").stdout == "Nothing was cut off.\n"
        on = kill_scenes.scaffold(folder, "repo", *project.command)
        assert on.returncode in (0, 2, 3), on.stderr


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("step", [1, 3])
def test_a_killed_chain_goes_on_and_ends_as_if_nobody_had_killed_it(
    prepared: tuple[Project, list[State]], tmp_path: Path, step: int
) -> None:
    """Killed in a commit: what was accepted there is committed without asking for it again."""
    project, known = prepared
    with kill_scenes.copied(project, tmp_path) as folder:
        killing.kill_at_commit(folder, project, step)
        resumed = kill_scenes.scaffold(folder, "repo", "resume")
        assert (resumed.returncode, f"goes on, with {step - 1} step" in resumed.stdout) == (0, True), resumed.stderr
        assert "3 steps accepted, 0 thrown away" in resumed.stdout
        assert kill_scenes.differs(kill_scenes.state(folder), known[3]) == []
        assert kill_scenes.state(folder).leftovers == ()
        assert kill_scenes.scaffold(folder, "repo", "resume").stdout == "Nothing was cut off.\n"
        assert kill_scenes.scaffold(folder, "repo", "verify", "--all").returncode == 0


@pytest.mark.xdist_group("kills")
def test_a_chain_that_cannot_go_on_is_closed_and_says_why(
    prepared: tuple[Project, list[State]], tmp_path: Path
) -> None:
    project, _ = prepared
    with kill_scenes.copied(project, tmp_path) as folder:
        repo = folder / "repo"
        killing.kill_at_commit(folder, project, 1)
        (repo / ".git/scaffold/request").chmod(0o666)  # anybody may have written it: what it names is not run
        closed = kill_scenes.scaffold(folder, "repo", "resume")
        assert (closed.returncode, "is closed with 0 steps kept" in closed.stdout) == (0, True), closed.stderr
        (folder / "ready").unlink()
        killing.kill_at_commit(folder, project, 1)
        kill_scenes.git(repo, "symbolic-ref", "HEAD", "refs/heads/mine")
        refused = kill_scenes.scaffold(folder, "repo", "resume")
        assert (refused.returncode, "no longer checked out" in refused.stderr) == (2, True), refused.stderr
        assert "is closed with 0 steps kept" in refused.stderr
        assert kill_scenes.scaffold(folder, "repo", "resume").stdout == "Nothing was cut off.\n"
        assert kill_scenes.state(folder).leftovers == ()
