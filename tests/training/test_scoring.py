"""Answers scored by running their tests, and the log that is kept of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.training.scoring import MOST_TESTS, read_tests, scores
from tests.cli.program import scaffold

DOUBLE = "print(int(input()) * 2)\n"
PAIRS = [{"input": "3\n", "output": "6"}, {"input": "10", "output": "20\n"}]
REPLY = (
    "<think>\nt\n</think>\n<answer>\n```python\nprint(1)\n```\n</answer>\n"
    f"<reflection>\nSTATUS: BUG_DETECTED\nwrong\n</reflection>\n<answer>\n```python\n{DOUBLE}```\n</answer>\n"
)


@pytest.mark.parametrize(
    ("tests", "right", "wrong"),
    [
        (PAIRS, DOUBLE, "print(6)\n"),
        ({"inputs": ["3", "4"], "outputs": ["6", "8"]}, DOUBLE, "print(7)\n"),
        (
            {"inputs": [[1, 2], [2, 2]], "outputs": [[3], [4]], "fn_name": "both"},
            "def both(a, b):\n    print('working')\n    return (a + b,)\n",
            "def both(a, b):\n    return 3\n",
        ),
        ({"functional": "assert twice(2) == 4"}, "def twice(n):\n    return 2 * n\n", "def twice(n):\n    return n\n"),
        (PAIRS, DOUBLE, "import sys\nprint(6 if input() == '3' else 20)\nsys.exit(1)\n"),
    ],
)
def test_an_answer_scores_by_its_tests(tests: object, right: str, wrong: str) -> None:
    assert scores([right, wrong], read_tests(json.dumps(tests))) == (1.0, 0.0)


def test_a_share_may_be_asked_for() -> None:
    assert scores(["print(6)\n"], read_tests(json.dumps(PAIRS)), fractional=True) == (0.5,)


def test_of_many_tests_those_with_the_longest_inputs_are_run() -> None:
    long = [{"input": f"{number:09}", "output": str(2 * number)} for number in range(MOST_TESTS)]
    assert scores([DOUBLE], read_tests(json.dumps([{"input": "1", "output": "wrong"}, *long]))) == (1.0,)


def test_what_is_no_test_is_an_error_and_nothing_run_is_no_pass() -> None:
    for text in ("{", "7", '{"inputs": [1], "outputs": []}', '{"inputs": [], "outputs": [], "fn_name": "f(); g"}'):
        with pytest.raises(UsageError):
            read_tests(text)
    with pytest.raises(UndecidedError):
        scores([DOUBLE], read_tests("[]"))


def test_a_trajectory_is_scored_logged_and_reported(tmp_path: Path) -> None:
    (tmp_path / "tests.json").write_text(json.dumps(PAIRS))
    asked = ("trajectory", "check", "-", "--tests", "tests.json", "--log", "log.jsonl", "--format", "json")
    ended = scaffold(*asked, cwd=tmp_path, stdin=REPLY.encode())
    assert abs(ended.json["reward"]["total"] - 3.75) < 1e-4
    assert scaffold(*asked, cwd=tmp_path, stdin=b"no trajectory").code == 1
    told = scaffold("trajectory", "report", "log.jsonl", cwd=tmp_path).json
    assert (told["trajectories"], told["valid"], told["reflections"]) == (2, 1, {"0": 1, "1": 1})
    assert (told["first answers"], told["last answers"]) == (0.0, 1.0)
    with (tmp_path / "log.jsonl").open("a") as stream:
        stream.write("{}\n")
    assert "Line 3" in scaffold("trajectory", "report", "log.jsonl", cwd=tmp_path).err


@pytest.mark.parametrize("more", [("--scores", "1,1"), ("--language", "java")])
def test_tests_neither_stand_beside_scores_nor_run_another_language(tmp_path: Path, more: tuple[str, ...]) -> None:
    (tmp_path / "tests.json").write_text(json.dumps(PAIRS))
    ended = scaffold("trajectory", "check", "-", "--tests", "tests.json", *more, cwd=tmp_path, stdin=REPLY.encode())
    assert ended.code == 2
