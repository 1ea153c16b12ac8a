"""The patch door."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold_cli.model.change import FileStatus
from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.doors.patch import patch
from scaffold_cli.vcs.doors.working_tree import working_tree
from tests.support.repos import commit, git, make_repo, write
from tests.vcs.support import LIMIT, brief, fingerprint, found


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"a.py": "one\ntwo\nthree\n", "b.py": "b\n" * 20, "sub/c.py": "c\n"})


def diff(repo: Path, *options: str) -> bytes:
    git(repo, "add", "-A")
    return (git(repo, "diff", "--cached", "--binary", *options, "HEAD") + "\n").encode("utf-8", "surrogateescape")


def test_the_patch_of_a_change_is_that_change(repo: Path) -> None:
    git(repo, "mv", "b.py", "moved.py")
    write(repo, {"a.py": "one\r\n2\nthree", "sub/c.py": None, "bin": b"\0\1\2\xff" * 50, 'q"\n.py': "strange\n"})
    (repo / "a.py").chmod(0o755)
    with working_tree(found(repo), LIMIT) as comparison:
        expected = comparison.change
    data = diff(repo, "-M")
    with patch(found(repo), data, LIMIT) as comparison:
        assert comparison.change == expected
        assert comparison.change.digest == expected.digest


def test_it_applies_to_head_and_writes_nothing(repo: Path) -> None:
    write(repo, {"a.py": "one\n2\nthree\n"})
    data = diff(repo)
    git(repo, "reset", "-q", "--hard")
    write(repo, {"a.py": "dirty\n", "u.py": "u\n"})
    before = fingerprint(repo)
    assert brief(patch(found(repo / "sub"), data, LIMIT)) == {"a.py": ("one\ntwo\nthree\n", "one\n2\nthree\n")}
    assert fingerprint(repo) == before


def test_a_patch_for_a_plain_folder(repo: Path, tmp_path: Path) -> None:
    write(repo, {"a.py": "one\n2\nthree\n"})
    plain = tmp_path / "plain"
    write(plain, {"a.py": "one\ntwo\nthree\n"})
    with patch(plain, diff(repo), LIMIT) as comparison:
        assert comparison.folder == plain
        assert brief(comparison) == {"a.py": ("one\ntwo\nthree\n", "one\n2\nthree\n")}


def test_without_prefixes_and_from_plain_diff(repo: Path) -> None:
    expected = {"sub/c.py": ("c\n", "cc\n")}
    write(repo, {"sub/c.py": "cc\n"})
    assert brief(patch(found(repo), diff(repo, "--no-prefix"), LIMIT)) == expected
    plain = b"--- sub/c.py\t2024-01-01 00:00:00\n+++ sub/c.py\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-c\n+cc\n"
    assert brief(patch(found(repo), plain, LIMIT)) == expected


def test_line_ends_of_content_are_kept_and_those_of_transport_undone(repo: Path) -> None:
    write(repo, {"sub/c.py": "c\ncrlf\r\n"})
    assert brief(patch(found(repo), diff(repo), LIMIT)) == {"sub/c.py": ("c\n", "c\ncrlf\r\n")}
    write(repo, {"sub/c.py": "c\nlf\n"})
    mailed = diff(repo).replace(b"\n", b"\r\n")
    assert brief(patch(found(repo), mailed, LIMIT)) == {"sub/c.py": ("c\n", "c\nlf\n")}


@pytest.mark.parametrize(
    "setting", [("apply.whitespace", "fix"), ("apply.whitespace", "error-all"), ("core.autocrlf", "true")]
)
def test_settings_do_not_change_what_is_applied(repo: Path, setting: tuple[str, str]) -> None:
    write(repo, {"a.py": "one  \ntwo\t\r\n"})
    data = diff(repo)
    git(repo, "config", *setting)
    assert brief(patch(found(repo), data, LIMIT)) == {"a.py": ("one\ntwo\nthree\n", "one  \ntwo\t\r\n")}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-uno\n+dos\n", r"a\.py"),
        (b"--- a/no.py\n+++ b/no.py\n@@ -1 +1 @@\n-uno\n+dos\n", r"no\.py"),
        (b"this is no patch\n", "No valid patches"),
        (b"--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n one\n-two\n", "corrupt patch"),
        (b"--- /dev/null\n+++ b/../out.py\n@@ -0,0 +1 @@\n+x\n", r"out\.py"),
        (b"--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n", r"\.git/hooks"),
    ],
)
def test_what_does_not_apply_is_a_usage_error_with_gits_reason(repo: Path, data: bytes, reason: str) -> None:
    before = fingerprint(repo)
    with pytest.raises(UsageError, match=reason):
        patch(found(repo), data, LIMIT)
    assert fingerprint(repo) == before


@pytest.mark.parametrize("data", [b"", b"\n \n"])
def test_an_empty_patch_is_an_empty_change(repo: Path, data: bytes) -> None:
    assert brief(patch(found(repo), data, LIMIT)) == {}


def test_before_the_first_commit(tmp_path: Path) -> None:
    folder = make_repo(tmp_path / "fresh", {})
    data = b"--- /dev/null\n+++ b/x.py\n@@ -0,0 +1 @@\n+x\n"
    assert brief(patch(found(folder), data, LIMIT)) == {"x.py": (None, "x\n")}


def test_a_rename_that_was_written_as_delete_and_add_is_found(repo: Path) -> None:
    git(repo, "mv", "b.py", "moved.py")
    data = diff(repo, "--no-renames")
    commit(repo, {"moved.py": None, "b.py": "b\n" * 20})
    with patch(found(repo), data, LIMIT) as comparison:
        (pair,) = comparison.change.files
    assert pair.status is FileStatus.RENAMED
