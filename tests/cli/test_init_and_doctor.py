"""init, its hook on real commits, doctor, and the commands that only show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from scaffold_cli.cli.commands.schema import SchemaName
from scaffold_cli.cli.hook import HOOKS, MARK
from scaffold_cli.config.keys import all_keys
from tests.cli.program import entries, scaffold
from tests.cli.samples import GUARDED, REWORDED, UNGUARDED
from tests.support.repos import commit, git, make_repo, write


def try_commit(repo: Path, *args: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", "commit", "-m", "try", *args], cwd=repo, capture_output=True, check=False)


@pytest.fixture
def hooked(tmp_path: Path) -> Path:
    """A repository with our hooks; only the quick layers, by its own committed settings."""
    settings = 'layers = ["budget", "anchors"]\n'
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n", "scaffold.toml": settings})
    assert scaffold("init", "--hook", cwd=repo).code == 0
    return repo


def test_init_writes_settings_that_load(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"tests/test_a.py": "def test_a():\n    pass\n"})
    ended = scaffold("init", cwd=repo)
    assert ended.code == 0
    shown = scaffold("config", "--format", "json", cwd=repo).json
    assert "pytest" in shown["tests.command"]["value"]
    assert shown["tests.command"]["origin"].startswith("scaffold.toml:")
    assert set(shown) == set(all_keys())
    before = entries(repo)
    again = scaffold("init", cwd=repo / "tests")
    assert (again.code, again.out) == (2, "")
    assert "holds settings already" in again.err
    assert entries(repo) == before
    (repo / "scaffold.toml").write_text("layers = []\n")
    assert scaffold("init", "--force", cwd=repo).code == 0
    assert "command" in (repo / "scaffold.toml").read_text()


def test_init_does_not_set_up_a_second_file_beside_pyproject(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"pyproject.toml": "[tool.scaffold]\n"})
    assert scaffold("init", "--force", cwd=repo).code == 2
    assert not (repo / "scaffold.toml").exists()


@pytest.mark.parametrize("args", [(), ("-a",), ("a.py",), ("--amend",)])
def test_the_hook_refuses_a_bad_commit_in_every_form(hooked: Path, args: tuple[str, ...]) -> None:
    write(hooked, {"a.py": UNGUARDED, "b.py": "x = 2  # unstaged\n"})
    if args in ((), ("--amend",)):
        git(hooked, "add", "a.py")
    head = git(hooked, "rev-parse", "HEAD")
    done = try_commit(hooked, *args)
    assert done.returncode != 0
    assert b"guard-lost" in done.stdout + done.stderr
    assert git(hooked, "rev-parse", "HEAD") == head
    assert (hooked / "b.py").read_text() == "x = 2  # unstaged\n"


def test_the_hook_judges_the_index_not_the_tree(hooked: Path) -> None:
    write(hooked, {"a.py": REWORDED})
    git(hooked, "add", "a.py")
    write(hooked, {"a.py": UNGUARDED})
    assert try_commit(hooked).returncode == 0
    git(hooked, "add", "a.py")
    write(hooked, {"a.py": REWORDED})
    assert try_commit(hooked).returncode != 0


def test_the_hook_works_in_a_linked_worktree(hooked: Path, tmp_path: Path) -> None:
    git(hooked, "worktree", "add", "-q", str(tmp_path / "linked"))
    write(tmp_path / "linked", {"a.py": UNGUARDED})
    assert try_commit(tmp_path / "linked", "-a").returncode != 0
    write(tmp_path / "linked", {"a.py": REWORDED})
    assert try_commit(tmp_path / "linked", "-a").returncode == 0


def test_a_hook_in_place_is_kept_and_runs_first(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n"})
    mine = repo / ".git/hooks/pre-commit"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text('#!/bin/sh\necho ran >> "$(git rev-parse --git-dir)/mine"\nexit "$(cat .code)"\n')
    mine.chmod(0o755)
    ended = scaffold("init", "--hook", cwd=repo)
    assert "is kept as pre-commit.before-scaffold and runs first" in ended.told
    commit_code = {"a.py": "x = 2\n", ".code": "0"}
    write(repo, commit_code)
    git(repo, "add", "-A")
    assert try_commit(repo).returncode == 0
    assert (repo / ".git/mine").read_text() == "ran\n"
    write(repo, {".code": "7", "a.py": "x = 3\n"})
    assert try_commit(repo, "-a").returncode != 0
    again = scaffold("init", "--hook", cwd=repo)
    assert "was there already" in again.out
    assert MARK in mine.read_text()


def test_hooks_kept_elsewhere_are_left_alone(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "scaffold.toml": ""})
    (tmp_path / "shared").mkdir()
    git(repo, "config", "core.hooksPath", str(tmp_path / "shared"))
    ended = scaffold("init", "--hook", cwd=repo)
    assert ended.code == 2
    assert "core.hooksPath" in ended.warned
    assert list((tmp_path / "shared").iterdir()) == []


def test_doctor_proves_that_the_hook_blocks(hooked: Path) -> None:
    before = entries(hooked)
    ended = scaffold("doctor", cwd=hooked, env={"COLUMNS": "120"})
    assert ended.code == 0
    assert "proven: stops a commit that drops a guard" in ended.told
    for word in ("git version", "semgrep", "isolation overlay", "python", "platform"):
        assert word in ended.out
    assert entries(hooked) == before


@pytest.mark.parametrize(
    ("script", "said"), [("exit 0", "let a commit through"), ("exit 1", "refuses even a harmless")]
)
def test_doctor_finds_a_hook_that_does_not_do_its_work(hooked: Path, script: str, said: str) -> None:
    (hooked / ".git/hooks/pre-commit").write_text(f"#!/bin/sh\n{MARK}\n{script}\n")
    ended = scaffold("doctor", cwd=hooked, env={"COLUMNS": "120"})
    assert ended.code == 3
    assert said in ended.told


def test_doctor_outside_a_repository_and_without_git(tmp_path: Path) -> None:
    ended = scaffold("doctor", cwd=tmp_path)
    assert ended.code == 0
    assert "is not inside a git repository" in ended.told
    ended = scaffold("doctor", cwd=tmp_path, env={"PATH": str(tmp_path)})
    assert ended.code == 3


def test_a_merge_that_commits_by_itself_passes_the_second_hook(hooked: Path) -> None:
    git(hooked, "checkout", "-q", "-b", "side")
    commit(hooked, {"b.py": "x = 5\n"})
    git(hooked, "checkout", "-q", "main")
    commit(hooked, {"c.py": "y = 1\n"})
    git(hooked, "merge", "--no-edit", "side")
    (hooked / ".git/hooks" / HOOKS[1]).write_text("#!/bin/sh\nexit 1\n")
    git(hooked, "checkout", "-q", "side")
    commit(hooked, {"d.py": "z = 1\n"})
    assert subprocess.run(["git", "merge", "--no-edit", "main"], cwd=hooked, check=False).returncode != 0


def test_anchors_lists_what_protects(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"notes/a.py": GUARDED, "b.py": "x = 1\n"})
    text = scaffold("anchors", "notes", cwd=repo).out
    assert "notes/a.py:2" in text
    assert "guard" in text
    found = scaffold("anchors", ".", "--format", "json", cwd=repo).json
    assert {anchor["protection"]["place"]["path"] for anchor in found} == {"notes/a.py"}
    assert scaffold("anchors", "b.py", cwd=repo).out == "No protections were found.\n"
    write(repo, {"notes/a.py": UNGUARDED})
    assert scaffold("anchors", "notes", cwd=repo).out.count("guard") == 0


def test_config_explains_a_folder(tmp_path: Path) -> None:
    files = {"scaffold.toml": "[budget]\nfiles = 1\n", "a/scaffold.toml": "[budget]\nfiles = 2\n", "a/x.py": ""}
    repo = make_repo(tmp_path / "repo", files)
    shown = scaffold("config", "a/x.py", "--format", "json", cwd=repo).json
    assert shown["budget.files"] == {"value": 2, "origin": "a/scaffold.toml:2"}
    assert scaffold("config", "--format", "json", cwd=repo / "a").json["budget.files"]["value"] == 2
    assert scaffold("config", "--format", "json", cwd=repo).json["budget.files"]["value"] == 1
    assert "scaffold.toml:2" in scaffold("config", cwd=repo).out


@pytest.mark.parametrize("name", list(SchemaName))
def test_every_schema_is_published(name: SchemaName, tmp_path: Path) -> None:
    ended = scaffold("schema", name.value, cwd=tmp_path)
    jsonschema.Draft202012Validator.check_schema(ended.json)
    assert os.environ["HOME"] not in ended.out
    if name is SchemaName.CONFIG:
        assert scaffold("config", "--schema", cwd=tmp_path).json == json.loads(ended.out)


@pytest.mark.parametrize(
    ("script", "said", "code"),
    [
        ("exec scaffold check --staged", "proven: stops a commit", 0),
        ("scaffold check --staged || true", "let a commit through", 3),
        ("test -f only-here && scaffold check --staged", "cannot be tried in a scratch repository", 0),
        ("exit 0", "does not call scaffold", 0),
    ],
)
def test_doctor_tries_a_hook_written_by_hand(hooked: Path, script: str, said: str, code: int) -> None:
    (hooked / ".git/hooks/pre-commit").write_text(f"#!/bin/sh\n{script}\n")
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = scaffold("doctor", cwd=hooked, env={"COLUMNS": "120", "PATH": tools})
    assert ended.code == code
    assert said in ended.told
