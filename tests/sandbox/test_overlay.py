"""What only an overlay has to get right."""

from __future__ import annotations

import json
import os
import py_compile
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import availabilities, open_workspace
from scaffold_cli.vcs.doors.folders import folders
from scaffold_cli.vcs.doors.working_tree import working_tree
from scaffold_cli.vcs.repository import Repository
from tests.support.repos import commit, git, make_repo, write
from tests.support.snapshots import snapshot
from tests.support.trees import tree_at

OVERLAY = IsolationKind.OVERLAY


@pytest.fixture(autouse=True)
def overlay(repo: Path) -> None:
    found = next(item for item in availabilities(repo) if item.kind is OVERLAY)
    if not found.works:
        pytest.skip(f"this machine forbids private mounts, so the next best way is used: {found.because}")


def test_it_is_what_one_gets_without_asking(repo: Path) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo) as workspace:
        assert workspace.kind is OVERLAY
        assert workspace.root == repo


@pytest.mark.parametrize("age", [0, 1000])
def test_old_bytecode_is_not_taken_for_the_candidate_s(repo: Path, age: int) -> None:
    """Python trusts bytecode by the time (in seconds) and size of its source, and both can be the same."""
    commit(repo, {"app.py": "print('one')\n"}, "One")
    write(repo, {"app.py": "print('two')\n"})
    saved = int(time.time()) + age  # the very second in which the workspace is opened, or a clock that was ahead
    os.utime(repo / "app.py", (saved, saved))
    py_compile.compile(str(repo / "app.py"))
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=OVERLAY) as workspace:
        assert workspace.run([sys.executable, "-c", "import app"], timeout=30).stdout == b"one\n"
        workspace.write({"app.py": FileVersion("app.py", b"print('six')\n")})
        assert workspace.run([sys.executable, "-c", "import app"], timeout=30).stdout == b"six\n"


def test_a_linked_worktree_is_isolated_with_its_repository(repo: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", str(linked))
    before = snapshot(repo), snapshot(linked)
    with tree_at(linked) as tree, open_workspace(tree, linked, kind=OVERLAY) as workspace:
        script = "echo x > app.py && git commit -qam Inside && git log --format=%s -1 && git tag inside"
        assert workspace.run(["sh", "-c", script], timeout=30).stdout == b"Inside\n"
        assert set(workspace.changes()) == {"app.py"}
    assert (snapshot(repo), snapshot(linked)) == before


def test_before_the_first_commit(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "unborn", {})
    write(repo, {"draft.py": "draft\n"})
    with working_tree(Repository.discover(repo), 1_000_000) as comparison:
        with open_workspace(comparison.before, repo, kind=OVERLAY) as workspace:
            assert workspace.run(["sh", "-c", "ls -A"], timeout=30).stdout == b".git\n"
        with open_workspace(comparison.after, repo, kind=OVERLAY) as workspace:
            assert workspace.run(["sh", "-c", "ls"], timeout=30).stdout == b"draft.py\n"


def test_two_plain_folders(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, text in ((old, "old\n"), (new, "new\n")):
        folder.mkdir()
        write(folder, {"same.py": "same\n", "differs.py": text, f"only_{folder.name}.py": text})
        write(folder, {".venv/pyvenv.cfg": "home = /usr\n"})
    before = snapshot(tmp_path)
    with folders(old, new, 1_000_000) as comparison:
        for tree, folder, text in ((comparison.before, old, "old"), (comparison.after, new, "new")):
            with open_workspace(tree, folder, kind=OVERLAY) as workspace:
                done = workspace.run(
                    ["sh", "-c", "cat same.py differs.py; ls -A; rm same.py; echo >> differs.py"], timeout=30
                )
                assert done.stdout.decode().split() == [
                    "same",
                    text,
                    ".venv",
                    "differs.py",
                    f"only_{text}.py",
                    "same.py",
                ]
                assert set(workspace.changes()) == {"same.py", "differs.py"}
    assert snapshot(tmp_path) == before


def test_the_other_side_of_two_folders_can_be_seen_over_one(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder, files in ((old, {"a.py": "old\n", "gone.py": "g\n"}), (new, {"a.py": "new\n", "added.py": "a\n"})):
        folder.mkdir()
        write(folder, files)
    with folders(old, new, 1_000_000) as comparison, open_workspace(comparison.before, new, kind=OVERLAY) as workspace:
        done = workspace.run(["sh", "-c", "cat a.py; ls"], timeout=30)
        assert done.stdout.decode().split() == ["old", "a.py", "gone.py"]
        assert workspace.changes() == {}


def test_files_are_checked_out_and_taken_back_as_git_would(repo: Path) -> None:
    commit(repo, {".gitattributes": "*.txt text eol=crlf\n", "note.txt": "one\ntwo\n"}, "Line ends")
    write(repo, {"note.txt": "edited\r\n"})
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=OVERLAY) as workspace:
        assert workspace.run(["cat", "note.txt"], timeout=30).stdout == b"one\r\ntwo\r\n"
        assert workspace.changes() == {}
        assert workspace.run(["sh", "-c", r"printf 'three\r\n' >> note.txt"], timeout=30).ok
        changed = workspace.changes()["note.txt"]
        assert changed is not None
        assert changed.data == b"one\ntwo\nthree\n"


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_file_git_was_told_to_overlook_is_judged_as_committed(repo: Path, flag: str) -> None:
    first = git(repo, "rev-parse", "HEAD")
    commit(repo, {"app.py": "x = 2\n"}, "Second")
    git(repo, "update-index", flag, "app.py")
    write(repo, {"app.py": "x = 'mine'\n"})
    with tree_at(repo, first) as tree, open_workspace(tree, repo, kind=OVERLAY) as workspace:
        assert workspace.run(["cat", "app.py"], timeout=30).stdout == b"x = 1\n"


def test_in_the_middle_of_a_merge(repo: Path) -> None:
    git(repo, "switch", "-qc", "side")
    commit(repo, {"app.py": "x = 'side'\n"}, "Side")
    git(repo, "switch", "-q", "main")
    commit(repo, {"app.py": "x = 'main'\n"}, "Main")
    with pytest.raises(AssertionError, match="merge side ended"):
        git(repo, "merge", "side")
    before = (repo / ".git/index").read_bytes()
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=OVERLAY) as workspace:
        assert workspace.run(["cat", "app.py"], timeout=30).stdout == b"x = 'main'\n"
        assert workspace.changes() == {}
    assert (repo / ".git/index").read_bytes() == before


def test_outside_a_sparse_cone_only_what_differs_is_added(repo: Path) -> None:
    first = git(repo, "rev-parse", "HEAD")
    commit(repo, {"deep/er/three.py": "changed\n"}, "Change")
    git(repo, "sparse-checkout", "set", "pkg")
    assert not (repo / "deep").exists()
    with tree_at(repo, first) as tree, open_workspace(tree, repo, kind=OVERLAY) as workspace:
        assert workspace.run(["cat", "deep/er/three.py"], timeout=30).stdout == b"three\n"
        assert workspace.changes() == {}


def test_an_ordinary_user_gets_an_overlay_too(repo: Path, tmp_path: Path) -> None:
    """As root this goes through a user namespace in which we are number 1000; otherwise we are ordinary already."""
    script = """
import json, os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import open_workspace
from tests.support.trees import tree_at
repo = Path(sys.argv[1])
with tree_at(repo) as tree, open_workspace(tree, repo, kind=IsolationKind.OVERLAY) as workspace:
    done = workspace.run(["sh", "-c", "id -u; rm -r pkg; mkdir pkg; echo n > pkg/new; echo x > app.py"], timeout=30)
    changes = {path: version and version.data.decode() for path, version in workspace.changes().items()}
print(json.dumps([os.geteuid(), done.stdout.decode(), changes]))
"""
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", script, str(repo), str(root)]
    if os.geteuid() == 0:
        unshare = shutil.which("unshare")
        assert unshare is not None
        command = [unshare, "--user", "--map-user=1000", "--map-group=1000", *command]
    before = snapshot(repo)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 1 and "unshare failed" in done.stderr:
        pytest.skip(f"this machine forbids user namespaces: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    user, seen, changes = json.loads(done.stdout)
    assert user != 0
    assert seen == f"{user}\n"
    assert changes == {"app.py": "x\n", "pkg/new": "n\n", "pkg/one.py": None, "pkg/two.py": None}
    assert snapshot(repo) == before


NAMES = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map("/".join)
STEPS = st.lists(st.tuples(NAMES, st.none() | st.sampled_from([b"", b"1\n", b"22\n"])), max_size=8)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.dictionaries(NAMES, st.just("0\n"), max_size=4), steps=STEPS)
def test_writing_obeys_a_simple_model(
    start: dict[str, str], steps: list[tuple[str, bytes | None]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is written and deleted, in whatever order: commands, `read` and `changes` all see the same files."""
    tracked = {name: text for name, text in start.items() if not any(name.startswith(f"{other}/") for other in start)}
    repo = make_repo(tmp_path_factory.mktemp("model") / "repo", {**tracked, "keep": "k\n"})
    model = {**{name: text.encode() for name, text in tracked.items()}, "keep": b"k\n"}
    base = dict(model)
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=OVERLAY) as workspace:
        for name, data in steps:
            workspace.write({name: None if data is None else FileVersion(name, data)})
            for other in [other for other in model if other == name or other.startswith(f"{name}/")]:
                del model[other]
            if data is not None:
                for other in [other for other in model if name.startswith(f"{other}/")]:
                    del model[other]
                model[name] = data
        script = "find . -path ./.git -prune -o -type f -print"
        seen = workspace.run(["sh", "-c", script], timeout=30).stdout.decode().split()
        assert sorted(seen) == sorted(f"./{name}" for name in model)
        assert {name: workspace.read(name) for name in model} == model
        said = {path: version and version.data for path, version in workspace.changes().items()}
        expected: dict[str, bytes | None] = {name: data for name, data in model.items() if base.get(name) != data}
        assert said == expected | {name: None for name in base if name not in model}
