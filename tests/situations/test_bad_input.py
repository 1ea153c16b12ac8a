"""Bad input to the command that writes: one clear sentence, the right exit code, and all of the user's work as it was.

What `check` says of the same input is in tests/cli/test_bad_input.py; rows it leaves open are at the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.cli.program import Ended, scaffold
from tests.cli.samples import GUARDED, REWORDED
from tests.situations.support import check, everything, fails, touched
from tests.support.repos import Content, commit, git, make_repo, write

SETTINGS = '[tests]\ncommand = "{tests}"\ntimeout = {timeout}\nbaseline-runs = 1\n[sast]\nengine = "{engine}"\n'


def users_own(folder: Path) -> dict[str, tuple[str, int, str]]:
    """The user's files, index, HEAD and branches; a chain may add objects, its own refs and their log."""
    ours = (".git/objects/", ".git/refs/scaffold", ".git/logs/refs/scaffold", ".git/scaffold")
    return {name: entry for name, entry in everything(folder).items() if not name.startswith(ours)}


def run(repo: Path, *args: str | Path, path: str = "a.py", layers: str = "budget,anchors") -> Ended:
    """A chain of one recorded candidate, with nothing of the user's touched."""
    before = users_own(repo)
    patches = f"patches:{repo.parent / 'patches'}"
    ended = scaffold("run", path, "--goal", "tidy", "--with", patches, "--layers", layers, *args, cwd=repo)
    differs = touched(before, users_own(repo))
    assert not differs, f"the chain touched {sorted(differs)}"
    return ended


def record(repo: Path, edits: Mapping[str, Content | None]) -> None:
    """Keep these edits as the recorded candidate beside the repository, and take them back."""
    write(repo, edits)
    git(repo, "add", "-A")
    patch = git(repo, "diff", "--cached", "--binary") + "\n"
    git(repo, "reset", "-q", "--hard")
    (repo.parent / "patches").mkdir(exist_ok=True)
    (repo.parent / "patches/1.patch").write_bytes(os.fsencode(patch))


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with work under way in other files than the candidate's."""
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n", "logo.bin": b"\0\1"})
    record(repo, {"a.py": REWORDED})
    write(repo, {"b.py": "x = 2  # mine\n", "notes.txt": "mine\n"})
    return repo


def test_not_a_repository_and_a_bare_one(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    (tmp_path / "plain").mkdir()
    for folder, sentence in (("plain", "is not inside a git repository"), ("bare.git", "is a bare repository")):
        for words in (("run", "a.py", "--goal", "x"), ("log",), ("undo",), ("verify",), ("init", "--hook")):
            ended = fails(tmp_path / folder, *words)
            assert ended.code == 2
            assert sentence in ended.warned


def test_an_unborn_head_has_nothing_to_go_back_to(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {})
    write(repo, {"a.py": GUARDED})
    ended = fails(repo, "run", "a.py", "--goal", "x")
    assert ended.code == 2
    assert "no commit" in ended.warned


def test_a_detached_head_needs_a_branch(repo: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    ended = run(repo)
    assert (ended.code, ended.out) == (2, "")
    assert "--branch" in ended.warned


@pytest.mark.parametrize("path", ["gone.py", "gone/", "notes.txt"])
def test_a_path_that_is_missing_or_not_committed(repo: Path, path: str) -> None:
    ended = run(repo, path=path)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error: ")
    assert path.rstrip("/") in ended.err


LARGE = REWORDED + "# padding\n" * 110_000
UNDECIDED: dict[str, Content] = {
    "over the size limit": LARGE,
    "does not parse": GUARDED + "def half(:\n",
    "unknown encoding": b"# -*- coding: klingon -*-\nNAME = '\xff'\n" + GUARDED.encode(),
}


@pytest.mark.parametrize("case", UNDECIDED)
def test_a_candidate_that_cannot_be_judged_is_not_accepted(repo: Path, case: str) -> None:
    git(repo, "stash", "-q", "-u")
    record(repo, {"a.py": UNDECIDED[case]})
    git(repo, "stash", "pop", "-q")
    ended = run(repo)
    assert ended.code == 3
    assert "undecided" in ended.told
    assert "a.py" in ended.told


def test_a_patch_with_nothing_in_it_is_no_candidate(repo: Path) -> None:
    (repo.parent / "patches/1.patch").write_bytes(b"")
    ended = run(repo)
    assert ended.code == 3
    assert "step 1.1  failed  no candidate" in ended.out
    assert "The patch 1.patch does not apply." in ended.told


@pytest.fixture
def engine(tmp_path: Path) -> Callable[[str | None], Path]:
    """Makes the scanner a shell script, or nothing."""

    def made(script: str | None) -> Path:
        path = tmp_path / "engine"
        if script is not None:
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        return path

    return made


@pytest.mark.parametrize("script", [None, "exit 9", "kill -SEGV $$", "echo rubbish", "echo '{}'", "exec sleep 30"])
def test_a_scanner_that_is_missing_or_fails(
    tmp_path: Path, engine: Callable[[str | None], Path], script: str | None
) -> None:
    settings = SETTINGS.format(tests="", timeout=60, engine=engine(script)) + "timeout = 1\n"
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "scaffold.toml": settings})
    record(repo, {"a.py": REWORDED})
    ended = run(repo, layers="sast,anchors")
    assert ended.code == 3
    assert "sast-not-judged" in ended.told


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("sleep 60", "1 s"),
        ("no-such-program --now", "no-such-program"),
        ("sh -c 'sleep 60 & wait'", "1 s"),
        ("/etc/hostname", "/etc/hostname"),
    ],
    ids=["hangs", "not found", "hangs in a child", "not a program"],
)
def test_tests_that_cannot_be_run(tmp_path: Path, command: str, words: str) -> None:
    settings = SETTINGS.format(tests=command, timeout=1.0, engine="semgrep")
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "scaffold.toml": settings})
    record(repo, {"a.py": REWORDED})
    ended = run(repo, layers="tests,anchors")
    assert ended.code == 3
    assert words in ended.told


FILL_A_DISK = """
import os, sys
from pathlib import Path
from tests.cli.program import scaffold
from tests.situations.support import touched
from tests.situations.test_bad_input import record, users_own
from tests.support.repos import git, make_repo, write

disk = Path(sys.argv[1])
repo = make_repo(disk / "repo", {"a.py": "x = 1\\n", "b.py": "y = 1\\n"})
record(repo, {"a.py": "x = 1\\n# " + os.urandom(60_000).hex() + "\\n"})
write(repo, {"b.py": "y = 2  # mine\\n"})
base, as_before, codes = git(repo, "rev-parse", "HEAD"), 0, []
for left in (0, 8, 24, 48, 80, 112, 144, 176, 208, 240, 280, 320, 400, 2000):  # KiB
    before = users_own(repo)
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
    (disk / "filler").write_bytes(bytes(max(0, free - left * 1024)))
    call = ("run", "a.py", "--goal", "fill", "--with", f"patches:{disk / 'patches'}", "--layers", "budget")
    ended = scaffold(*call, cwd=repo)
    (disk / "filler").unlink()
    codes.append(ended.code)
    words = " ".join((ended.out + ended.err).split())
    assert (repo / "b.py").read_text() == "y = 2  # mine\\n"
    if git(repo, "rev-parse", "HEAD") == base:
        assert ended.code == 3, (left, words)
        assert "Make room" in words or "is full" in words, (left, words)
        assert not touched(before, users_own(repo)), (left, touched(before, users_own(repo)), words)
        as_before += 1
        continue
    # There was room for the commit; where there was none for what comes after it, the person is told both.
    assert git(repo, "status", "--porcelain") == " M b.py", (left, words)
    assert git(repo, "rev-parse", "HEAD")[:10] in words, (left, words)
    if ended.code == 0:
        break
    assert ended.code == 3 and "Make room" in words, (left, words)
    git(repo, "reset", "-q", "--keep", base)
assert codes[-1] == 0, codes
assert scaffold("verify", "--all", cwd=repo).code == 0, scaffold("verify", "--all", cwd=repo).out
assert as_before > 4, codes
"""


def test_a_disk_that_is_full_while_committing(tmp_path: Path) -> None:
    """A small disk of its own, filled to a later and later point, until the step fits."""
    disk = tmp_path / "disk"
    disk.mkdir()
    script = 'mount -t tmpfs -o size=8m none "$1" || exit 77; exec "$2" -c "$3" "$1"'
    command = ("unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh", disk, sys.executable, FILL_A_DISK)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    if done.returncode == 77 or done.stderr.startswith("unshare:"):
        pytest.skip("a small disk can only be mounted where user namespaces are allowed")
    assert done.returncode == 0, done.stderr


def test_a_binary_a_dangling_link_and_a_deleted_file_are_judged_and_named(repo: Path) -> None:
    git(repo, "stash", "-q", "-u")
    (repo / "link").symlink_to("nowhere")
    commit(repo, {"logo.bin": b"\0\2", "b.py": None})
    judged = check(repo, "--base", "HEAD~1", "--layers", "sast,budget,anchors")
    assert judged.code == 0
    assert judged.notes == {("binary", "logo.bin"), ("symlink", "link")}


def test_a_link_that_leads_out_is_not_followed(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("import os\n\n\ndef f(c):\n    os.system(c)\n")
    (repo / "link.py").symlink_to(tmp_path / "secret.py")
    judged = check(repo, "--layers", "sast,budget,anchors")
    assert (judged.code, judged.blocking) == (3, set()), "undecided: where it leads was not looked at"
    assert ("symlink", "link.py") in judged.notes
