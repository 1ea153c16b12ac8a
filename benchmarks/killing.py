"""Kill the program somewhere and see that nothing of the user's is half done: the harness behind `benchmarks.kills`.

A trial copies a project full of work under way, starts a real command on it, kills it, runs `scaffold resume`, and
holds what is there against the states the command passes through when nobody kills it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (("NAME", "Ada"), ("EMAIL", "ada@example.invalid"))
}
_DRIVER = """
import os, signal, sys
from scaffold_cli.__main__ import main

project, at, seen = sys.argv[1], int(sys.argv[2]), 0
MADE = {"os.rename", "os.link", "os.symlink", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.truncate"}
WRITERS = {"sh", "unpack-objects", "commit-tree", "update-ref", "update-index", "worktree"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

def counted(event, arguments):
    if event == "subprocess.Popen":
        return not WRITERS.isdisjoint(map(str, arguments[1]))
    if event == "scaffold.rename":
        return True
    if event != "open" and event not in MADE:
        return False
    if event == "open" and not (isinstance(arguments[2], int) and arguments[2] & WRITES):
        return False
    words = [os.fsdecode(word) for word in arguments if isinstance(word, (str, bytes, os.PathLike))]
    return any(project in word and project + "/tmp" not in word for word in words)

def watch(event, arguments):
    global seen
    if event.partition(".")[0] in ("open", "os", "subprocess", "scaffold") and counted(event, arguments):
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGSTOP)

sys.addaudithook(watch)
code = main(sys.argv[3:])
print(f"points {seen}", file=sys.stderr)
sys.exit(code)
"""
"""Stops itself before its n-th write in the project (or the start of a git that writes), to be killed there."""
_AFTER = """
import contextlib, io, sys
from scaffold_cli.__main__ import main

for words in (["resume"], ["resume"], ["verify", "--all"]):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(words)
    if words == ["resume"] and code or code not in (0, 2):
        sys.exit(f"{words} ended with {code}: {out.getvalue()}")
    last = out.getvalue() if words == ["resume"] else last
sys.exit(0 if "Nothing was cut off" in last else f"the second resume found something: {last}")
"""

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


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial. `broken` says what does not hold (empty when all does); `half` what could be seen before resume."""

    where: str
    killed: bool
    half: bool
    broken: str


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, check=False, env=_environment(folder.parent)
    )
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
    subprocess.run(_program(*run), cwd=repo, env=_environment(folder), check=True, capture_output=True)
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
        _program(*words), cwd=folder / place, env=_environment(folder), capture_output=True, text=True, check=False
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
    return "\n".join([told, count, *(head.read_text() for head in heads)])


def _leftovers(folder: Path) -> Iterator[str]:
    """What nobody needs any more: locks, halves of steps, temporary folders and files."""
    for path in sorted((folder / "repo/.git").rglob("*")):
        own = path.parent.name == "scaffold" and path.parent.parent.name != "refs"
        ours = own and path.name not in ("cache", "memory", "trust.json")
        if path.suffix == ".lock" or ours or path.name.startswith(("next-index", "sharedindex")):
            yield str(path.relative_to(folder))
    for path in sorted((folder / "tmp").iterdir()):
        yield f"tmp/{path.name}"


def kill_at(folder: Path, project: Project, point: int, words: Sequence[str], whole: bool) -> bool:
    """Run until the n-th write point and kill there: the process alone, or all it started too. False at the end."""
    command = [sys.executable, "-c", _DRIVER, str(folder), str(point), *words]
    process = _started(command, folder, project.place)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        process.returncode = os.waitstatus_to_exitcode(status)
        return False
    _end(process, whole)
    return True


def points(project: Project, scratch: Path) -> int:
    """How many write points the command has."""
    with copied(project, scratch) as folder:
        command = [sys.executable, "-c", _DRIVER, str(folder), "0", *project.command]
        place, env = folder / project.place, _environment(folder)
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=True)
    return int(done.stderr.split("points ")[-1])


def kill_at_commit(folder: Path, project: Project, number: int) -> None:
    """Kill everything in the n-th commit, when the step's files are in place: a hook says when that is."""
    hook, ready = folder / "repo/.git/hooks/pre-commit", folder / "ready"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\necho >>"{ready}"\n[ $(wc -l <"{ready}") -lt {number} ] || sleep 60\n')
    hook.chmod(0o755)
    process = _started(_program(*project.command), folder, project.place)
    while not ready.exists() or len(ready.read_text()) < number:
        time.sleep(0.02)
        if process.poll() is not None:
            raise AssertionError("the command ended before")
    _end(process, True)
    hook.unlink()


def kill_after(folder: Path, project: Project, seconds: float, words: Sequence[str], whole: bool) -> bool:
    """Kill after so many seconds. False when it had ended by itself."""
    process = _started(_program(*words), folder, project.place)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        _end(process, whole)
        return True
    return False


_SHIM = """\
#!/bin/sh
case " $* " in
*" unpack-objects "*|*" commit-tree "*|*" update-ref "*|*" update-index "*|*" worktree "*|*" commit "*) ;;
*) exec "$REAL_GIT" "$@" ;;
esac
echo >>"$KILL_FOLDER/count"
number=$(wc -l <"$KILL_FOLDER/count")
if [ -z "$KILL_GIT" ]; then
    exec strace -qq -o "$KILL_FOLDER/calls-$number" -e "trace=$KILL_CALLS" "$REAL_GIT" "$@"
fi
[ "$number" = "$KILL_GIT" ] || exec "$REAL_GIT" "$@"
strace -qq -o /dev/null -e "trace=$KILL_CALLS" -e "inject=$KILL_CALLS:signal=SIGKILL:when=$KILL_CALL" "$REAL_GIT" "$@"
kill -9 "$KILL_TOP"
"""
"""A git that can be killed in the middle, and takes along the program that started it."""
_CALLS = "rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,symlink,symlinkat,ftruncate"


def git_writes(folder: Path, project: Project) -> list[int]:
    """For each git of the command that writes: by how many system calls it changes names. Empty without strace."""
    if shutil.which("strace") is None:
        return []
    process = _under_shim(folder, project, "", "")
    process.wait()
    logs = sorted(folder.glob("calls-*"), key=lambda path: int(path.name.partition("-")[2]))
    return [sum("(" in line for line in log.read_text(errors="replace").splitlines()) for log in logs]


def kill_in_git(folder: Path, project: Project, number: int, call: int) -> bool:
    """Kill the n-th git that writes in its n-th such call, and the command with it."""
    process = _under_shim(folder, project, str(number), str(call))
    return process.wait() == -signal.SIGKILL


def _under_shim(folder: Path, project: Project, number: str, call: str) -> subprocess.Popen[bytes]:
    shim = folder / "bin/git"
    shim.parent.mkdir()
    shim.write_text(_SHIM)
    shim.chmod(0o755)
    real = shutil.which("git")
    assert real is not None
    env = {**_environment(folder), "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}", "REAL_GIT": real}
    env |= {"KILL_FOLDER": str(folder), "KILL_CALLS": _CALLS, "KILL_GIT": number, "KILL_CALL": call}
    quiet = subprocess.DEVNULL
    command = ["sh", "-c", 'export KILL_TOP=$$; exec "$@"', "sh", *_program(*project.command)]
    return subprocess.Popen(
        command, cwd=folder / project.place, env=env, stdout=quiet, stderr=quiet, start_new_session=True
    )


def _started(command: Sequence[str], folder: Path, place: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=folder / place, env=_environment(folder), stdout=quiet, stderr=quiet, start_new_session=True
    )


def _end(process: subprocess.Popen[bytes], whole: bool) -> None:
    """SIGKILL; with `whole` to every descendant too, as when a container or a machine stops."""
    family = _descendants(process.pid) if whole else []
    for pid in (process.pid, *family):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def _descendants(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_bytes().rpartition(b")")[2].split()
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, wave = [], [pid]
    while wave:
        wave = [child for parent in wave for child in parents.get(parent, [])]
        found += wave
    return found


def judged(folder: Path, project: Project, known: Sequence[State], where: str) -> Outcome:
    """Resume twice, and hold what is there against the states that may be."""
    before = state(folder)
    half = not any(_same(before, item) for item in known)
    return Outcome(where, True, half, _broken(folder, project, known))


def _broken(folder: Path, project: Project, known: Sequence[State]) -> str:
    command = [sys.executable, "-c", _AFTER]
    place, env = folder / project.place, _environment(folder)
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip()[-1000:]
    now = state(folder)
    if now.leftovers:
        return f"left over: {', '.join(now.leftovers)}"
    return "" if any(_same(now, item) for item in known) else _difference(now, known)


def differs(one: State, other: State) -> list[str]:
    """What two states do not have in common."""
    return [name for name in _COMPARED if getattr(one, name) != getattr(other, name)]


def _same(one: State, other: State) -> bool:
    return not differs(one, other)


def _difference(now: State, known: Sequence[State]) -> str:
    told = []
    for number, item in enumerate(known):
        files = sorted(name for name in now.files.keys() | item.files if now.files.get(name) != item.files.get(name))
        told.append(f"from state {number} differ {differs(now, item)} {files}")
    return "; ".join(told)


def finished(folder: Path, project: Project, last: State) -> str:
    """Go on with what is left to do, and see that it ends where it would have without the kill."""
    done = scaffold(folder, project.place, *project.command)
    if done.returncode not in (0, 2, 3):
        return f"going on ended with {done.returncode}: {done.stdout}{done.stderr}"
    return "" if not state(folder).leftovers else f"left over: {state(folder).leftovers}"


def timed(project: Project, scratch: Path) -> float:
    """Seconds the command takes when nobody kills it."""
    with copied(project, scratch) as folder:
        began = time.perf_counter()
        scaffold(folder, project.place, *project.command)
        return time.perf_counter() - began


def _program(*words: str) -> list[str]:
    return [sys.executable, "-m", "scaffold_cli", *words]


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SCAFFOLD_"))}
    own = {"TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home"), "GIT_CONFIG_NOSYSTEM": "1"}
    if not (folder / "tmp").is_dir():
        own = {"HOME": str(folder)}
    return {**kept, **IDENTITY, **own, "PYTHONPATH": str(ROOT)}
