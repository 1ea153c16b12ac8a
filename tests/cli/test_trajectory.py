"""`scaffold trajectory check`."""

from __future__ import annotations

from pathlib import Path

from tests.cli.program import scaffold

ANSWER = "<answer>\n```python\nx = 1\n```\n</answer>\n"
GOOD = f"<think>\nt\n</think>\n{ANSWER}<reflection>\nSTATUS: OPTIMIZATION_ONLY\nshorter\n</reflection>\n{ANSWER}"


def test_a_valid_trajectory_is_accepted_and_scored(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_text(GOOD)
    ended = scaffold("trajectory", "check", "reply.txt", "--scores", "0,1", "--format", "json", cwd=tmp_path)
    assert ended.code == 0
    assert ended.json["stop"] == "optimized"
    assert abs(ended.json["reward"]["total"] - 3.75) < 1e-4
    told = scaffold("trajectory", "check", "-", cwd=tmp_path, stdin=GOOD.encode()).out
    assert told == "valid: 2 answers, 1 reflections, stopped: optimized\n"


def test_another_text_is_rejected_with_the_reason(tmp_path: Path) -> None:
    ended = scaffold("trajectory", "check", "-", cwd=tmp_path, stdin=b"Sure! " + GOOD.encode())
    assert (ended.code, ended.out) == (1, "not valid: text-between-blocks\n")
    lenient = scaffold("trajectory", "check", "-", "--lenient", cwd=tmp_path, stdin=b"Sure! " + GOOD.encode())
    assert lenient.code == 0


def test_scores_that_do_not_fit_are_a_usage_error(tmp_path: Path) -> None:
    for scores in ("1", "a,b", "0,2"):
        assert scaffold("trajectory", "check", "-", "--scores", scores, cwd=tmp_path, stdin=GOOD.encode()).code == 2
    assert scaffold("trajectory", "check", "no-such-file", cwd=tmp_path).code == 2
