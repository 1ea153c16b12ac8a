"""The working-tree door."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scaffold_cli.model.change import Door, FileMode, FileStatus, Omitted
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.doors.working_tree import working_tree
from tests.support.repos import commit, git, make_repo, write
from tests.vcs.support import LIMIT, brief, fingerprint, found

FILES = {"a.py": "one\n", "b.py": "b\n", "sub/c.py": "c\n"}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", FILES)


def look(folder: Path, limit: int = LIMIT) -> dict[str, tuple[str | None, str | None]]:
    return brief(working_tree(found(folder), limit))


def test_staged_unstaged_and_untracked_are_seen_and_ignored_is_not(repo: Path) -> None:
    write(repo, {".git/info/exclude": "*.log\n", "x.log": "x", "new.py": "n\n", "a.py": "staged\n", "sub/c.py": None})
    git(repo, "add", "a.py")
    write(repo, {"a.py": "unstaged\n"})
    assert look(repo) == {"a.py": ("one\n", "unstaged\n"), "new.py": (None, "n\n"), "sub/c.py": ("c\n", None)}


def test_nothing_is_written_to_the_repository(repo: Path) -> None:
    write(repo, {"a.py": "two\n", "new.py": "n\n" * 1000})
    hook = repo / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch fired\n")
    hook.chmod(0o755)
    before = fingerprint(repo)
    with working_tree(found(repo), LIMIT) as comparison:
        assert comparison.after.read("new.py") == b"n\n" * 1000
        assert comparison.change.door is Door.WORKING_TREE
        assert comparison.folder == repo
        scratch = comparison.store.scratch
        assert scratch.exists()
    assert not scratch.exists()
    assert fingerprint(repo) == before


def test_an_unchanged_tree_is_an_empty_change(repo: Path) -> None:
    os.utime(repo / "a.py")
    assert look(repo) == {}
    write(repo, {"b.py": "other\n"})
    git(repo, "add", "b.py")
    write(repo, {"b.py": "b\n"})
    assert look(repo) == {}


def test_an_edit_in_the_instant_of_the_commit_is_seen(repo: Path) -> None:
    """Same size and same time stamp as in the index: only the index's own time tells that the file must be read."""
    git(repo, "config", "core.trustctime", "false")
    instant = (10**18, 10**18)
    os.utime(repo / "a.py", ns=instant)
    git(repo, "update-index", "--refresh")
    (repo / "a.py").write_text("two\n")
    for path in (repo / "a.py", repo / ".git/index"):
        os.utime(path, ns=instant)
    assert look(repo) == {"a.py": ("one\n", "two\n")}


def test_before_the_first_commit_everything_is_new(tmp_path: Path) -> None:
    folder = make_repo(tmp_path / "fresh", {})
    assert look(folder) == {}
    write(folder, {"a.py": "one\n", "b.py": "b\n"})
    git(folder, "add", "a.py")
    assert look(folder) == {"a.py": (None, "one\n"), "b.py": (None, "b\n")}


def test_from_a_subfolder_a_linked_worktree_and_a_detached_head(repo: Path, tmp_path: Path) -> None:
    write(repo, {"a.py": "two\n"})
    assert look(repo / "sub") == {"a.py": ("one\n", "two\n")}
    git(repo, "worktree", "add", "-q", "--detach", str(tmp_path / "side"))
    write(tmp_path / "side", {"sub/c.py": "cc\n", "new.py": "n\n"})
    assert look(tmp_path / "side/sub") == {"new.py": (None, "n\n"), "sub/c.py": ("c\n", "cc\n")}


@pytest.mark.parametrize(
    "name", ['we"ird.py', "new\nline.py", "-dash.py", "sp ace.py", "tab\t.py", "\udcd0.py", ":x", "*"]
)
def test_strange_names(repo: Path, name: str) -> None:
    git(repo, "config", "core.quotePath", "true")
    write(repo, {name: "n\n", "a.py": "two\n"})
    assert look(repo) == {"a.py": ("one\n", "two\n"), name: (None, "n\n")}
    commit(repo, {})
    write(repo, {name: "m\n"})
    assert look(repo) == {name: ("n\n", "m\n")}


def test_links_pipes_and_modes(repo: Path) -> None:
    (repo / "dangling").symlink_to("/nowhere")
    os.mkfifo(repo / "pipe")
    (repo / "a.py").unlink()
    os.mkfifo(repo / "a.py")
    (repo / "b.py").chmod(0o755)
    with working_tree(found(repo), LIMIT) as comparison:
        pairs = {pair.path: pair for pair in comparison.change.files}
    assert set(pairs) == {"a.py", "b.py", "dangling"}
    assert pairs["a.py"].status is FileStatus.DELETED
    assert pairs["b.py"].after is not None
    assert pairs["b.py"].after.mode is FileMode.EXECUTABLE
    assert pairs["dangling"].after is not None
    assert (pairs["dangling"].after.mode, pairs["dangling"].after.data) == (FileMode.SYMLINK, b"/nowhere")


def test_files_folders_and_links_take_each_others_place(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    write(tmp_path / "elsewhere", {"c.py": "other\n"})
    write(repo, {"sub/c.py": None, "a.py": None})
    (repo / "sub").rmdir()
    (repo / "sub").symlink_to(tmp_path / "elsewhere")
    write(repo, {"a.py/inner.py": "i\n"})
    assert look(repo) == {
        "a.py": ("one\n", None),
        "a.py/inner.py": (None, "i\n"),
        "sub": (None, str(tmp_path / "elsewhere")),
        "sub/c.py": ("c\n", None),
    }


def test_a_large_file_is_named_with_its_size(repo: Path) -> None:
    write(repo, {"big.py": "x" * 1_200_000})
    with working_tree(found(repo), LIMIT) as comparison:
        (pair,) = comparison.change.files
    assert pair.after is not None
    assert (pair.after.omitted, pair.after.size, pair.after.data) == (Omitted.TOO_LARGE, 1_200_000, b"")
    assert pair.after.oid == git(repo, "hash-object", "big.py")


def test_a_file_at_the_limit_is_read(repo: Path) -> None:
    write(repo, {"big.py": "x" * 100})
    assert look(repo, 100)["big.py"] == (None, "x" * 100)
    assert look(repo, 99)["big.py"] == (None, "too-large")


def test_an_unfinished_merge_is_undecided_and_names_a_file(repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "side")
    commit(repo, {"a.py": "theirs\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"a.py": "ours\n"})
    with pytest.raises(AssertionError):
        git(repo, "merge", "side")
    with pytest.raises(UndecidedError, match=r"a\.py is not finished"):
        look(repo)
    write(repo, {"a.py": "both\n"})
    with pytest.raises(UndecidedError, match=r"a\.py is not finished"):
        look(repo)


def test_intent_to_add_counts_with_its_content(repo: Path) -> None:
    write(repo, {"new.py": "n\n"})
    git(repo, "add", "-N", "new.py")
    assert look(repo) == {"new.py": (None, "n\n")}


@pytest.mark.parametrize(
    "setting",
    [
        ("core.fsmonitor", "touch fired; false"),
        ("core.splitIndex", "true"),
        ("core.untrackedCache", "true"),
        ("core.quotePath", "false"),
        ("core.safecrlf", "true"),
        ("diff.renames", "false"),
        ("diff.renameLimit", "1"),
        ("diff.external", "touch fired"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.orderFile", "/nonexistent"),
        ("status.showUntrackedFiles", "no"),
        ("core.abbrev", "4"),
        ("color.ui", "always"),
        ("core.pager", "touch fired"),
    ],
    ids=lambda setting: setting[0],
)
def test_settings_do_not_change_what_is_read(repo: Path, setting: tuple[str, str]) -> None:
    for name, text in (("old1.py", "first\n"), ("old2.py", "second\n")):
        commit(repo, {name: text * 30})
    git(repo, "config", *setting)
    git(repo, "add", "-A")
    (repo / "fired").unlink(missing_ok=True)
    write(
        repo,
        {"a.py": "one\r\nmixed\n", "old1.py": None, "old2.py": None, "new1.py": "first\n" * 29, "n2": "second\n" * 29},
    )
    with working_tree(found(repo), LIMIT) as comparison:
        seen = [(pair.status.value, pair.path) for pair in comparison.change.files]
    assert seen == [("modified", "a.py"), ("renamed", "n2"), ("renamed", "new1.py")]
    assert not list(repo.rglob("fired"))


def test_what_git_would_store_is_judged_so_line_ends_alone_are_no_change(repo: Path) -> None:
    """charmbracelet/crush#2486: LF before and CRLF after made every line differ."""
    git(repo, "config", "core.autocrlf", "true")
    (repo / "a.py").write_bytes(b"one\r\n")
    (repo / "b.py").write_bytes(b"b\r\nmore\r\n")
    assert look(repo) == {"b.py": ("b\n", "b\nmore\n")}


def test_line_ends_are_kept_where_git_keeps_them(repo: Path) -> None:
    text = "crlf\r\nlone\rcr\nno end"
    (repo / "a.py").write_bytes(text.encode())
    (repo / "b.py").write_bytes(b"\xef\xbb\xbfbom \xcf\xf0\n")
    assert look(repo) == {"a.py": ("one\n", text), "b.py": ("b\n", "\ufeffbom \udccf\udcf0\n")}


def test_a_moved_submodule_is_named_even_when_the_change_asks_to_ignore_it(repo: Path, tmp_path: Path) -> None:
    inner = make_repo(tmp_path / "inner", {"x.py": "x\n"})
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "lib")
    git(repo, "config", "-f", ".gitmodules", "submodule.lib.ignore", "all")
    commit(repo, {})
    assert look(repo) == {}
    moved = commit(repo / "lib", {"x.py": "less\n"})
    with working_tree(found(repo), LIMIT) as comparison:
        (pair,) = comparison.change.files
    assert pair.path == "lib"
    assert pair.after is not None
    assert (pair.after.mode, pair.after.omitted, pair.after.oid) == (FileMode.SUBMODULE, Omitted.SUBMODULE, moved)


def test_an_untracked_repository_inside_is_named_once_it_has_a_commit(repo: Path) -> None:
    make_repo(repo / "unborn", {})
    make_repo(repo / "nested", {"x.py": "x\n"})
    assert look(repo) == {"nested": (None, "submodule")}


def test_a_hooks_variables_lead_nowhere(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(repo, {"a.py": "two\n"})
    expected = look(repo)
    for name in (
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_EXTERNAL_DIFF",
        "GIT_PREFIX",
    ):
        monkeypatch.setenv(name, "/nonexistent")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.worktree")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "/nonexistent")
    assert look(repo) == expected


def test_replaced_objects_do_not_hide_what_is_there(repo: Path) -> None:
    write(repo, {"a.py": "two\n"})
    git(repo, "add", "a.py")
    git(repo, "replace", git(repo, "rev-parse", "HEAD:a.py"), git(repo, "rev-parse", ":a.py"))
    assert look(repo) == {"a.py": ("one\n", "two\n")}


def test_a_missing_head_commit_is_no_empty_repository(repo: Path) -> None:
    head = git(repo, "rev-parse", "HEAD")
    (repo / ".git/objects" / head[:2] / head[2:]).unlink()
    with pytest.raises(UndecidedError, match=head):
        look(repo)


@pytest.mark.parametrize("rubbish", ["", "rubbish\n"])
def test_a_damaged_head_is_no_empty_repository(repo: Path, rubbish: str) -> None:
    write(repo, {".git/refs/heads/main": rubbish})
    with pytest.raises(UndecidedError, match="HEAD names no commit"):
        look(repo)


def test_a_name_git_cannot_store_is_undecided(repo: Path) -> None:
    write(repo, {"git~1": "x\n"})
    with pytest.raises(UndecidedError, match="git~1"):
        look(repo)


AS_NOBODY = """
import os, sys
from pathlib import Path
from scaffold_cli.model.errors import UndecidedError
from tests.vcs.test_working_tree import look
os.setgid(65534)
os.setuid(65534)
try:
    look(Path(sys.argv[1]))
except UndecidedError as error:
    print(error.message)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A temporary folder every user may enter, which pytest's are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("what", ["a.py", "sub"])
def test_what_cannot_be_read_is_undecided(open_folder: Path, what: str) -> None:
    repo = make_repo(open_folder / "repo", FILES)
    write(repo, {"a.py": "two\n", "sub/new.py": "n\n"})
    subprocess.run(["chown", "-R", "65534:65534", str(repo)], check=True)
    (repo / what).chmod(0)
    env = {**os.environ, "HOME": str(open_folder), "XDG_CONFIG_HOME": str(open_folder)}
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(repo)], capture_output=True, text=True, env=env, check=False
    )
    assert what in done.stdout, done.stderr
    assert "cannot be read" in done.stdout
