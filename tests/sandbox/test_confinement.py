"""What a command in a workspace cannot reach, for each way of holding it in that works here."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.sandbox import beside
from scaffold_cli.sandbox.confinement import DROPPED, Confinement, ConfinementKind
from scaffold_cli.sandbox.interface import IsolationKind, Workspace
from scaffold_cli.sandbox.workspaces import availabilities, open_workspace
from tests.support.trees import tree_at

KINDS = (IsolationKind.OVERLAY, IsolationKind.BUBBLEWRAP, IsolationKind.WORKTREE)
HELD = (ConfinementKind.NAMESPACES, ConfinementKind.BUBBLEWRAP, ConfinementKind.LANDLOCK)
PROBE = """
import json, os, socket, sys, tempfile
def tried(work):
    try:
        return [True, work()]
    except BaseException as error:
        return [False, type(error).__name__]
def put(path):
    with open(path, "w") as stream:
        stream.write("x")
def local():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), 5):
        pass
home = os.path.expanduser("~")
print(json.dumps({
    "tree": tried(lambda: put("made.txt")),
    "temporary": tried(lambda: put(os.path.join(tempfile.gettempdir(), "made.txt"))),
    "system": tried(lambda: put("/usr/made.txt")),
    "beside": tried(lambda: put(sys.argv[1])),
    "home": tried(lambda: put(os.path.join(home, "made.txt"))),
    "key": tried(lambda: open(os.path.join(home, ".ssh", "id")).read()),
    "netrc": tried(lambda: open(os.path.join(home, ".netrc")).read()),
    "plain": tried(lambda: open(os.path.join(home, "notes.txt")).read()),
    "network": tried(lambda: socket.create_connection(("192.0.2.1", 80), 2)),
    "localhost": tried(local),
    "kernel": tried(lambda: open("/proc/sys/kernel/core_pattern", "w")),
    "environment": sorted(name for name in os.environ if name.startswith("T_")),
}))
"""


@pytest.fixture
def home(git_env: Path) -> Path:
    """A home folder with secrets in it."""
    (git_env / ".ssh").mkdir()
    (git_env / ".ssh" / "id").write_text("key")
    (git_env / ".netrc").write_text("password")
    (git_env / "notes.txt").write_text("notes")
    return git_env


@pytest.fixture(params=KINDS)
def workspace(request: pytest.FixtureRequest, repo: Path, home: Path) -> Iterator[Workspace]:
    assert home.is_dir()
    kind: IsolationKind = request.param
    because = next(item.because for item in availabilities(repo) if item.kind is kind)
    if because:
        pytest.skip(f"{kind} does not work on this machine: {because}")
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as opened:
        if opened.confinement not in HELD:
            pytest.skip("nothing on this machine can hold a command in")
        yield opened


def probe(workspace: Workspace, repo: Path) -> dict[str, Any]:
    private = repo.parent / "private"
    private.mkdir(exist_ok=True)
    secrets = {"T_TOKEN": "x", "T_API_KEY": "x", "T_DB_PASSWORD": "x", "T_PLAIN": "x"}
    env = {**os.environ, **secrets, "TMPDIR": str(private)}
    done = workspace.run([sys.executable, "-c", PROBE, str(repo.parent / "made.txt")], timeout=60, env=env)
    assert done.ok, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_command_reaches_its_tree_and_little_else(workspace: Workspace, repo: Path, home: Path) -> None:
    found = probe(workspace, repo)
    reached = {name for name, value in found.items() if name != "environment" and value[0] and value[1] != ""}
    assert {"tree", "temporary", "plain"} <= reached
    assert not reached & {"key", "netrc", "network", "system", "kernel"}
    assert found["environment"] == ["T_PLAIN"]
    assert not any((place / "made.txt").exists() for place in (repo, repo.parent, home, Path("/usr")))
    if workspace.confinement is not ConfinementKind.LANDLOCK:
        assert "localhost" in reached


STAYS = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", MARK])
    os._exit(0)
print("started", flush=True)
time.sleep(SECONDS)
"""
"""Leaves a process in a session of its own, of which only the machine's first process is a parent."""


def leaves(mark: str, seconds: float) -> list[str]:
    return [sys.executable, "-c", STAYS.replace("MARK", repr(mark)).replace("SECONDS", repr(seconds))]


def running(mark: str) -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes()
            found += [words] if words.startswith(b"sleep\0" + mark.encode()) else []
    return found


def gone(mark: str) -> bool:
    """Wait for a process to be gone: the system takes it away a moment after it was ended."""
    for _ in range(200):
        if not running(mark):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def mark() -> str:
    """Seconds that no other process on the machine sleeps: tests run side by side, and so does the same test."""
    return f"{time.time_ns() % 10**9}.{os.getpid()}"


@pytest.fixture(params=KINDS)
def any_workspace(request: pytest.FixtureRequest, repo: Path) -> Iterator[Workspace]:
    kind: IsolationKind = request.param
    because = next(item.because for item in availabilities(repo) if item.kind is kind)
    if because:
        pytest.skip(f"{kind} does not work on this machine: {because}")
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as opened:
        yield opened


def test_what_is_left_behind_ends_with_the_command(any_workspace: Workspace, mark: str) -> None:
    assert any_workspace.run(leaves(mark, 0.2), timeout=60).ok
    assert running(mark) == []


def test_what_is_left_behind_ends_with_a_time_out(any_workspace: Workspace, mark: str) -> None:
    done = any_workspace.run(leaves(mark, 60), timeout=3)
    assert done.timed_out
    assert b"started" in done.stdout
    assert gone(mark)


@pytest.mark.parametrize("kind", [IsolationKind.OVERLAY, IsolationKind.BUBBLEWRAP])
def test_the_superuser_cannot_undo_it(repo: Path, kind: IsolationKind) -> None:
    because = next(item.because for item in availabilities(repo) if item.kind is kind)
    if because or os.geteuid() != 0:
        pytest.skip(because or "this is about the superuser")
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=kind) as workspace:
        if workspace.confinement not in HELD:
            pytest.skip("nothing on this machine can hold a command in")
        told = workspace.run(["grep", "Cap", "/proc/self/status"], timeout=60).stdout.decode().split()
        sets = {name: int(value, 16) for name, value in zip(told[::2], told[1::2], strict=True)}
        assert not [number for number in DROPPED for name in ("CapEff:", "CapBnd:") if sets[name] >> number & 1]
        assert not workspace.run(["mount", "-o", "remount,rw", "/"], timeout=60).ok


@pytest.mark.parametrize("held", [True, False], ids=["as it is here", "with nothing to hold it in"])
def test_a_way_without_namespaces_ends_what_is_left_too(
    repo: Path, monkeypatch: pytest.MonkeyPatch, held: bool, mark: str
) -> None:
    if not held:
        monkeypatch.setattr(beside, "landlock_unavailable", lambda: "it is switched off for this test")
    with tree_at(repo) as tree, open_workspace(tree, repo, kind=IsolationKind.WORKTREE) as workspace:
        assert held or workspace.confinement is ConfinementKind.NONE
        assert workspace.run(leaves(mark, 0.2), timeout=60).ok
        assert running(mark) == []
        assert workspace.run(leaves(mark, 60), timeout=3).timed_out
        assert gone(mark)
        assert workspace.run(["sh", "-c", "exit 7"], timeout=60).code == 7
        assert not workspace.run(["sh", "-c", "kill -9 $$"], timeout=60).ok


KILLED = """
import sys
from pathlib import Path
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import open_workspace
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

repo = Path(sys.argv[1])
store = ObjectStore.of(Repository.discover(repo))
with open_workspace(GitTree(store, store.tree_of("HEAD")), repo, kind=IsolationKind(sys.argv[2])) as workspace:
    workspace.run(sys.argv[3:], timeout=60)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_goes_on_when_the_program_itself_is_killed(repo: Path, kind: IsolationKind, mark: str) -> None:
    because = next(item.because for item in availabilities(repo) if item.kind is kind)
    if because:
        pytest.skip(f"{kind} does not work on this machine: {because}")
    command = [sys.executable, "-c", KILLED, str(repo), kind.value, *leaves(mark, 60)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        for _ in range(600):
            if running(mark) or process.poll() is not None:
                break
            time.sleep(0.05)
        assert running(mark), "the command never started"
        process.kill()
    assert gone(mark)


def test_limits_hold(repo: Path) -> None:
    rules = Confinement(memory=200_000_000, file=1_000_000, output=1000)
    with tree_at(repo) as tree, open_workspace(tree, repo, rules=rules) as workspace:
        if workspace.confinement not in HELD:
            pytest.skip("nothing on this machine can hold a command in")
        much = workspace.run([sys.executable, "-c", "x = bytearray(400_000_000)"], timeout=60)
        assert b"MemoryError" in much.stderr
        large = workspace.run([sys.executable, "-c", "open('big', 'wb').write(bytes(5_000_000))"], timeout=60)
        assert not large.ok
        loud = workspace.run([sys.executable, "-c", "print('x' * 1_000_000 + 'end')"], timeout=60)
        assert loud.ok
        assert len(loud.stdout) <= 70_000
        assert loud.stdout.endswith(b"end\n")


def test_the_network_and_variables_are_there_when_they_are_allowed(repo: Path) -> None:
    rules = Confinement(network=True, environment=("T_TOKEN",))
    script = "import os; print(os.environ['T_TOKEN'], sorted(os.listdir('/sys/class/net')))"
    with tree_at(repo) as tree, open_workspace(tree, repo, rules=rules) as workspace:
        done = workspace.run([sys.executable, "-c", script], timeout=60, env={**os.environ, "T_TOKEN": "given"})
    assert done.stdout.startswith(b"given")


def test_a_required_sandbox_that_cannot_be_had_is_undecided(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "landlock_unavailable", lambda: "it is switched off for this test")
    with tree_at(repo) as tree, pytest.raises(UndecidedError, match="sandbox is required"):
        open_workspace(tree, repo, kind=IsolationKind.WORKTREE, rules=Confinement(required=True))


def test_names_of_secrets_are_told_from_others() -> None:
    kept = {"PATH": "", "HOME": "", "KEYBOARD": "", "TOKENIZERS_PARALLELISM": "", "LANG": "", "AUTHOR": ""}
    gone = {"GH_TOKEN": "", "AWS_PROFILE": "", "OPENAI_API_KEY": "", "PGPASSWORD": "", "SSH_AUTH_SOCK": ""}
    assert Confinement().cleaned({**kept, **gone}) == {name: "" for name in kept if name != "TOKENIZERS_PARALLELISM"}
