"""What a command in a workspace cannot reach, for each way of holding it in that works here."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.sandbox import beside
from scaffold_cli.sandbox.confinement import Confinement, ConfinementKind
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


def test_what_is_left_behind_ends_with_the_command(workspace: Workspace, repo: Path) -> None:
    mark = "31.4159"
    script = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
    script += f"        os.execvp('sleep', ['sleep', '{mark}'])\n    os._exit(0)\ntime.sleep(0.2)\n"
    assert workspace.run([sys.executable, "-c", script], timeout=60).ok
    words = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [line for line in words if mark.encode() in line]


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
