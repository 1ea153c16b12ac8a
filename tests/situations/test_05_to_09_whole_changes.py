"""Reports 5 to 9: a hook's surroundings, submodules, copies, large files and strange names."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.cli.samples import GUARDED, REWORDED, UNGUARDED
from tests.situations.support import LOOK, check, everything, touched, try_git
from tests.support.repos import commit, git, make_repo, write

LOST = "guard-lost"


def work_in_the_repository(repo: Path, tmp_path: Path) -> Path:
    return repo


def work_in_a_linked_worktree(repo: Path, tmp_path: Path) -> Path:
    git(repo, "worktree", "add", "-q", str(tmp_path / "linked"))
    return tmp_path / "linked"


QUICK = "--layers budget,anchors"
WITH_TESTS = "--test-command 'python -m pytest -q'"
HERE, LINKED = work_in_the_repository, work_in_a_linked_worktree


@pytest.mark.parametrize(
    ("command", "place", "arg"),
    [
        (f"check --staged {WITH_TESTS}", HERE, "-a"),
        (f"check --staged {QUICK}", HERE, "a.py"),
        (f"check --staged {QUICK}", LINKED, "-a"),
        (f"check --staged {WITH_TESTS}", LINKED, "a.py"),
        (f"check {QUICK}", HERE, "-a"),
        (f"check {QUICK}", LINKED, "a.py"),
    ],
)
def test_5_a_hook_behaves_as_by_hand(
    tmp_path: Path, command: str, place: Callable[[Path, Path], Path], arg: str
) -> None:
    """semgrep/semgrep#11318: git hands its hooks GIT_INDEX_FILE and GIT_DIR, which must not reach our own git."""
    files = {"a.py": GUARDED, "b.py": "x = 1\n", "t/test_a.py": "def test_a():\n    assert True\n"}
    repo = make_repo(tmp_path / "repo", files)
    hook = repo / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec scaffold {command}\n")
    hook.chmod(0o755)
    folder = place(repo, tmp_path)
    write(folder, {"a.py": UNGUARDED})
    head, before = git(folder, "rev-parse", "HEAD"), everything(folder)
    done = try_git(folder, "commit", "-m", "Simplify", arg)
    assert done.returncode != 0
    assert LOST in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert git(folder, "rev-parse", "HEAD") == head
    assert {name for name in touched(before, everything(folder)) if not name.startswith(".git/")} == set()
    write(folder, {"a.py": REWORDED})
    done = try_git(folder, "commit", "-m", "Reword", arg)
    assert done.returncode == 0, done.stdout + done.stderr
    assert git(folder, "rev-parse", "HEAD~1") == head


@pytest.fixture
def with_submodule(tmp_path: Path) -> Path:
    """A repository whose last commit moves its submodule to a revision that drops a check."""
    library = make_repo(tmp_path / "library", {"store.py": GUARDED})
    repo = make_repo(tmp_path / "repo", {"app.py": "import store\n"})
    local = ("-c", "protocol.file.allow=always")
    git(repo, *local, "submodule", "--quiet", "add", str(library), "vendor")
    commit(repo, {})
    commit(library, {"store.py": UNGUARDED})
    git(repo / "vendor", "pull", "-q")
    commit(repo, {"app.py": "import store\n\nstore.read\n"})
    return repo


@pytest.mark.parametrize("layers", ["tests,sast,budget,anchors", "sast", "anchors"])
def test_6_a_moved_submodule_was_not_looked_at_and_is_never_clean(with_submodule: Path, layers: str) -> None:
    """semgrep/semgrep-action#177, PyCQA/bandit#255."""
    judged = check(with_submodule, "--base", "HEAD~1", "--layers", layers)
    assert judged.code == 3
    assert judged.open == {("submodule-not-judged", "vendor")}
    assert judged.notes == {("submodule", "vendor")}


def test_6_a_look_at_the_size_alone_says_so_too(with_submodule: Path) -> None:
    assert check(with_submodule, "--base", "HEAD~1", "--layers", "budget").notes == {("submodule", "vendor")}


def test_6_even_when_the_change_asks_git_to_ignore_it(with_submodule: Path) -> None:
    modules = (with_submodule / ".gitmodules").read_text() + "\tignore = all\n"
    write(with_submodule, {".gitmodules": modules})
    git(with_submodule, "commit", "-qam", "Quiet")
    judged = check(with_submodule, "--base", "HEAD~2", *LOOK)
    assert (judged.code, judged.open) == (3, {("submodule-not-judged", "vendor")})


def test_6_a_submodule_that_stays_is_no_matter(with_submodule: Path) -> None:
    commit(with_submodule, {"app.py": "import store\n\nLIMIT = 1\n"})
    assert check(with_submodule, "--base", "HEAD~1", *LOOK).code == 0


def test_7_pasting_a_known_weak_call_a_second_time_is_new(tmp_path: Path) -> None:
    """PyCQA/bandit#466."""
    one = "import subprocess\n\n\ndef run(cmd):\n    subprocess.call(cmd, shell=True)\n"
    repo = make_repo(tmp_path / "repo", {"a.py": one})
    write(repo, {"a.py": one + "    subprocess.call(cmd, shell=True)\n"})
    twice = check(repo, *LOOK)
    assert (twice.code, twice.blocking) == (1, {("py-shell-dynamic-command", "a.py")})
    assert (twice.facts("sast")["findings before"], twice.facts("sast")["findings after"]) == (1, 2)
    write(repo, {"a.py": "# The one call there ever was.\n" + one})
    assert check(repo, *LOOK).code == 0


@pytest.mark.parametrize("layers", ["tests,sast,budget,anchors", "sast", "anchors"])
def test_8_a_large_file_that_loses_a_check_near_its_end_is_not_judged(tmp_path: Path, layers: str) -> None:
    """semgrep/semgrep#4148 and #4638, trailofbits/skills#298. Undecided is a failure; there is no lenient mode."""
    filler = "VALUE = 1  # nothing to see here, move along\n" * 27_000
    repo = make_repo(tmp_path / "repo", {"big.py": filler + GUARDED, "small.py": "x = 1\n"})
    assert (repo / "big.py").stat().st_size > 1_200_000
    write(repo, {"big.py": filler + UNGUARDED, "small.py": "x = 2\n"})
    judged = check(repo, "--layers", layers)
    assert judged.code == 3
    assert {path for _, path in judged.open} == {"big.py"}


def test_8_with_a_higher_limit_it_is_judged(tmp_path: Path) -> None:
    filler = "# Nothing to see here, move along, please, move.\n" * 27_000
    settings = {"scaffold.toml": "max-file-bytes = 2000000\n"}
    repo = make_repo(tmp_path / "repo", {"big.py": filler + GUARDED, **settings})
    write(repo, {"big.py": filler + UNGUARDED})
    judged = check(repo, "--layers", "anchors")
    assert (judged.code, (LOST, "big.py") in judged.blocking) == (1, True)


NAMED = ("--layers", "budget,anchors")
NAMES = [
    b"\320.py",
    b"two words.py",
    b"quote\"d 'n'.py",
    b"new\nline.py",
    b"-dash.py",
    b"tab\t.py",
]


@pytest.mark.parametrize("raw", NAMES)
def test_9_a_file_with_a_strange_name_is_judged_like_any_other(tmp_path: Path, raw: bytes) -> None:
    """semgrep/semgrep PR #8957. In JSON, bytes that are no UTF-8 are written as \\xNN."""
    name = os.fsdecode(raw)
    told = raw.decode("utf-8", "backslashreplace")
    repo = make_repo(tmp_path / "repo", {name: GUARDED, "plain.py": "x = 1\n"})
    write(repo, {name: UNGUARDED, "plain.py": "x = 2\n"})
    judged = check(repo, *NAMED)
    assert (judged.code, judged.document["files"]) == (1, 2)
    assert (LOST, told) in judged.blocking
    assert {path for _, path in judged.blocking} == {told}
    shown = scaffold("check", *NAMED, cwd=repo)
    assert shown.code == 1
    assert sum(line.startswith("REJECTED") for line in shown.out.splitlines()) == 1
    write(repo, {name: REWORDED})
    git(repo, "add", "-A")
    assert check(repo, *NAMED).code == 0


def test_9_one_strange_name_does_not_keep_the_others_from_being_judged(tmp_path: Path) -> None:
    strange = {os.fsdecode(raw): "x = 1\n" for raw in NAMES}
    repo = make_repo(tmp_path / "repo", {**strange, "a.py": GUARDED})
    commit(repo, {**dict.fromkeys(strange, "x = 2\n"), "a.py": UNGUARDED})
    judged = check(repo, "--base", "HEAD~1", *LOOK)
    assert judged.document["files"] == len(NAMES) + 1
    assert (judged.code, (LOST, "a.py") in judged.blocking) == (1, True)
