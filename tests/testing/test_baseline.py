"""Remembered baselines: when they spare a run, and when they are not believed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scaffold_cli.model.verdict import LayerStatus
from scaffold_cli.testing.baseline import Memory
from scaffold_cli.testing.outcomes import Case, Outcome, TestRun
from tests.support.repos import commit, git
from tests.testing.judging import NEGATIVE, ONCE, OPENED, PROJECT, found, judge_change, judge_commit, project

TWICE = replace(ONCE, baseline_runs=2)


@pytest.fixture(autouse=True)
def nothing_opened() -> None:
    OPENED.clear()


def test_a_baseline_is_run_once_for_a_tree_and_command(tmp_path: Path) -> None:
    repo, cache = project(tmp_path), tmp_path / "cache"
    fine = {"shop.py": str(PROJECT["shop.py"]).replace("n * 2", "n + n")}
    assert judge_change(repo, fine, TWICE, cache).status is LayerStatus.PASS
    assert len(OPENED) == 3
    assert judge_change(repo, {"notes.txt": "n\n"}, TWICE, cache).status is LayerStatus.PASS
    assert len(OPENED) == 4
    assert judge_change(repo, fine, replace(TWICE, command=f"{TWICE.command} "), cache).status is LayerStatus.PASS
    assert len(OPENED) == 7


def test_an_accepted_candidate_is_half_of_the_next_baseline(tmp_path: Path) -> None:
    repo, cache = project(tmp_path), tmp_path / "cache"
    for number in (1, 2):
        commit(repo, {"notes.txt": f"{number}\n"}, f"Step {number}")
        assert judge_commit(repo, TWICE, cache=cache).status is LayerStatus.PASS
    assert len(OPENED) == 3 + 2


def test_a_remembered_baseline_does_not_reject_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What passed on a machine that has changed since is run again before anybody is blamed."""
    repo, cache = project(tmp_path), tmp_path / "cache"
    monkeypatch.setenv("SERVICE", "up")
    test = "import os\n\n\ndef test_service():\n    assert 'SERVICE' in os.environ\n"
    commit(repo, {"tests/test_service.py": test}, "Depend on a service")
    assert judge_change(repo, {"notes.txt": "n\n"}, ONCE, cache).status is LayerStatus.PASS
    monkeypatch.delenv("SERVICE")
    assert judge_change(repo, {"notes.txt": "m\n"}, ONCE, cache).status is LayerStatus.PASS
    broken = {"shop.py": "def price(n):\n    return n * 2\n"}
    assert found(judge_change(repo, broken, ONCE, cache)) == [("test-failed", NEGATIVE)]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b'{"version":1,"runs":[{}]}', b'{"version":1,"runs":7}', b"\xff"]
)
def test_a_damaged_file_is_ignored(tmp_path: Path, content: bytes) -> None:
    memory = Memory(tmp_path, ONCE)
    memory.keep("tree", [TestRun({"a": Case(Outcome.PASSED)})])
    (file,) = (tmp_path / "tests").iterdir()
    assert len(memory.recall("tree")) == 1
    file.write_bytes(content)
    damaged = memory.recall("tree")
    assert [item.passed for item in damaged if item.passed] == []
    memory.keep("tree", [TestRun({"a": Case(Outcome.PASSED)})])
    assert memory.recall("tree")[0].passed == {"a"}


def test_what_is_remembered_comes_back_as_it_was(tmp_path: Path) -> None:
    cases = {"a::b[\udce9é]": Case(Outcome.PASSED, "s", "d", "p", 3), "c": Case(Outcome.XFAILED)}
    kept = TestRun(cases, 1, False, "tail\n", uncollected={"f": Case(Outcome.FAILED)})
    memory = Memory(tmp_path, ONCE)
    memory.keep("tree", [kept])
    assert memory.recall("tree") == (kept,)
    for other in (replace(memory, place="x"), replace(memory, settings=replace(ONCE, command="x")), Memory(None, ONCE)):
        assert other.recall("tree") == ()
    assert memory.recall("another") == ()


@pytest.mark.parametrize(
    "run", [TestRun({"a": Case(Outcome.FAILED)}), TestRun({"a": Case(Outcome.PASSED)}, timed_out=True)]
)
def test_runs_that_may_be_the_machine_s_fault_are_not_remembered(tmp_path: Path, run: TestRun) -> None:
    memory = Memory(tmp_path, ONCE)
    memory.keep("tree", [run])
    assert memory.recall("tree") == ()


def test_the_judge_writes_nothing_but_the_cache(tmp_path: Path) -> None:
    repo = project(tmp_path)
    status = git(repo, "status", "--porcelain", "--ignored")
    judge_change(repo, {"notes.txt": "n\n"}, ONCE, repo / ".git/scaffold/cache")
    assert git(repo, "status", "--porcelain", "--ignored") == status
    assert [path.name for path in (repo / ".git/scaffold").iterdir()] == ["cache"]
