"""The same change through every door gives the same verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from scaffold_cli.report.json_ import PUBLISHED
from tests.cli.program import entries, scaffold
from tests.cli.samples import GUARDED, REWORDED, UNGUARDED
from tests.support.repos import commit, git, make_repo, write

FAST = ("--layers", "sast,budget,anchors", "--format", "json")
ALL = ("--test-command", "test -f notes/store.py", "--format", "json")

PATIENT = "[anchors]\nwitness-seconds = 60\n"
"""Time enough for a busy machine to find the witness through every door."""


def stable(document: dict[str, Any]) -> dict[str, Any]:
    jsonschema.Draft202012Validator(json.loads(PUBLISHED.read_text())).validate(document)
    return {key: value for key, value in document.items() if key not in ("source", "seconds")}


@pytest.mark.parametrize(("after", "code", "decision"), [(UNGUARDED, 1, "reject"), (REWORDED, 0, "accept")])
def test_every_door_gives_the_same_verdict(tmp_path: Path, after: str, code: int, decision: str) -> None:
    # The search for a witness has a time limit, so what it finds hangs on the machine.
    settings = {"scaffold.toml": "[anchors]\nwitness-seconds = 0\n"}
    files = {"notes/store.py": GUARDED, "notes/__init__.py": "", "README": "x\n", **settings}
    repo = make_repo(tmp_path / "repo", files)
    old = make_repo(tmp_path / "old", files)
    write(repo, {"notes/store.py": after, "notes/new.py": "LIMIT = 3\n", "README": None})
    seen = {"working-tree": scaffold("check", *ALL, cwd=repo)}
    seen["folders"] = scaffold("check", "--before", old, "--after", repo, *ALL, cwd=tmp_path)
    git(repo, "add", "-A")
    seen["index"] = scaffold("check", "--staged", *ALL, cwd=repo / "notes")
    (tmp_path / "change.patch").write_text(git(repo, "diff", "--cached", "--binary") + "\n")
    git(repo, "commit", "-qm", "change")
    seen["range"] = scaffold("check", "--base", "HEAD~1", *ALL, cwd=repo)
    seen["patch"] = scaffold("check", "--patch", tmp_path / "change.patch", *ALL, cwd=old)
    assert {ended.json["source"]["door"] for ended in seen.values()} == set(seen)
    assert {ended.code for ended in seen.values()} == {code}
    verdicts = {door: stable(ended.json) for door, ended in seen.items()}
    assert verdicts["index"]["decision"] == decision
    assert [layer["status"] for layer in verdicts["index"]["layers"]].count("skipped") == 0
    for verdict in verdicts.values():
        assert verdict == verdicts["index"]


def test_a_check_touches_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n"})
    write(repo, {"a.py": UNGUARDED})
    git(repo, "add", "a.py")
    write(repo, {"b.py": "x = 2\n", "new.txt": "mine\n"})
    before = entries(repo)
    for door in ((), ("--staged",), ("--base", "HEAD")):
        scaffold("check", *door, *FAST, cwd=repo)
    assert entries(repo) == before


def test_paths_narrow_the_change(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a/x.py": GUARDED, "b/y.py": "x = 1\n"})
    write(repo, {"a/x.py": UNGUARDED, "b/y.py": "x = 2\n"})
    assert scaffold("check", *FAST, cwd=repo).code == 1
    narrowed = scaffold("check", "b", *FAST, cwd=repo)
    assert (narrowed.code, narrowed.json["files"]) == (0, 1)
    assert scaffold("check", "x.py", *FAST, cwd=repo / "a").code == 1
    (repo / "a/x.py").unlink()
    assert scaffold("check", "a/x.py", *FAST, cwd=repo).json["files"] == 1
    missing = scaffold("check", "nowhere.py", *FAST, cwd=repo)
    assert (missing.code, missing.out) == (2, "")
    assert "There is no file or folder nowhere.py." in missing.err


def test_nothing_staged_says_the_same_on_the_short_and_the_long_way(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "sub/b.py": ""})
    write(repo, {"a.py": UNGUARDED})
    short = scaffold("check", "--staged", cwd=repo / "sub")
    long = scaffold("check", "--staged", "--format", "text", cwd=repo / "sub")
    assert short == long
    assert (short.code, short.out) == (0, "ACCEPTED  nothing to judge: the change is empty\n")
    assert scaffold("check", "--staged", *FAST, cwd=repo).json["decision"] == "accept"
    commit(repo, {"scaffold.toml": "no-such-setting = 1\n"})
    assert scaffold("check", "--staged", cwd=repo) == scaffold("check", "--staged", "--format", "text", cwd=repo)


def test_the_index_of_a_hook_is_the_one_that_counts(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED})
    (tmp_path / "index").write_bytes((repo / ".git/index").read_bytes())
    index = {"GIT_INDEX_FILE": str(tmp_path / "index"), "GIT_DIR": ".git"}
    assert scaffold("check", "--staged", cwd=repo, env=index).code == 0
    git(repo, "add", "a.py")
    (tmp_path / "index").write_bytes((repo / ".git/index").read_bytes())
    git(repo, "reset", "-q")
    assert scaffold("check", "--staged", "--layers", "anchors", cwd=repo, env=index).code == 1


def test_the_policy_is_that_of_the_before_side(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED, "scaffold.toml": 'layers = ["budget"]\n'})
    ended = scaffold("check", "--format", "json", cwd=repo)
    assert ended.code == 1
    assert "policy-not-in-force" in {note["code"] for note in ended.json["notes"]}
    commit(repo, {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED})
    assert [layer["layer"] for layer in scaffold("check", "--format", "json", cwd=repo).json["layers"]] == ["budget"]


def test_a_patch_may_come_from_stdin(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED})
    patch = git(repo, "diff").encode() + b"\n"
    git(repo, "checkout", "-q", "a.py")
    assert scaffold("check", "--patch", "-", "--layers", "anchors", cwd=repo, stdin=patch).code == 1
