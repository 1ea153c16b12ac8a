"""Kill the program somewhere and see that nothing of the user's is half done: the harness behind `benchmarks.kills`.

A trial copies a project full of work under way, starts a real command on it, kills it, runs `scaffold resume`, and
holds what is there against the states the command passes through when nobody kills it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kill_scenes import Project, State, copied, difference, environment, program, same, scaffold, state

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

told = []
for words in (sys.argv[1:], ["resume"], ["verify", "--all"]):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(words)
    told.append(out.getvalue())
    if code and (words[0] == "resume" or code != 2):
        sys.exit(f"{words} ended with {code}: {out.getvalue()}")
print(told[0])
sys.exit(0 if "Nothing was cut off" in told[1] else f"the second resume found something: {told[1]}")
"""
"""Resume, resume again, and verify; prints what the first one said."""
GOES_ON = re.compile(r"^Chain \S+ goes on", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial. `broken` says what does not hold (empty when all does); `half` what could be seen before resume."""

    where: str
    killed: bool
    half: bool
    broken: str


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
        place, env = folder / project.place, environment(folder)
        done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=True)
    return int(done.stderr.split("points ")[-1])


def kill_at_commit(folder: Path, project: Project, number: int) -> None:
    """Kill everything in the n-th commit, when the step's files are in place: a hook says when that is."""
    hook, ready = folder / "repo/.git/hooks/pre-commit", folder / "ready"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f'#!/bin/sh\necho >>"{ready}"\n[ $(wc -l <"{ready}") -lt {number} ] || sleep 60\n')
    hook.chmod(0o755)
    process = _started(program(*project.command), folder, project.place)
    while not ready.exists() or len(ready.read_text()) < number:
        time.sleep(0.02)
        if process.poll() is not None:
            raise AssertionError("the command ended before")
    _end(process, True)
    hook.unlink()


def kill_after(folder: Path, project: Project, seconds: float, words: Sequence[str], whole: bool) -> bool:
    """Kill after so many seconds. False when it had ended by itself."""
    process = _started(program(*words), folder, project.place)
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
    env = {**environment(folder), "PATH": f"{shim.parent}{os.pathsep}{os.environ['PATH']}", "REAL_GIT": real}
    env |= {"KILL_FOLDER": str(folder), "KILL_CALLS": _CALLS, "KILL_GIT": number, "KILL_CALL": call}
    quiet = subprocess.DEVNULL
    command = ["sh", "-c", 'export KILL_TOP=$$; exec "$@"', "sh", *program(*project.command)]
    return subprocess.Popen(
        command, cwd=folder / project.place, env=env, stdout=quiet, stderr=quiet, start_new_session=True
    )


def _started(command: Sequence[str], folder: Path, place: str) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=folder / place, env=environment(folder), stdout=quiet, stderr=quiet, start_new_session=True
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


def judged(
    folder: Path, project: Project, known: Sequence[State], where: str, resume: Sequence[str] = ("resume", "--close")
) -> Outcome:
    """Resume twice, and hold what is there against the states that may be.

    A `resume` that goes on must come to the last of them.
    """
    before = state(folder)
    half = not any(same(before, item) for item in known)
    return Outcome(where, True, half, _broken(folder, project, known, resume))


def _broken(folder: Path, project: Project, known: Sequence[State], resume: Sequence[str]) -> str:
    command = [sys.executable, "-c", _AFTER, *resume]
    place, env = folder / project.place, environment(folder)
    done = subprocess.run(command, cwd=place, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip()[-1000:]
    now = state(folder)
    if now.leftovers:
        return f"left over: {', '.join(now.leftovers)}"
    wanted = known[-1:] if GOES_ON.search(done.stdout) else known
    return "" if any(same(now, item) for item in wanted) else difference(now, wanted)


def timed(project: Project, scratch: Path) -> float:
    """Seconds the command takes when nobody kills it."""
    with copied(project, scratch) as folder:
        began = time.perf_counter()
        scaffold(folder, project.place, *project.command)
        return time.perf_counter() - began
