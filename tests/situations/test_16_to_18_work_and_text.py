"""Reports 16 to 18: undo beside uncommitted work, code pages, and line ends."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.cli.samples import GUARDED, REWORDED, UNGUARDED
from tests.situations.support import LOOK, Judged, check, everything, touched
from tests.support.repos import commit, git, make_repo, write

LOST = "guard-lost"


@pytest.fixture
def chained(tmp_path: Path) -> Path:
    """A repository whose last commit, on a.py, is a step of a chain."""
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n", "c.py": "y = 1\n"})
    write(repo, {"a.py": REWORDED})
    write(tmp_path / "patches", {"1.patch": git(repo, "diff") + "\n"})
    git(repo, "checkout", "-q", "a.py")
    call = ("run", "a.py", "--goal", "describe", "--with", f"patches:{tmp_path / 'patches'}", "--layers", "anchors")
    assert scaffold(*call, cwd=repo).code == 0
    return repo


def test_16_undo_touches_nothing_but_the_undone_file(chained: Path) -> None:
    """Aider-AI/aider#513."""
    write(chained, {"b.py": b"x = 2\r\n# mine \xff\n", "c.py": "y = 2\n"})
    git(chained, "add", "c.py")
    write(chained, {"c.py": "y = 3\n", "new.txt": "untracked\n"})
    before = everything(chained)
    staged, unstaged = git(chained, "diff", "--cached"), git(chained, "diff")
    assert scaffold("undo", cwd=chained).code == 0
    assert (chained / "a.py").read_text() == GUARDED
    changed = touched(before, everything(chained))
    assert {name for name in changed if not name.startswith(".git/")} == {"a.py"}
    assert (git(chained, "diff", "--cached"), git(chained, "diff")) == (staged, unstaged)


def test_16_undo_refuses_when_the_undone_file_has_uncommitted_work(chained: Path) -> None:
    write(chained, {"a.py": REWORDED + "# mine\n", "b.py": "x = 2\n"})
    before = everything(chained)
    ended = scaffold("undo", cwd=chained)
    assert (ended.code, ended.out) == (2, "")
    assert "a.py" in ended.warned
    assert touched(before, everything(chained)) == set()


PLAIN = {"PYTHONUTF8": "0", "LC_ALL": "C", "LANG": "C", "PYTHONCOERCECLOCALE": "0"}
COMMENT = "# Проверка пути\n"


CP1251 = b"# -*- coding: cp1251 -*-\n" + COMMENT.encode("cp1251")
BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.py", CP1251),
        ("a.py", BOM + COMMENT.encode()),
        ("проверка.py", BOM),
        (os.fsdecode("проверка.py".encode("cp1251")), COMMENT.encode()),
    ],
    ids=["cp1251", "byte-order mark", "name in utf-8", "name in cp1251"],
)
def test_17_the_code_page_does_not_matter(tmp_path: Path, head: bytes, name: str) -> None:
    """Aider-AI/aider#5188: the locale decodes neither git's output nor names nor content."""
    repo = make_repo(tmp_path / "repo", {name: head + GUARDED.encode(), "b.py": "x = 1\n"})
    write(repo, {name: head + UNGUARDED.encode(), "b.py": COMMENT + "x = 1\n"})
    told = os.fsencode(name).decode("utf-8", "backslashreplace")
    judged = check(repo, "--layers", "budget,anchors", env=PLAIN)
    assert (judged.code, judged.open) == (1, set())
    assert {path for _, path in judged.blocking} == {told}
    assert LOST in {code for code, _ in judged.blocking}
    assert scaffold("check", "--layers", "anchors", cwd=repo, env=PLAIN).code == 1
    write(repo, {name: head + b"\n\nVERSION = 2\n" + GUARDED.encode()})
    assert check(repo, "--layers", "budget,anchors", env=PLAIN).code == 0


def test_17_with_all_layers_the_two_files_of_the_report(tmp_path: Path) -> None:
    files = {"a.py": CP1251 + GUARDED.encode(), "b.py": BOM + GUARDED.encode()}
    # The search for a witness has a time limit, so what it finds hangs on the machine.
    repo = make_repo(tmp_path / "repo", {**files, "scaffold.toml": "[anchors]\nwitness-seconds = 0\n"})
    commit(repo, {"a.py": CP1251 + UNGUARDED.encode(), "b.py": BOM + UNGUARDED.encode()})
    judged = check(repo, "--base", "HEAD~1", *LOOK, env=PLAIN)
    assert (judged.code, judged.open) == (1, set())
    assert {path for _, path in judged.blocking} == {"a.py", "b.py"}
    here = check(repo, "--base", "HEAD~1", *LOOK)
    assert {**here.document, "seconds": 0} == {**judged.document, "seconds": 0}


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def mixed(text: str) -> bytes:
    return b"".join(line.encode() + (b"\r\n" if number % 2 else b"\n") for number, line in enumerate(text.splitlines()))


def lone_cr(text: str) -> bytes:
    return text.replace("\n", "\r").encode()


def no_last_newline(text: str) -> bytes:
    return text.rstrip("\n").encode()


def marked(text: str) -> bytes:
    return b"\xef\xbb\xbf" + text.encode()


def judge(repo: Path, after: bytes) -> Judged:
    write(repo, {"a.py": after})
    return check(repo, *LOOK)


@pytest.mark.parametrize("ends", [crlf, mixed, lone_cr, no_last_newline, marked])
def test_18_other_line_ends_and_nothing_else(tmp_path: Path, ends: Callable[[str], bytes]) -> None:
    """charmbracelet/crush PR #2499: only what truly changed is a change."""
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED + "\n\nVERSION = 1\n"})
    judged = judge(repo, ends(GUARDED + "\n\nVERSION = 1\n"))
    assert (judged.code, judged.document["files"]) == (0, 1)
    assert judged.facts("budget")["changed lines"] == 0
    assert judged.facts("sast")["new"] == 0


@pytest.mark.parametrize("ends", [crlf, mixed, lone_cr, no_last_newline, marked])
def test_18_other_line_ends_and_one_check_less(tmp_path: Path, ends: Callable[[str], bytes]) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED + "\n\nVERSION = 1\n"})
    judged = judge(repo, ends(UNGUARDED + "\n\nVERSION = 1\n"))
    assert judged.code == 1
    assert (LOST, "a.py") in judged.blocking
    assert judged.facts("budget")["changed lines"] == 2


def test_18_a_file_that_always_had_crlf_and_one_edited_line(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": crlf(GUARDED + "\n\nVERSION = 1\n")})
    judged = judge(repo, crlf(GUARDED + "\n\nVERSION = 2\n"))
    assert (judged.code, judged.facts("budget")["changed lines"]) == (0, 2)
