"""A draft that is flagged: what is asked to mend it, what of the answer is kept, what is remembered of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import scaffold
from tests.models.server import says, serving
from tests.proposers.model_chain import SOURCE, TIDY, WITHOUT, audits, run, whole

STAGES = [says(text) for text in ("problem", "cause", "strategy")]


@pytest.mark.parametrize(
    ("mended", "why"),
    [
        (WITHOUT + "\n\ndef drop(name):\n    os.remove(name)\n", "less safe"),  # the draft's fault and another one
        (SOURCE, "takes the step back"),
        (WITHOUT.replace("def read(", "def load("), "lacks 'read'"),
    ],
)
def test_a_mended_answer_that_is_worse_leaves_the_draft_to_the_gate(repo: Path, mended: str, why: str) -> None:
    with serving(says(whole(WITHOUT)), says("SAFE"), *STAGES, says(whole(mended))) as server:
        ended = run(repo, server.url, "--steps", "1", "--retries", "0")
    assert ended.code == 1, ended.out + ended.err
    (told,) = audits(repo)
    audit = told["audit"]
    assert isinstance(audit, dict)
    assert why in audit["flagged"][-1]
    assert "os.remove" not in ended.told
    assert (repo / "files.py").read_text() == SOURCE


@pytest.mark.parametrize("first", [WITHOUT.replace("def read(", "def load("), "I cannot.", TIDY.replace("os.", "fs.")])
def test_a_mended_answer_that_cannot_be_taken_is_asked_for_once_more(repo: Path, first: str) -> None:
    said = first if first == "I cannot." else whole(first)
    with serving(says(whole(WITHOUT)), says("SAFE"), *STAGES, says(said), says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--steps", "1", "--retries", "0")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    audit = _audit(repo)
    assert [call["stage"] for call in audit["calls"]][-2:] == ["implementation", "implementation"]
    assert (audit["rounds"], audit["doubt"]) == (1, "")
    told, asked = server.asked[-1]["messages"][-2:]
    assert told["content"] == said
    assert audit["flagged"][-1] in asked["content"]


def test_what_the_self_check_does_not_call_safe_is_kept_and_is_no_example(repo: Path) -> None:
    """The gate accepts the step, since nothing is lost; a model that learns from it would learn its doubtful part."""
    with serving(says(whole(TIDY)), says("UNSAFE"), *STAGES, says(whole(SOURCE))) as server:
        ended = run(repo, server.url, "--steps", "1", "--retries", "0")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    assert "not remembered as an example" in ended.err
    assert _audit(repo)["doubt"] == "The model calls it unsafe."
    assert scaffold("memory", "list", "--format", "json", cwd=repo).json == []
    assert scaffold("verify", cwd=repo).code == 0


def _audit(repo: Path) -> dict[str, Any]:
    (told,) = audits(repo)
    audit = told["audit"]
    assert isinstance(audit, dict)
    return audit
