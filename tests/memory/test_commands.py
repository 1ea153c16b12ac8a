"""`scaffold memory` and the commands inside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.support.repos import make_repo

BEFORE = "import hashlib\n\n\ndef digest(data):\n    return hashlib.md5(data).hexdigest()\n"
AFTER = BEFORE.replace("md5", "sha256")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    make_repo(tmp_path / "repo", {"before.py": BEFORE, "after.py": AFTER})
    return tmp_path / "repo"


def _add(repo: Path, *more: str) -> str:
    ended = scaffold("memory", "add", "before.py", "after.py", "--title", "weak hash", *more, cwd=repo)
    assert ended.code == 0, ended.err
    return str(scaffold("memory", "list", "--format", "json", cwd=repo).json[0]["id"])


def test_an_accepted_repair_is_stored_found_and_shown(repo: Path) -> None:
    name = _add(repo, "--cwe", "CWE-328", "--lesson", "Hash with SHA-256.")
    found = scaffold("memory", "search", BEFORE, "--format", "json", cwd=repo).json
    assert (found["source"], found["cases"][0]["id"]) == ("dynamic", name)
    told = scaffold("memory", "show", name[:6], cwd=repo).out
    for words in ("weak hash", "Hash with SHA-256.", "CWE-328", "hashlib.md5", "hashlib.sha256"):
        assert words in told
    assert "weak hash" in scaffold("memory", "list", cwd=repo).out
    assert scaffold("memory", "stats", "--format", "json", cwd=repo).json["cases"] == {"repair": 1}


def test_what_the_gate_rejects_is_not_stored(repo: Path) -> None:
    ended = scaffold("memory", "add", "after.py", "before.py", "--title", "a worse hash", cwd=repo)
    assert ended.code == 1
    assert "reject" in ended.warned
    assert scaffold("memory", "stats", "--format", "json", cwd=repo).json["cases"] == {}


def test_a_search_that_finds_nothing_similar_shows_guidance(repo: Path) -> None:
    found = scaffold("memory", "search", "-", "--cwe", "CWE-89", "--format", "json", cwd=repo, stdin=b"select").json
    assert found["source"] == "fallback"
    assert found["guidance"][0]["cwe"] == "CWE-89"


def test_an_export_comes_back_and_broken_lines_are_named(repo: Path) -> None:
    name = _add(repo)
    scaffold("memory", "export", "all.jsonl", cwd=repo)
    lines = (repo / "all.jsonl").read_text().splitlines()
    body = json.loads(lines[0])
    many = [json.dumps({**body, "title": f"number {n}"}) for n in range(300)]
    (repo / "all.jsonl").write_text("\n".join([*lines, "{broken", "[" * 5000, *many]) + "\n")
    assert scaffold("memory", "forget", "--all", cwd=repo).code == 0
    ended = scaffold("memory", "import", "all.jsonl", cwd=repo)
    assert ended.code == 2
    assert "301 new cases" in ended.warned
    assert "all.jsonl:2: left out" in ended.warned
    assert "all.jsonl:3: left out" in ended.warned
    assert scaffold("memory", "show", name, cwd=repo).code == 0


def test_one_case_is_forgotten_by_the_beginning_of_its_id(repo: Path) -> None:
    name = _add(repo)
    assert scaffold("memory", "forget", "nope", cwd=repo).code == 2
    assert scaffold("memory", "forget", cwd=repo).code == 2
    assert scaffold("memory", "forget", name[:5], cwd=repo).code == 0
    assert "No case is stored yet" in scaffold("memory", "list", cwd=repo).out


def test_the_users_memory_is_another_one(repo: Path, tmp_path: Path) -> None:
    _add(repo)
    mine = {"SCAFFOLD_MEMORY": str(tmp_path / "mine")}
    assert scaffold("memory", "list", "--scope", "user", "--format", "json", cwd=repo, env=mine).json == []
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    assert scaffold("memory", "stats", cwd=outside, env=mine).code == 0
    assert scaffold("memory", "stats", "--scope", "repository", cwd=outside, env=mine).code == 2


def test_a_backend_that_is_not_installed_says_what_to_install(repo: Path) -> None:
    from importlib.util import find_spec

    if find_spec("chromadb") is not None:
        pytest.skip("ChromaDB is installed here; the rest of the suite runs without it")
    (repo / "scaffold.toml").write_text('[memory]\nbackend = "chroma"\n')
    ended = scaffold("memory", "list", cwd=repo)
    assert ended.code == 2
    assert "scaffold-cegis[chroma]" in ended.warned


def test_a_damaged_file_is_an_error_not_a_traceback(repo: Path) -> None:
    _add(repo)
    (repo / ".git/scaffold/memory/cases.sqlite").write_bytes(b"no database" * 500)
    ended = scaffold("memory", "list", cwd=repo)
    assert ended.code == 2
    assert "cannot be used" in ended.warned
    assert "Traceback" not in ended.err


def test_a_line_that_no_store_can_hold_is_left_out(repo: Path) -> None:
    _add(repo)
    scaffold("memory", "export", "all.jsonl", cwd=repo)
    body = json.loads((repo / "all.jsonl").read_text())
    changed = ({"verdict": ""}, {"title": "\ud800"}, {"created": "\udcff"}, {"title": "many", "uses": 10**30})
    (repo / "all.jsonl").write_text("".join(json.dumps({**body, **change}) + "\n" for change in changed))
    ended = scaffold("memory", "import", "all.jsonl", cwd=repo)
    assert ended.code == 2
    assert "1 new cases" in ended.warned
    assert "all.jsonl:1: left out: it names no verdict" in ended.warned
    assert "all.jsonl:3: left out" in ended.warned


def test_a_repository_says_nothing_about_the_users_memory(repo: Path, tmp_path: Path) -> None:
    mine = {"SCAFFOLD_MEMORY": str(tmp_path / "mine")}
    (repo / "scaffold.toml").write_text("[memory]\ncapacity = 1\n")
    for title in ("one", "two"):
        more = ("--title", title, "--scope", "user")
        assert scaffold("memory", "add", "before.py", "after.py", *more, cwd=repo, env=mine).code == 0
    found = scaffold("memory", "list", "--scope", "user", "--format", "json", cwd=repo, env=mine).json
    assert len(found) == 2
