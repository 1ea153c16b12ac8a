"""The table of docs/safety.md, walked: each row is provoked for real, nothing else is written, and it is undone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.cli.program import Ended, scaffold
from tests.cli.samples import GUARDED, REWORDED
from tests.situations.support import touched
from tests.support.repos import git, make_repo, write
from tests.support.snapshots import snapshot

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/safety.md"
LOOK = """\
#!/bin/sh
{ find .git/scaffold .git/worktrees .git/index.lock "$(git rev-parse --git-common-dir)"/worktrees; ls -d "$TMPDIR"/* |
  sed 's,.*/,$TMPDIR/,'; } >>"$SEEN" 2>/dev/null
exit 0
"""
"""A hook that notes what is there only while a step is written."""


def table() -> dict[str, list[str]]:
    """Each row's name and the places it names, as patterns."""
    rows = re.findall(r"^\| (\w+) \| .*? \| (.*?) \|", DOCUMENT.read_text(), re.MULTILINE)
    return {name: re.findall(r"`([^`]+)`", where) for name, where in rows if name != "name"}


TABLE = table()
JUDGING = ("temporary", "cache")
WRITING = (*JUDGING, "lock", "request", "journal", "files", "index", "branch", "worktree", "ledger", "memory", "kept")
MAY: dict[str, tuple[str, ...]] = {
    "check": (*JUDGING, "output"),
    "run": WRITING,
    "undo": WRITING,
    "resume": WRITING,
    "init": ("settings", "hooks", "approvals"),
    "trust": ("approvals",),
}


@dataclass
class Scene:
    """A repository with work under way, a home and a folder for temporary files, and what was seen on the way."""

    folder: Path
    step: str = "repo/a.py"
    env: dict[str, str] = field(default_factory=dict)

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def seen(self) -> set[str]:
        file = self.folder / "seen"
        return set(file.read_text().split("\n")) if file.exists() else set()

    def everything(self) -> dict[str, tuple[str, int, str]]:
        return {
            name: (mode, 0 if "/objects/" in name else time, content)
            for name, (mode, time, content) in snapshot(self.folder).items()
            if name not in ("seen", "patches")
        }

    def run(self, *words: str) -> Ended:
        """Run a command and show that it touched nothing but what the table lets it touch."""
        before = self.everything()
        ended = scaffold(*words, cwd=self.repo, env=self.env)
        allowed = [place for row in MAY[words[0]] for place in TABLE[row]]
        for name in touched(before, self.everything()):
            inside = name.removeprefix("repo/")
            fits = any(fnmatchcase(inside, place) or place.startswith(f"{inside}/") for place in allowed)
            ours = name == self.step and words[0] in ("run", "undo")
            asked = name == "verdict.json" and "--output" in words
            assert fits or ours or asked, f"{words[0]} touched {name}"
        return ended

    def chain(self, *words: str) -> Ended:
        patches = f"patches:{self.folder / 'patches'}"
        layers = ("--layers", "budget,anchors", "--steps", "1")
        return self.run("run", "a.py", "--goal", "tidy", "--with", patches, *layers, *words)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n", "Makefile": "test:\n\ttrue\n"})
    write(repo, {"a.py": REWORDED})
    patch = git(repo, "diff") + "\n"
    write(repo, {"a.py": GUARDED, "b.py": "x = 2  # mine\n", "loose.txt": "mine\n"})
    for name in ("patches", "tmp", "home"):
        (tmp_path / name).mkdir()
    (tmp_path / "patches/1.patch").write_text(patch)
    hook(repo, "pre-commit", LOOK)
    env = {"TMPDIR": str(tmp_path / "tmp"), "SEEN": str(tmp_path / "seen"), "XDG_STATE_HOME": str(tmp_path / "home")}
    return Scene(tmp_path, env=env)


def hook(repo: Path, name: str, script: str) -> None:
    path = repo / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(script)
    path.chmod(0o755)


def is_there(scene: Scene, row: str) -> set[str]:
    """What of a row's places exists now."""
    names = {name.removeprefix("repo/") for name in snapshot(scene.folder)}
    return {name for name in names if any(fnmatchcase(name, place) for place in TABLE[row])}


def passing(row: str, *words: str) -> Callable[[Scene], None]:
    """A row whose write is there only while a step is written: the hook saw it, and it is gone."""

    def provoke(scene: Scene) -> None:
        before = is_there(scene, row)
        assert scene.chain(*words).code == 0
        found = {
            name
            for line in scene.seen
            for name in (line.removeprefix(f"{scene.repo}/"),)
            if any(fnmatchcase(name, place) for place in TABLE[row])
        }
        assert found, scene.seen
        assert is_there(scene, row) == before == set()
        assert not list((scene.folder / "tmp").iterdir())

    return provoke


def cache(scene: Scene) -> None:
    write(scene.repo, {"a.py": REWORDED})
    before = scene.everything()
    scene.run("check", "--test-command", "true")
    scene.run("check", "--layers", "sast")
    assert is_there(scene, "cache")
    shutil.rmtree(scene.repo / ".git/scaffold")
    assert touched(before, scene.everything()) == set()


def step(scene: Scene) -> None:
    """Files, index and branch: the step, then undo."""
    head, index = git(scene.repo, "rev-parse", "HEAD^{tree}"), git(scene.repo, "ls-files", "-s")
    status = git(scene.repo, "status", "--porcelain")
    assert scene.chain().code == 0
    assert (scene.repo / "a.py").read_text() == REWORDED
    assert git(scene.repo, "ls-files", "-s") != index
    assert git(scene.repo, "show", "--format=", "--name-only", "HEAD") == "a.py"
    assert scene.run("undo").code == 0
    assert (scene.repo / "a.py").read_text() == GUARDED
    assert git(scene.repo, "ls-files", "-s") == index
    assert git(scene.repo, "rev-parse", "HEAD^{tree}") == head
    assert git(scene.repo, "status", "--porcelain") == status


def ledger(scene: Scene) -> None:
    assert scene.chain().code == 0
    (name,) = git(scene.repo, "for-each-ref", "--format=%(refname)", "refs/scaffold").split()
    git(scene.repo, "update-ref", "-d", name)
    assert git(scene.repo, "for-each-ref", "refs/scaffold") == ""


def memory(scene: Scene) -> None:
    assert scene.chain("--memory").code == 0
    assert is_there(scene, "memory")
    shutil.rmtree(scene.repo / ".git/scaffold/memory")
    assert scene.run("undo").code == 0


def kept(scene: Scene) -> None:
    before = {name: entry for name, entry in scene.everything().items() if not name.startswith("repo/.git/")}
    hook(scene.repo, "pre-commit", "#!/bin/sh\necho '# formatted' >>a.py\nexit 1\n")
    ended = scene.chain()
    assert ended.code == 3
    (place,) = [name for name in is_there(scene, "kept") if name.endswith("a.py")]
    assert place in "".join(ended.out.split())
    assert (scene.repo / place).read_text() == REWORDED + "# formatted\n"
    after = {name: entry for name, entry in scene.everything().items() if not name.startswith("repo/.git/")}
    assert touched(before, after) == set()
    shutil.rmtree(scene.repo / ".git/scaffold/kept")


def approvals(scene: Scene) -> None:
    write(scene.repo, {"scaffold.toml": '[tests]\ncommand = "true"\n'})
    before = scene.everything()
    assert scene.run("trust").code == 0
    assert is_there(scene, "approvals")
    assert scene.run("trust", "--revoke").code == 0
    assert touched(before, scene.everything()) <= {"repo/.git/scaffold"}


def settings(scene: Scene) -> None:
    before = scene.everything()
    assert scene.run("init").code == 0
    (scene.repo / "scaffold.toml").unlink()
    scene.run("trust", "--revoke")
    assert touched(before, scene.everything()) <= {"repo/.git/scaffold"}


def hooks(scene: Scene) -> None:
    write(scene.repo, {"scaffold.toml": ""})
    before = scene.everything()
    assert scene.run("init", "--hook").code == 0
    folder = scene.repo / ".git/hooks"
    for path in folder.glob("*"):
        if path.name in ("pre-commit", "pre-merge-commit"):
            path.unlink()
    (folder / "pre-commit.before-scaffold").rename(folder / "pre-commit")
    assert touched(before, scene.everything()) <= {"repo/.git/scaffold"}


def output(scene: Scene) -> None:
    before = scene.everything()
    scene.run("check", "--layers", "budget", "--output", str(scene.folder / "verdict.json"))
    (scene.folder / "verdict.json").unlink()
    assert touched(before, scene.everything()) <= {"repo/.git/scaffold"}


FAULT = """
import sys
import scaffold_cli.cli.commands.log as command

def broken():
    raise RuntimeError("ours")

command.log = broken
from scaffold_cli.__main__ import main
sys.exit(main(["log"]))
"""


def fault(scene: Scene) -> None:
    before = scene.everything()
    env = {**os.environ, **scene.env}
    done = subprocess.run([sys.executable, "-c", FAULT], cwd=scene.repo, env=env, capture_output=True, check=False)
    assert done.returncode == 4, done.stderr
    (report,) = (scene.folder / "home/scaffold").iterdir()
    assert report.name.startswith("fault-")
    shutil.rmtree(scene.folder / "home/scaffold")
    assert touched(before, scene.everything()) == set()


PROVOKED: Mapping[str, Callable[[Scene], None]] = {
    "temporary": passing("temporary"),
    "cache": cache,
    "lock": passing("lock"),
    "request": passing("request"),
    "journal": passing("journal"),
    "files": step,
    "index": step,
    "branch": step,
    "worktree": passing("worktree", "--branch", "refined"),
    "ledger": ledger,
    "memory": memory,
    "kept": kept,
    "approvals": approvals,
    "settings": settings,
    "hooks": hooks,
    "output": output,
    "fault": fault,
}


def test_every_row_is_provoked_here() -> None:
    assert set(PROVOKED) == set(TABLE)


@pytest.mark.parametrize("row", [row for row in PROVOKED if row not in ("index", "branch")])
def test_a_row_is_true_and_nothing_else_is_written(scene: Scene, row: str) -> None:
    PROVOKED[row](scene)
