"""Bad input: one clear sentence, the right exit code, and everything left as it was."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.program import Ended, entries, scaffold
from tests.cli.samples import GUARDED, UNGUARDED
from tests.support.repos import git, make_repo, write

LOOK = ("--layers", "sast,budget,anchors")
QUICK = ("--layers", "budget,anchors")


def refused(ended: Ended, code: int, *sentences: str) -> None:
    """Exactly one error line and at most one hint on stderr, nothing on stdout."""
    assert ended.code == code
    assert ended.out == ""
    lines = ended.err.splitlines()
    assert [line[:7] for line in lines] in (["error: "], ["error: ", "hint:  "])
    for sentence in sentences:
        assert sentence in ended.warned


def test_not_a_repository(tmp_path: Path) -> None:
    refused(scaffold("check", cwd=tmp_path), 2, "is not inside a git repository", "--before")
    refused(scaffold("check", "--staged", cwd=tmp_path), 2, "is not inside a git repository")
    refused(scaffold("anchors", ".", cwd=tmp_path), 2, "is not inside a git repository")
    refused(scaffold("init", cwd=tmp_path), 2, "is not inside a git repository")
    assert list(tmp_path.iterdir()) == []


def test_a_bare_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare.git")
    refused(scaffold("check", cwd=tmp_path / "bare.git"), 2, "is a bare repository")


def test_an_unborn_head(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {})
    assert scaffold("check", cwd=repo).out.startswith("ACCEPTED  nothing to judge")
    assert scaffold("check", "--staged", cwd=repo).out.startswith("ACCEPTED  nothing to judge")
    write(repo, {"a.py": GUARDED})
    git(repo, "add", "-A")
    assert scaffold("check", "--staged", *QUICK, cwd=repo).code == 0
    refused(scaffold("check", "--base", "HEAD", cwd=repo), 2, "There is no revision 'HEAD' here.")


def test_a_detached_head(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    git(repo, "checkout", "-q", "--detach")
    write(repo, {"a.py": UNGUARDED})
    assert scaffold("check", *QUICK, cwd=repo).code == 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--before", "gone", "--after", "."), "There is no file or folder gone."),
        (("--patch", "gone.patch"), "The patch gone.patch cannot be read: No such file or directory."),
        (("gone.py",), "There is no file or folder gone.py."),
        (("--config", "gone.toml"), "The configuration file gone.toml cannot be read"),
        (("--base", "gone"), "There is no revision 'gone' here."),
        (("/etc/passwd",), "is outside the repository"),
    ],
)
def test_what_is_named_is_missing(tmp_path: Path, args: tuple[str, ...], sentence: str) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED})
    refused(scaffold("check", *args, cwd=repo), 2, sentence)


def test_a_missing_commit_is_undecided(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    refused(scaffold("check", "--base", "ab" * 20, cwd=repo), 3, "is missing from this clone", "git fetch origin")


def test_a_patch_that_does_not_apply(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    (tmp_path / "bad.patch").write_text("rubbish\n")
    refused(scaffold("check", "--patch", tmp_path / "bad.patch", cwd=repo), 2, "The patch does not apply")


def test_a_binary_file_is_noted(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "logo.bin": b"\0\1"})
    write(repo, {"logo.bin": b"\0\2"})
    ended = scaffold("check", *LOOK, cwd=repo)
    assert ended.code == 0
    assert "logo.bin is binary; its content was not judged." in ended.told


def test_a_file_over_the_limit_is_undecided_and_named(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"big.py": GUARDED + "#" * 1_000_001})
    write(repo, {"big.py": UNGUARDED + "#" * 1_000_001})
    ended = scaffold("check", *QUICK, cwd=repo)
    assert ended.code == 3
    assert "UNDECIDED" in ended.told
    assert "big.py" in ended.told


def test_the_limit_is_a_setting(tmp_path: Path) -> None:
    files = {"scaffold.toml": "max-file-bytes = 2000000\n", "big.py": GUARDED + "#" * 1_000_001}
    repo = make_repo(tmp_path / "repo", files)
    write(repo, {"big.py": UNGUARDED + "#" * 1_000_001})
    assert scaffold("check", "--layers", "anchors", cwd=repo).code == 1
    small = {"scaffold.toml": "max-file-bytes = 10\n", "a.py": GUARDED}
    repo = make_repo(tmp_path / "small", small)
    write(repo, {"a.py": GUARDED + "# more\n"})
    assert scaffold("check", "--layers", "anchors", cwd=repo).code == 3


def test_a_file_that_does_not_parse_is_undecided(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n"})
    write(repo, {"a.py": "x = (\n"})
    ended = scaffold("check", *LOOK, cwd=repo)
    assert ended.code == 3
    assert "a.py" in ended.told


def test_an_unknown_encoding_is_undecided(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n"})
    write(repo, {"a.py": b"# -*- coding: klingon -*-\nx = '\xff'\n"})
    assert scaffold("check", *LOOK, cwd=repo).code == 3


def test_a_dangling_symlink_and_a_deleted_file(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "b.txt": "b\n"})
    (repo / "link").symlink_to("nowhere")
    (repo / "b.txt").unlink()
    ended = scaffold("check", *LOOK, cwd=repo)
    assert ended.code == 0
    assert "link is a symbolic link" in ended.told


def test_an_empty_change(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    for door in ((), ("--base", "HEAD"), ("--before", ".", "--after", ".")):
        ended = scaffold("check", *door, cwd=repo)
        assert (ended.code, ended.out) == (0, "ACCEPTED  nothing to judge: the change is empty\n")


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("#!/bin/sh\nexit 9\n", ""),
        ("#!/bin/sh\necho rubbish\n", ""),
        ("#!/bin/sh\nkill -9 $$\n", ""),
        (None, "was not found"),
    ],
)
def test_a_scanner_that_fails_leaves_it_undecided(tmp_path: Path, program: str | None, sentence: str) -> None:
    engine = tmp_path / "engine"
    if program is not None:
        engine.write_text(program)
        engine.chmod(0o755)
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "scaffold.toml": f'[sast]\nengine = "{engine}"\n'})
    write(repo, {"a.py": "x = 2\n"})
    ended = scaffold("check", "--layers", "sast", cwd=repo)
    assert ended.code == 3
    assert "UNDECIDED" in ended.told
    assert sentence in ended.told


@pytest.mark.parametrize(
    ("settings", "code", "sentence"),
    [
        ("", 0, "no test command is configured"),
        ("required = true\n", 3, "no test command is configured"),
        ('command = "sleep 60"\ntimeout = 0.5\n', 3, "0.5 s"),
        ('command = "no-such-program --now"\n', 3, "no-such-program"),
    ],
)
def test_tests_that_cannot_be_run(tmp_path: Path, settings: str, code: int, sentence: str) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "scaffold.toml": f"[tests]\n{settings}"})
    write(repo, {"a.py": "x = 2\n"})
    before = entries(repo)
    ended = scaffold("check", "--layers", "tests", cwd=repo)
    assert ended.code == code
    assert sentence in ended.told
    assert entries(repo) == before


def test_no_git(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    nothing = {"PATH": str(tmp_path)}
    refused(scaffold("check", cwd=repo, env=nothing), 3, "The program 'git' was not found.")
    refused(scaffold("check", "--staged", cwd=repo, env=nothing), 3, "The program 'git' was not found.")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--staged", "--base", "HEAD"), "--staged and --base exclude each other"),
        (("--patch", "x", "--before", "a", "--after", "b"), "--patch and --before exclude each other"),
        (("--head", "HEAD"), "--head needs --base"),
        (("--before", "a"), "--before and --after belong together"),
        (("--after", "a"), "--before and --after belong together"),
        (("a.py", "--patch", "x"), "PATHS and --patch exclude each other"),
        (("--waive", "anchors-1"), "--waive needs --reason"),
        (("--reason", "x"), "--reason needs --waive"),
        (
            ("--waive", "a", "--waive", "b", "--waive", "c", "--reason", "x", "--reason", "y"),
            "3 --waive and 2 --reason",
        ),
        (("--waive", "a", "--reason", " "), "A --reason is empty"),
        (("--layers", "sast,spelling"), "There is no layer 'spelling'"),
        (("--layers", ","), "--layers names no layer"),
        (("--format", "xml"), "Invalid value for '--format'"),
        (("--bogus",), "No such option: --bogus"),
        (("--isolation", "prayer"), "Invalid value for '--isolation'"),
    ],
)
def test_calls_that_make_no_sense(tmp_path: Path, args: Sequence[str], sentence: str) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    write(repo, {"a.py": UNGUARDED})
    refused(scaffold("check", *args, cwd=repo), 2, sentence)


def test_no_command_and_an_unknown_one(tmp_path: Path) -> None:
    refused(scaffold(cwd=tmp_path), 2, "Name a command.")
    refused(scaffold("chekc", cwd=tmp_path), 2, "No such command 'chekc'")


def test_a_configuration_that_is_wrong_is_told_with_its_line(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "scaffold.toml": "[tests]\ncomand = 'x'\n"})
    write(repo, {"a.py": UNGUARDED})
    before = entries(repo)
    refused(scaffold("check", cwd=repo), 2, "scaffold.toml:2: there is no setting 'tests.comand'.", "'tests.command'")
    refused(scaffold("config", cwd=repo), 2, "scaffold.toml:2")
    assert entries(repo) == before


def test_the_locale_does_not_matter(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": b"# \xef\xf0\xe8\n" + GUARDED.encode()})
    name = os.fsdecode(b"caf\xe9 \xd0.py")
    write(repo, {"a.py": b"# coding: cp1251\n# \xef\xf0\xe8\n" + UNGUARDED.encode(), name: GUARDED})
    plain = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    ended = scaffold("check", "--layers", "budget", cwd=repo, env=plain)
    assert ended.code == 0
    assert scaffold("check", *QUICK, "--format", "json", cwd=repo, env=plain).json["files"] == 2
