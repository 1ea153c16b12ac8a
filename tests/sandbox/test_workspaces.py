"""What holds for every way of isolating a tree."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.processes import Completed, ProgramNotFoundError
from scaffold_cli.sandbox.interface import IsolationKind, Workspace
from scaffold_cli.sandbox.workspaces import open_workspace
from tests.support.repos import commit, git, make_repo, write
from tests.support.snapshots import snapshot
from tests.support.trees import tree_at

BINARY = bytes(range(256))


def sh(workspace: Workspace, script: str, folder: str = "", timeout: float = 30) -> Completed:
    return workspace.run(["sh", "-c", script], timeout=timeout, folder=folder)


def lines(done: Completed) -> list[str]:
    assert done.ok, done
    return done.stdout.decode().split()


def disturb(repo: Path) -> None:
    """Everything a user may have lying around beside the last commit."""
    write(repo, {"pkg/one.py": "edited\n", "pkg/two.py": None, "staged.py": "staged\n", "app.log": "ignored\n"})
    git(repo, "add", "staged.py")
    write(repo, {"mine/draft.py": "untracked\n", "loose.py": "untracked\n", "build/out": "ignored\n"})
    write(repo, {".venv/pyvenv.cfg": "home = /usr\n", ".venv/bin/tool": "#!/bin/sh\necho tool\n"})
    (repo / ".venv/bin/tool").chmod(0o755)
    (repo / "dangling").symlink_to("nowhere")


def everything_in(repo: Path) -> dict[str, tuple[str, int, str]]:
    """A snapshot in which only the age of loose objects is left open: git renews it when it meets one again."""
    return {
        path: (mode, 0 if path.startswith(".git/objects/") else age, content)
        for path, (mode, age, content) in snapshot(repo).items()
    }


def temporary_folders() -> set[str]:
    return {child.name for child in Path(tempfile.gettempdir()).iterdir() if child.name.startswith("scaffold-")}


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


def test_commands_see_exactly_the_tree(repo: Path, kind: IsolationKind) -> None:
    disturb(repo)
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        seen = lines(
            sh(workspace, "find . -path ./.git -prune -o -path ./.venv -prune -o -type f -print -o -type l -print")
        )
        tracked = {f"./{path}" for path in tree.paths()}
        assert tracked <= set(seen)
        assert set(seen) - tracked <= {"./app.log", "./build/out", "./.git"}
        assert lines(sh(workspace, "cat pkg/one.py pkg/two.py")) == ["one", "two"]
        assert workspace.read("pkg/one.py") == b"one\n"
        assert workspace.read("loose.py") is None
        assert workspace.changes() == {}


def test_ignored_files_and_environments_are_there(repo: Path, kind: IsolationKind) -> None:
    disturb(repo)
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert lines(sh(workspace, "cat app.log; .venv/bin/tool")) == ["ignored", "tool"]


def test_an_environment_that_nothing_ignores_is_there_and_no_change(tmp_path: Path, kind: IsolationKind) -> None:
    repo = make_repo(tmp_path / "plain", {"a.py": "a\n"})
    write(repo, {".venv/pyvenv.cfg": "home = /usr\n"})
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, "test -f .venv/pyvenv.cfg && echo more > .venv/new || test -f .venv/pyvenv.cfg").ok
        assert workspace.changes() == {}
    assert not (repo / ".venv/new").exists()


def test_environments_that_are_committed_are_part_of_the_tree(tmp_path: Path, kind: IsolationKind) -> None:
    repo = make_repo(tmp_path / "vendored", {"a.py": "a\n", "node_modules/lib/index.js": "1\n"})
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert workspace.changes() == {}
        assert sh(workspace, "echo 2 > node_modules/lib/index.js").ok
        assert set(workspace.changes()) == {"node_modules/lib/index.js"}


def test_changes_tell_what_a_command_did(repo: Path, kind: IsolationKind) -> None:
    script = """
    echo changed > app.py; rm pkg/one.py; mv pkg/two.py pkg/renamed.py; rm -r deep; mkdir deep; echo new > deep/new.py
    echo run > run.sh; chmod +x run.sh; ln -s app.py link; echo x > x.log; mkdir -p build/sub && echo x > build/sub/x
    printf 'one\\n' > 'odd
name'; cp -p .gitignore copy && mv copy .gitignore
    """
    disturb(repo)
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, script).ok
        changes = workspace.changes()
        said = {path: version and (version.data, version.mode) for path, version in changes.items()}
        assert said == {
            "app.py": (b"changed\n", FileMode.REGULAR),
            "pkg/one.py": None,
            "pkg/two.py": None,
            "pkg/renamed.py": (b"two\n", FileMode.REGULAR),
            "deep/er/three.py": None,
            "deep/new.py": (b"new\n", FileMode.REGULAR),
            "run.sh": (b"run\n", FileMode.EXECUTABLE),
            "link": (b"app.py", FileMode.SYMLINK),
            "odd\nname": (b"one\n", FileMode.REGULAR),
        }


def test_a_candidate_cannot_hide_files_by_ignoring_them(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, "echo '*.py' >> .gitignore; echo evil > evil.py").ok
        assert set(workspace.changes()) == {".gitignore", "evil.py"}


def test_files_and_folders_may_trade_places(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, "rm -r pkg app.py; echo file > pkg; mkdir app.py; echo inner > app.py/inner.py").ok
        changes = workspace.changes()
        assert {path for path, version in changes.items() if version is None} == {"app.py", "pkg/one.py", "pkg/two.py"}
        assert {path for path, version in changes.items() if version} == {"pkg", "app.py/inner.py"}


def test_what_is_written_is_read_run_and_reported(repo: Path, kind: IsolationKind) -> None:
    files = {
        "app.py": FileVersion("app.py", BINARY),
        "pkg": FileVersion("pkg", b"a file now\n"),
        "deep/er/three.py": None,
        "new/folder/run": FileVersion("new/folder/run", b"#!/bin/sh\necho ran\n", FileMode.EXECUTABLE),
        "link": FileVersion("link", b"app.py", FileMode.SYMLINK),
        "never/was": None,
        "naïve name.py": FileVersion("naïve name.py", b"n\n"),
    }
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        workspace.write(files)
        assert lines(workspace.run(["new/folder/run"], timeout=30)) == ["ran"]
        assert lines(sh(workspace, "test -L link && cat pkg && test ! -e deep/er/three.py && cat 'naïve name.py'")) == [
            *("a", "file", "now"),
            "n",
        ]
        assert workspace.read("app.py") == BINARY
        assert workspace.read("link") is None
        assert workspace.read("deep/er/three.py") is None
        changes = workspace.changes()
        assert {path: version.data for path, version in changes.items() if version} == {
            path: version.data for path, version in files.items() if version
        }
        gone = {path for path, version in changes.items() if version is None}
        assert gone == {"deep/er/three.py", "pkg/one.py", "pkg/two.py"}


def test_writing_the_same_again_is_no_change(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        workspace.write({"app.py": FileVersion("app.py", b"other\n"), "pkg/one.py": None})
        workspace.write(
            {"app.py": FileVersion("app.py", b"x = 1\n"), "pkg/one.py": FileVersion("pkg/one.py", b"one\n")}
        )
        assert workspace.changes() == {}
        assert lines(sh(workspace, "cat pkg/one.py")) == ["one"]


def test_a_folder_that_was_deleted_comes_back_empty(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, "rm -r pkg").ok
        workspace.write({"pkg/new.py": FileVersion("pkg/new.py", b"new\n")})
        assert lines(sh(workspace, "ls pkg")) == ["new.py"]
        assert workspace.read("pkg/one.py") is None


def test_writing_never_follows_a_link_out(repo: Path, kind: IsolationKind, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, f"rm -r pkg; ln -s '{outside}' pkg; ln -s '{outside}/target' leaf").ok
        assert workspace.read("pkg/one.py") is None
        workspace.write({"pkg/one.py": FileVersion("pkg/one.py", b"in\n"), "leaf": FileVersion("leaf", b"in\n")})
        assert workspace.read("pkg/one.py") == b"in\n"
    assert list(outside.iterdir()) == []


def test_the_user_s_folder_stays_byte_for_byte(repo: Path, kind: IsolationKind) -> None:
    disturb(repo)
    before = everything_in(repo)
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert sh(workspace, "rm -rf *; echo x > app.py; git status; git add -A; git commit -m x; echo y >> .gitignore")
        workspace.write({"app.py": None, "loose.py": FileVersion("loose.py", b"mine\n")})
        workspace.changes()
    assert everything_in(repo) == before
    assert temporary_folders() == set()


def test_nothing_is_left_after_an_error(repo: Path, kind: IsolationKind) -> None:
    def fail() -> None:
        with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
            assert sh(workspace, "mkdir -p sealed/inner; echo x > sealed/inner/x; chmod 000 sealed").ok
            workspace.close()
            raise ZeroDivisionError

    before = everything_in(repo)
    with pytest.raises(ZeroDivisionError):
        fail()
    assert everything_in(repo) == before
    assert temporary_folders() == set()


def test_a_workspace_nobody_closed_goes_with_its_last_reference(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree:
        workspace = open_workspace(tree, repo, kind=kind)
        assert temporary_folders()
        del workspace
        gc.collect()
    assert temporary_folders() == set()


def test_an_older_commit_can_be_opened(repo: Path, kind: IsolationKind) -> None:
    first = git(repo, "rev-parse", "HEAD")
    commit(repo, {"app.py": "x = 2\n", "pkg/one.py": None, "later/added.py": "later\n", "kept.log": "k\n"}, "Later")
    git(repo, "add", "-f", "kept.log")
    commit(repo, {}, "Force an ignored file in")
    with tree_at(repo, first) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert lines(sh(workspace, "cat app.py pkg/one.py; test ! -e later && test ! -e kept.log && echo gone")) == [
            *("x", "=", "1"),
            "one",
            "gone",
        ]
        assert workspace.changes() == {}


def test_the_environment_is_exactly_the_one_given(repo: Path, kind: IsolationKind) -> None:
    env = {"PATH": os.environ["PATH"], "ONLY": "this"}
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        done = workspace.run([sys.executable, "-c", "import os; print(*os.environ)"], timeout=30, env=env)
        assert set(lines(done)) - {"PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE", "PYTHONPATH"} == {"PATH", "ONLY"}


def test_commands_run_in_a_subfolder(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert lines(sh(workspace, "cat one.py", folder="pkg")) == ["one"]
        with pytest.raises(UndecidedError, match="nope is not in the tree"):
            sh(workspace, "true", folder="nope")


def test_a_missing_program_is_named(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        for name in ("no-such-program", "./no/such/file"):
            with pytest.raises(ProgramNotFoundError, match=name):
                workspace.run([name], timeout=30)
        assert sh(workspace, "exit 127").code == 127


def test_exit_codes_and_output_come_through(repo: Path, kind: IsolationKind) -> None:
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        done = sh(workspace, "echo out; echo err >&2; exit 3")
        assert (done.code, done.stdout, done.stderr, done.timed_out) == (3, b"out\n", b"err\n", False)


def test_a_time_out_ends_every_process(repo: Path, kind: IsolationKind) -> None:
    mark = f"sleep-{os.getpid()}-{kind}"
    script = f"exec -a {mark} sleep 300 & (exec -a {mark} sleep 300) & exec -a {mark} sleep 300"
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        done = workspace.run(["bash", "-c", script], timeout=1)
        assert done.timed_out
        assert running(mark) == []


def test_children_do_not_outlive_their_command(repo: Path, kind: IsolationKind) -> None:
    mark = f"child-{os.getpid()}-{kind}"
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert workspace.run(["bash", "-c", f"(exec -a {mark} sleep 300) >/dev/null 2>&1 & true"], timeout=30).ok
        assert running(mark) == []


@pytest.mark.parametrize("kind", [IsolationKind.OVERLAY, IsolationKind.BUBBLEWRAP], indirect=True)
def test_even_daemons_end_with_their_command(repo: Path, kind: IsolationKind) -> None:
    mark = f"daemon-{os.getpid()}-{kind}"
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        daemon = f"setsid bash -c 'exec -a {mark} sleep 300' >/dev/null 2>&1 </dev/null & sleep 0.2"
        assert workspace.run(["bash", "-c", daemon], timeout=30).ok
        assert running(mark) == []


def running(mark: str) -> list[str]:
    """Processes called `mark` that do not go away; a killed one may need a moment for it."""
    found: list[str] = []
    for _ in range(100):
        found = [command for command in commands() if command.startswith(mark)]
        if not found:
            break
        time.sleep(0.05)
    return found


def commands() -> Iterator[str]:
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):  # ended meanwhile
            yield place.read_bytes().decode(errors="replace")


@pytest.mark.parametrize(
    "kind", [IsolationKind.OVERLAY, IsolationKind.BUBBLEWRAP, IsolationKind.WORKTREE], indirect=True
)
def test_git_works_inside(repo: Path, kind: IsolationKind) -> None:
    git(repo, "tag", "v1")
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        assert lines(sh(workspace, "git describe --tags; git status --porcelain")) == ["v1"]
