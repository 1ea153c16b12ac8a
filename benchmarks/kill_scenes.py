"""What `benchmarks.killing` kills: a command on a project full of work under way, and the states it may be in."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Ada"), ("EMAIL", "ada@example.invalid"))
}
_COMPARED = ("files", "index", "refs", "status", "stash")
SCENARIOS = ("run", "hooks", "branch", "worktree", "undo")
GUARDED = """\
def read(root, name, user):
    if user.name != "admin":
        raise PermissionError("not yours")
    with open(root + name) as file:
        return file.read()
"""


@dataclass(frozen=True, slots=True)
class State:
    """Everything of the user's that a step may and may not touch, comparable between copies of a project."""

    files: Mapping[str, str]
    index: str
    refs: str
    status: str
    stash: str
    leftovers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Project:
    """A prepared repository to copy, where the command runs in it, and what else a trial needs."""

    template: Path
    command: tuple[str, ...]
    place: str
    """The folder below the copy in which the command runs."""


def git(folder: Path, *words: str) -> str:
    """What git says, whatever it ends with."""
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, check=False, env=environment(folder.parent))
    return done.stdout.decode("utf-8", "surrogateescape")


def prepare(folder: Path, scenario: str) -> Project:
    """A project with work under way and a chain of three steps ahead. `scenario` is one of `SCENARIOS`."""
    repo = folder / "repo"
    (repo / "src/old").mkdir(parents=True)
    files = {
        "src/a.py": GUARDED,
        "src/b.py": "x = 1\n",
        "src/old/c.py": "c = 1\n",
        "notes.txt": "one\n",
        "other.py": "y = 1\n",
    }
    for name, text in files.items():
        (repo / name).write_text(text)
    (repo / ".gitignore").write_text("*.local\n")
    git(folder, "init", "-q", "-b", "main", "repo")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Start")
    _record_patches(repo, folder / "patches")
    for name in ("notes.txt", "other.py"):
        (repo / name).write_text("stashed\n")
    git(repo, "stash", "push", "-q", "-m", "mine")
    git(repo, "branch", "mine")
    (repo / "other.py").write_text("y = 2  # staged\n")
    git(repo, "add", "other.py")
    (repo / "other.py").write_text("y = 2  # staged\ny = 3  # not staged\n")
    (repo / "loose.txt").write_text("not known to git\n")
    (repo / "secret.local").write_text("ignored\n")
    (repo / "link").symlink_to("nowhere")
    place = "repo"
    extra: tuple[str, ...] = ()
    if scenario == "hooks":
        for name in ("pre-commit", "post-commit", "commit-msg"):
            hook = repo / ".git/hooks" / name
            hook.parent.mkdir(exist_ok=True)
            hook.write_text("#!/bin/sh\ngit status >/dev/null\nsleep 0.1\n")
            hook.chmod(0o755)
    elif scenario == "branch":
        extra = ("--branch", "refined")
    elif scenario == "worktree":
        git(repo, "worktree", "add", "-q", "-b", "side", "../side")
        place = "side"
    patches = f"patches:{folder / 'patches'}"
    run = ("run", "src", "--goal", "tidy", "--with", patches, "--layers", "budget,anchors", "--steps", "3", *extra)
    if scenario != "undo":
        return Project(folder, run, place)
    subprocess.run(program(*run), cwd=repo, env=environment(folder), check=True, capture_output=True)
    return Project(folder, ("undo", "3"), place)


def _record_patches(repo: Path, patches: Path) -> None:
    """A file rewritten; one made in new folders, one removed with its folder, one rewritten; a file become a folder."""
    steps: list[dict[str, str | None]] = [
        {"src/a.py": GUARDED.replace("file", "stream")},
        {"src/new/deep/d.py": "d = 1\n", "src/old/c.py": None, "src/b.py": "x = 1\nz = 2\n"},
        {"src/b.py": None, "src/b.py/inner.py": "inner = 1\n", "src/a.py": GUARDED.replace("file", "handle")},
    ]
    patches.mkdir()
    for number, edits in enumerate(steps, 1):
        for name, text in edits.items():
            if text is None:
                (repo / name).unlink()
        for name, text in edits.items():
            if text is not None:
                (repo / name).parent.mkdir(parents=True, exist_ok=True)
                (repo / name).write_text(text)
        git(repo, "add", "-A")
        (patches / f"{number}.patch").write_text(git(repo, "diff", "--cached", "--binary"))
        git(repo, "commit", "-qm", "for the patch")
    git(repo, "reset", "-q", "--hard", "HEAD~3")
    git(repo, "reflog", "expire", "--expire=now", "--all")


@contextlib.contextmanager
def copied(project: Project, scratch: Path) -> Iterator[Path]:
    """A copy of the project with a home and a folder for temporary files of its own, gone afterwards."""
    folder = scratch / f"trial-{os.urandom(4).hex()}"
    shutil.copytree(project.template, folder, symlinks=True)
    for name in ("tmp", "home"):
        (folder / name).mkdir(exist_ok=True)
    admin = folder / "repo/.git/worktrees/side"
    if admin.is_dir():
        (admin / "gitdir").write_text(f"{folder / 'side/.git'}\n")
        (folder / "side/.git").write_text(f"gitdir: {admin}\n")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def scaffold(folder: Path, place: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        program(*words), cwd=folder / place, env=environment(folder), capture_output=True, text=True, check=False
    )


def states(project: Project, scratch: Path) -> list[State]:
    """The states the command passes through, from the one before to the last: 0, 1, 2, 3 steps, or undone or not."""
    seen = []
    with copied(project, scratch) as folder:
        seen.append(state(folder))
    steps = range(1, 4) if project.command[0] == "run" else (0,)
    for number in steps:
        words = list(project.command)
        if number:
            words[words.index("--steps") + 1] = str(number)
        with copied(project, scratch) as folder:
            done = scaffold(folder, project.place, *words)
            if done.returncode:
                raise AssertionError(done.stdout + done.stderr)
            seen.append(state(folder))
    return seen


def state(folder: Path) -> State:
    """What is there now."""
    repo = folder / "repo"
    files = {}
    for top in (repo, folder / "side"):
        for parent, folders, names in os.walk(top):
            folders[:] = [name for name in folders if name != ".git"]
            for name in (*folders, *names):
                if name != ".git":
                    files[f"{top.name}/{Path(parent, name).relative_to(top)}"] = _entry(Path(parent, name))
    places = [place for place in (repo, folder / "side") if place.is_dir()]
    return State(
        files=files,
        index="".join(git(place, "ls-files", "-s", "-v", "-z") for place in places),
        refs=_refs(repo),
        status="".join(git(place, "status", "--porcelain", "-z", "--untracked-files=all") for place in places),
        stash=git(repo, "reflog", "show", "--format=%H", "refs/stash", "--"),
        leftovers=tuple(_leftovers(folder)),
    )


def _entry(path: Path) -> str:
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        return f"link {path.readlink()}"
    if stat.S_ISDIR(status.st_mode):
        return f"folder {stat.S_IMODE(status.st_mode):o}"
    return f"{stat.S_IMODE(status.st_mode):o} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _refs(repo: Path) -> str:
    """Branches, tags and HEADs with the trees and numbers of commits behind them: ids hold the time."""
    told = git(repo, "for-each-ref", "--format=%(refname) %(tree)", "refs/heads", "refs/tags", "refs/stash")
    heads = [repo / ".git/HEAD", *sorted((repo / ".git").glob("worktrees/*/HEAD"))]
    count = git(repo, "rev-list", "--count", "--branches")
    return "\n".join([told, count, *map(_text, heads)])


def _text(path: Path) -> str:
    """What a file holds; nothing once a process that is still at work has removed it."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_text()
    return ""


def _leftovers(folder: Path) -> Iterator[str]:
    """What nobody needs any more: locks, halves of steps, temporary folders and files."""
    for path in sorted((folder / "repo/.git").rglob("*")):
        own = path.parent.name == "scaffold" and path.parent.parent.name != "refs"
        ours = own and path.name not in ("cache", "memory", "trust.json")
        if path.suffix == ".lock" or ours or path.name.startswith(("next-index", "sharedindex")):
            yield str(path.relative_to(folder))
    for path in sorted((folder / "tmp").iterdir()):
        yield f"tmp/{path.name}"


def differs(one: State, other: State) -> list[str]:
    """What two states do not have in common."""
    return [name for name in _COMPARED if getattr(one, name) != getattr(other, name)]


def same(one: State, other: State) -> bool:
    """True when nothing that counts differs."""
    return not differs(one, other)


def difference(now: State, known: Sequence[State]) -> str:
    told = []
    for number, item in enumerate(known):
        files = sorted(name for name in now.files.keys() | item.files if now.files.get(name) != item.files.get(name))
        told.append(f"from state {number} differ {differs(now, item)} {files}")
    return "; ".join(told)


def program(*words: str) -> list[str]:
    """The command line of scaffold."""
    return [sys.executable, "-m", "scaffold_cli", *words]


def environment(folder: Path) -> dict[str, str]:
    """What a command runs with: nothing of the user's or the caller's that would decide the outcome."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SCAFFOLD_"))}
    own = {"TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    if not (folder / "tmp").is_dir():
        own = {"HOME": str(folder)}
    return {**kept, **IDENTITY, **own, "PYTHONPATH": str(ROOT)}
