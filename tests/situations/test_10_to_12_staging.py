"""Reports 10 to 12: the staging area, partly staged files, and merges being committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.cli.samples import GUARDED, UNGUARDED
from tests.situations.support import check, everything, touched, try_git
from tests.support.repos import commit, git, make_repo, write

LOST = "guard-lost"
SETTINGS = 'layers = ["sast", "budget", "anchors"]\n'


@pytest.fixture
def hooked(tmp_path: Path) -> Path:
    """A repository with the hook that `scaffold init --hook` installs."""
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n", "scaffold.toml": SETTINGS})
    assert scaffold("init", "--hook", cwd=repo).code == 0
    return repo


def test_10_unstaged_work_outlives_a_hook_that_fails(hooked: Path) -> None:
    """pre-commit/pre-commit#176: a bad staged edit in a.py, unstaged edits in b.py and in a.py itself."""
    write(hooked, {"a.py": UNGUARDED})
    git(hooked, "add", "a.py")
    write(hooked, {"b.py": b"x = 2\r\n# mine \xff\n", "a.py": UNGUARDED + "# half done\n", "new.txt": "untracked\n"})
    before = everything(hooked)
    done = try_git(hooked, "commit", "-m", "Simplify")
    assert done.returncode != 0
    assert LOST in done.stdout + done.stderr
    # Git itself writes the message and the tree down, and refreshes the times in the index.
    written = (".git/COMMIT_EDITMSG", ".git/index", ".git/objects/")
    assert {name for name in touched(before, everything(hooked)) if not name.startswith(written)} == set()
    assert git(hooked, "show", ":a.py") + "\n" == UNGUARDED
    assert (hooked / "b.py").read_bytes() == b"x = 2\r\n# mine \xff\n"


def test_10_and_a_hook_that_passes(hooked: Path) -> None:
    write(hooked, {"a.py": GUARDED + "\n\nLIMIT = 2\n"})
    git(hooked, "add", "a.py")
    write(hooked, {"b.py": "x = 2  # mine\n"})
    done = try_git(hooked, "commit", "-m", "Limit")
    assert done.returncode == 0, done.stderr
    assert (hooked / "b.py").read_text() == "x = 2  # mine\n"
    assert git(hooked, "diff", "--name-only") == "b.py"


TWO = GUARDED + "\n\ndef size(text):\n    return len(text)\n"
"""Two hunks, far enough apart to be staged one by one."""


def stage_hunks(repo: Path, answers: str) -> None:
    """`git add -p`, answered as a person would."""
    git(repo, "-c", "core.pager=cat", "add", "-p", "a.py", stdin=answers.encode())


@pytest.mark.parametrize(("answers", "code"), [("y\nn\n", 1), ("n\ny\n", 0)])
def test_11_only_the_staged_hunks_are_judged(tmp_path: Path, answers: str, code: int) -> None:
    """lint-staged/lint-staged#62: the first hunk drops the check, the second is harmless."""
    before = TWO.replace("\n\ndef size", "\n\n" + "# so far, so good\n" * 12 + "\n\ndef size")
    after = before.replace(GUARDED, UNGUARDED).replace("len(text)", "len(text) + 0")
    repo = make_repo(tmp_path / "repo", {"a.py": before})
    write(repo, {"a.py": after})
    stage_hunks(repo, answers)
    assert git(repo, "status", "--porcelain") == "MM a.py"
    judged = check(repo, "--staged", "--layers", "sast,budget,anchors")
    assert judged.code == code
    assert ((LOST, "a.py") in judged.blocking) == bool(code)
    assert (repo / "a.py").read_text() == after


@pytest.mark.parametrize(("staged", "left", "code"), [(UNGUARDED, GUARDED, 1), (GUARDED + "# x\n", UNGUARDED, 0)])
def test_11_the_index_counts_whatever_the_working_tree_holds(tmp_path: Path, staged: str, left: str, code: int) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": staged})
    git(repo, "add", "a.py")
    write(repo, {"a.py": left})
    assert check(repo, "--staged", "--layers", "anchors").code == code


VALIDATOR = """\
def check_age(age):
    if age < 0:
        raise ValueError("negative")
    return open(str(age))
"""
OURS = VALIDATOR.replace("age < 0", "age <= 0")
THEIRS = VALIDATOR.replace("age < 0", "age < 0 or age > 150")
BOTH = VALIDATOR.replace("age < 0", "age <= 0 or age > 150")
NEITHER = VALIDATOR.replace('    if age < 0:\n        raise ValueError("negative")\n', "")


@pytest.fixture
def conflict(hooked: Path) -> Path:
    """Two branches edited one validator, and the other one brought files of its own; the merge is under way."""
    commit(hooked, {"v.py": VALIDATOR})
    git(hooked, "checkout", "-q", "-b", "side")
    # What others committed, and answer for: the hook must not blame the resolver for it.
    git(hooked, "rm", "-q", "b.py")
    write(hooked, {"v.py": THEIRS, "a.py": UNGUARDED, "theirs.py": "import os\n\n\ndef f(c):\n    os.system(c)\n"})
    git(hooked, "add", "-A")
    git(hooked, "commit", "-q", "--no-verify", "-m", "Theirs")
    git(hooked, "checkout", "-q", "main")
    write(hooked, {"v.py": OURS})
    git(hooked, "commit", "-q", "-am", "Ours", "--no-verify")
    assert try_git(hooked, "merge", "side").returncode == 1
    return hooked


def test_12_a_resolution_that_loses_the_raise_is_refused(conflict: Path) -> None:
    """pre-commit/pre-commit#31, GitGuardian/ggshield PR #946, NVIDIA/DALI PR #3032."""
    write(conflict, {"v.py": NEITHER})
    git(conflict, "add", "-A")
    judged = check(conflict, "--staged")
    assert judged.code == 1
    assert {path for _, path in judged.blocking} == {"v.py"}
    head = git(conflict, "rev-parse", "HEAD")
    done = try_git(conflict, "commit", "--no-edit")
    assert done.returncode != 0
    assert LOST in done.stdout + done.stderr
    assert git(conflict, "rev-parse", "HEAD") == head
    assert (conflict / ".git/MERGE_HEAD").exists()
    assert (conflict / "v.py").read_text() == NEITHER


def test_12_a_resolution_that_keeps_both_sides_is_accepted(conflict: Path) -> None:
    write(conflict, {"v.py": BOTH})
    git(conflict, "add", "-A")
    judged = check(conflict, "--staged")
    assert (judged.code, judged.document["files"]) == (0, 1)
    done = try_git(conflict, "commit", "--no-edit")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(git(conflict, "log", "-1", "--format=%P").split()) == 2


def test_12_a_clean_merge_is_accepted_without_blaming_others_code(hooked: Path) -> None:
    git(hooked, "checkout", "-q", "-b", "side")
    write(hooked, {"a.py": UNGUARDED})
    git(hooked, "commit", "-q", "--no-verify", "-am", "Theirs")
    git(hooked, "checkout", "-q", "main")
    commit(hooked, {"b.py": "x = 3\n"})
    git(hooked, "merge", "--no-commit", "side")
    assert check(hooked, "--staged").code == 0
    git(hooked, "merge", "--abort")
    done = try_git(hooked, "merge", "--no-edit", "side")
    assert done.returncode == 0, done.stdout + done.stderr


def test_12_an_edit_slipped_into_a_clean_merge_is_the_resolver_s(hooked: Path) -> None:
    git(hooked, "checkout", "-q", "-b", "side")
    commit(hooked, {"b.py": "x = 3\n"})
    git(hooked, "checkout", "-q", "main")
    commit(hooked, {"c.py": "y = 1\n"})
    git(hooked, "merge", "--no-commit", "side")
    write(hooked, {"a.py": UNGUARDED})
    git(hooked, "add", "-A")
    judged = check(hooked, "--staged")
    assert judged.code == 1
    assert {path for _, path in judged.blocking} == {"a.py"}
