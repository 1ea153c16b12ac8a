"""`scaffold anchors`: explaining, comparing, coverage, and the witness in what `check` says."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from scaffold_cli.report.json_ import PUBLISHED
from tests.cli.program import entries, scaffold
from tests.cli.samples import GUARDED, UNGUARDED
from tests.support.repos import commit, git, make_repo, write

LOAD = """\
def load(name):
    if ".." in name:
        raise ValueError(name)
    return open("data/" + name, "rb").read()
"""
BARE = """\
def load(name):
    return open("data/" + name, "rb").read()
"""
WITNESS = "load('..') raised ValueError before and reaches open('data/..') now"
QUICK = ("--layers", "anchors")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"a.py": GUARDED, "explain/b.py": LOAD, "c.py": "x = 1\n"})


def patient(repo: Path) -> Path:
    """Settings under which a busy machine still finds the witness."""
    settings = repo.parent / "patient.toml"
    settings.write_text("[anchors]\nwitness-seconds = 60\n")
    return settings


def test_an_entry_is_explained_with_its_examples(repo: Path) -> None:
    ended = scaffold("anchors", "explain", "path-containment", cwd=repo)
    assert ended.code == 0
    for word in ("CWE-22", "why", "keep", "Hard, so that a loss blocks", "lost  an example in python", "kept  an"):
        assert word in ended.out
    found = scaffold("anchors", "explain", "path-containment", "--format", "json", cwd=repo).json
    assert found["anchor"] is None
    assert {example["outcome"] for example in found["entry"]["examples"]} >= {"kept", "lost"}


def test_without_an_id_all_entries_are_listed(repo: Path) -> None:
    assert "\npath-containment " in scaffold("anchors", "explain", cwd=repo).out
    listed = scaffold("anchors", "explain", "--format", "json", cwd=repo).json
    assert "sql" in {entry["id"] for entry in listed}


def test_an_anchor_is_explained_before_and_after_it_is_lost(repo: Path) -> None:
    anchor = scaffold("anchors", "a.py", "--format", "json", cwd=repo).json[0]
    here = scaffold("anchors", "explain", anchor["id"], cwd=repo)
    write(repo, {"a.py": UNGUARDED})
    gone = scaffold("anchors", "explain", anchor["id"], cwd=repo)
    assert here.out == gone.out
    assert "a.py:2 in read" in gone.out
    assert anchor["because"].split("`")[0].strip() in gone.out
    assert "path-containment  path containment" in gone.out


def test_a_violation_is_explained_by_the_anchor_it_lost(repo: Path) -> None:
    write(repo, {"explain/b.py": BARE})
    checked = scaffold("check", *QUICK, "--format", "json", cwd=repo).json
    [violation] = checked["layers"][0]["violations"]
    told = scaffold("anchors", "explain", violation["id"], "--format", "json", cwd=repo).json
    assert told["anchor"]["id"] == violation["subject"]
    assert told["entry"]["cwe"] == violation["cwe"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("path-containmnt", "Did you mean 'path-containment'?"),
        ("zzz", "lists the entries"),
        ("guard-0123456789", "There is no anchor 'guard-0123456789' in the working tree"),
        ("anchors-0123456789", "There is no violation 'anchors-0123456789' in the working tree"),
    ],
)
def test_what_is_not_there_is_said(name: str, said: str, repo: Path) -> None:
    ended = scaffold("anchors", "explain", name, cwd=repo)
    assert ended.code == 2
    assert said in ended.warned


def test_a_folder_called_like_a_command_is_given_with_its_path(repo: Path) -> None:
    assert "explain/b.py:2" in scaffold("anchors", "./explain", cwd=repo).out


def test_two_files_are_compared(repo: Path, tmp_path: Path) -> None:
    write(tmp_path, {"old.py": LOAD, "new.py": BARE})
    before = entries(tmp_path)
    ended = scaffold("anchors", "diff", "old.py", "new.py", cwd=tmp_path)
    assert ended.code == 0
    assert ended.out.splitlines()[1].startswith("lost")
    assert "Protections: 1 lost." in ended.told
    found = scaffold("anchors", "diff", "old.py", "new.py", "--format", "json", cwd=tmp_path).json
    assert found["summary"]["lost"] == 1
    assert found["fates"][0]["anchor"]["protection"]["action"] == "raise ValueError"
    assert entries(tmp_path) == before


def test_two_revisions_are_compared_as_they_are(repo: Path) -> None:
    commit(repo, {"explain/b.py": "import re\n" + LOAD.replace("name", "key")})
    commit(repo, {"explain/b.py": BARE})
    kept = scaffold("anchors", "diff", "HEAD~2", "HEAD~1", cwd=repo)
    assert (kept.code, kept.out) == (0, "Protections: 1 kept.\n")
    assert scaffold("anchors", "diff", "HEAD~2", "HEAD~1", "--all", cwd=repo).out.startswith("became")
    assert "1 lost" in scaffold("anchors", "diff", "HEAD~2", "HEAD", cwd=repo).out
    nothing = scaffold("anchors", "diff", "HEAD", "HEAD~2", cwd=repo)
    assert nothing.out == "No protections were found in what differs.\n"


def test_what_cannot_be_read_leaves_the_comparison_undecided(tmp_path: Path) -> None:
    write(tmp_path, {"old.py": LOAD, "new.py": "def load(:\n"})
    ended = scaffold("anchors", "diff", "old.py", "new.py", cwd=tmp_path)
    assert ended.code == 3
    assert "unread" in ended.told


def test_paths_and_revisions_are_not_mixed(repo: Path) -> None:
    mixed = scaffold("anchors", "diff", "HEAD", "a.py", cwd=repo)
    assert (mixed.code, "a.py is a path, and there is no path HEAD" in mixed.err) == (2, True)
    unknown = scaffold("anchors", "diff", "one", "two", cwd=repo)
    assert (unknown.code, "There is no revision 'one' here" in unknown.err) == (2, True)


def test_a_wrong_option_names_the_inner_help(repo: Path) -> None:
    assert "See `scaffold anchors diff --help`" in scaffold("anchors", "diff", "--nope", cwd=repo).err


def test_coverage_tells_covered_sinks_from_bare_ones(repo: Path) -> None:
    sources = {
        "sinks.py": LOAD
        + BARE.replace("load", "bare")
        + "def fixed():\n    return open('config.ini')\n"
        + "def wrapped(root, name):\n    path = safe_join(root, name)\n    return open(path)\n"
        + "def inner(root, name):\n    return open(safe_join(root, name))\n"
        + "def late(name):\n    text = open(name)\n    if '..' in name:\n        raise ValueError(name)\n"
        + "def queried(db, name):\n    return db.execute('select ?', (name,))\n"
        + "def pasted(db, name):\n    return db.execute('select ' + name)\n"
        + "def strip(items, name):\n    items.append(name)\n    return open(name)\n"
        + "def append(name):\n    if '..' in name:\n        raise ValueError(name)\n",
        "tests/test_sinks.py": BARE,
    }
    write(repo, sources)
    found = scaffold("anchors", "sinks.py", "tests", "--coverage", "--format", "json", cwd=repo).json
    assert {sink["place"]["symbol"]: sink["cover"] for sink in found["sinks"]} == {
        "load": "guard",
        "bare": "none",
        "fixed": "fixed",
        "wrapped": "call",
        "inner": "call",
        "late": "none",
        "queried": "call",
        "pasted": "none",
        "strip": "none",
    }
    assert found["summary"]["none"] == 4
    assert [sink["protected"] for sink in found["sinks"]].count(False) == 4
    text = scaffold("anchors", "sinks.py", "--coverage", cwd=repo).out
    assert text.endswith("9 sensitive calls: 5 covered, 4 not.\n")
    assert scaffold("anchors", "c.py", "--coverage", cwd=repo).out == "No sensitive calls were found.\n"


def test_every_report_shows_the_witness(repo: Path) -> None:
    write(repo, {"explain/b.py": BARE})
    before = entries(repo)
    call = ("check", *QUICK, "--config", patient(repo))
    text, as_json, sarif = (scaffold(*call, "--format", name, cwd=repo) for name in ("text", "json", "sarif"))
    assert f"witness  {WITNESS}" in " ".join(text.out.split()).replace("witness ", "witness  ")
    jsonschema.validate(as_json.json, json.loads(PUBLISHED.read_text()))
    assert as_json.json["layers"][0]["violations"][0]["witness"] == WITNESS
    [result] = sarif.json["runs"][0]["results"]
    assert WITNESS in result["message"]["text"]
    assert result["properties"]["witness"] == WITNESS
    assert entries(repo) == before


def test_a_commit_hook_does_not_wait_for_a_witness(repo: Path) -> None:
    write(repo, {"explain/b.py": BARE})
    call = ("check", *QUICK, "--staged", "--format", "json", "--config", patient(repo))
    index = repo / ".git" / "index"
    commit_index = {"GIT_INDEX_FILE": str(index)}
    git(repo, "add", "-A")
    by_hand = scaffold(*call, cwd=repo).json
    in_hook = scaffold(*call, cwd=repo, env=commit_index).json
    assert by_hand["layers"][0]["violations"][0].pop("witness") == WITNESS
    assert in_hook["layers"][0]["violations"][0].pop("witness") == ""
    assert by_hand["layers"] == in_hook["layers"]
