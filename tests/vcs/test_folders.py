"""Two folders or two files, without a repository."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold_cli.model.change import FileMode, FileStatus
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.doors.folders import folders
from tests.support.repos import git, make_repo, write
from tests.vcs.support import LIMIT, brief, fingerprint


def pair_of(tmp_path: Path, before: dict[str, str | bytes], after: dict[str, str | bytes]) -> tuple[Path, Path]:
    for name, files in (("old", before), ("new", after)):
        (tmp_path / name).mkdir()
        write(tmp_path / name, files)
    return tmp_path / "old", tmp_path / "new"


def test_files_are_taken_byte_for_byte(tmp_path: Path, git_env: Path) -> None:
    """Neither attributes, nor ignore files, nor the user's settings take part."""
    with (git_env / ".gitconfig").open("a") as config:
        config.write(
            f"[core]\n\tautocrlf = true\n\tattributesFile = {git_env}/attributes\n\texcludesFile = {git_env}/ig\n"
        )
    write(git_env, {"attributes": "* text ident filter=up\n", "ig": "*.py\n"})
    with (git_env / ".gitconfig").open("a") as config:
        config.write('[filter "up"]\n\tclean = tr a-z A-Z\n\trequired = true\n')
    rules = {".gitattributes": "* text=auto eol=lf ident\n", ".gitignore": "*\n"}
    old, new = pair_of(
        tmp_path, {"a.py": "x\r\n$Id: y$\n", **rules}, {"a.py": "x\r\n$Id: z$\n", "b\n.py": "b", **rules}
    )
    assert brief(folders(old, new, LIMIT)) == {
        "a.py": ("x\r\n$Id: y$\n", "x\r\n$Id: z$\n"),
        "b\n.py": (None, "b"),
    }


def test_repositories_and_caches_are_left_out(tmp_path: Path) -> None:
    left_out = {f"{folder}/x": "x" for folder in ("__pycache__", ".venv/lib", "deep/node_modules/m")}
    old, new = pair_of(tmp_path, {"a.py": "a\n"}, {"a.py": "a\n", **left_out})
    make_repo(new / "nested", {"inner.py": "i\n"})
    make_repo(new / "unborn", {})
    write(new, {"linked/.git": "gitdir: /nonexistent\n", "linked/l.py": "l\n"})
    before = fingerprint(new)
    assert brief(folders(old, new, LIMIT)) == {"linked/l.py": (None, "l\n"), "nested/inner.py": (None, "i\n")}
    assert fingerprint(new) == before


def test_links_pipes_modes_and_renames(tmp_path: Path) -> None:
    old, new = pair_of(tmp_path, {"a.py": "a\n" * 9, "b.py": "b\n"}, {"moved/a.py": "a\n" * 9, "b.py": "b\n"})
    (new / "b.py").chmod(0o755)
    (new / "dir-link").symlink_to(old)
    (new / "dangling").symlink_to(b"/no\xffwhere".decode("utf-8", "surrogateescape"))
    os.mkfifo(new / "pipe")
    with folders(old, new, LIMIT) as comparison:
        pairs = {pair.path: pair for pair in comparison.change.files}
        assert (comparison.folder, comparison.before_folder, comparison.repository) == (new, old, None)
    assert {path: pair.status for path, pair in pairs.items()} == {
        "b.py": FileStatus.MODIFIED,
        "dangling": FileStatus.ADDED,
        "dir-link": FileStatus.ADDED,
        "moved/a.py": FileStatus.RENAMED,
    }
    assert pairs["b.py"].sides[1].mode is FileMode.EXECUTABLE
    assert pairs["dangling"].sides[0].data == b"/no\xffwhere"
    assert pairs["dir-link"].sides[0].mode is FileMode.SYMLINK


def test_inside_a_repository_nothing_but_the_files_counts(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"old/a.py": "1\n", "new/a.py": "1\n", ".gitignore": "new/\n"})
    write(repo, {"new/a.py": "2\n"})
    status = git(repo, "status", "--porcelain")
    assert brief(folders(repo / "old", repo / "new", LIMIT)) == {"a.py": ("1\n", "2\n")}
    assert git(repo, "status", "--porcelain") == status


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [("x.py", "x.py", "x.py"), ("x.py", "y.py", "y.py"), ("x.java", "candidate", "x.java"), ("Makefile", "M2", "M2")],
)
def test_two_files_are_one_path(tmp_path: Path, before: str, after: str, path: str) -> None:
    old, new = pair_of(tmp_path, {before: "1\n"}, {after: "2\n", "neighbour.py": "n\n"})
    with folders(old / before, new / after, LIMIT) as comparison:
        assert list(comparison.folder.iterdir()) == []
        assert brief(comparison) == {path: ("1\n", "2\n")}


def test_a_file_against_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"x.py": "1\n"})
    assert brief(folders(Path(os.devnull), tmp_path / "x.py", LIMIT)) == {"x.py": (None, "1\n")}


def test_missing_and_unlike_paths_are_usage_errors(tmp_path: Path) -> None:
    write(tmp_path, {"x.py": "1\n"})
    with pytest.raises(UsageError, match="There is no file or folder"):
        folders(tmp_path / "missing", tmp_path, LIMIT)
    with pytest.raises(UsageError, match="one is a folder"):
        folders(tmp_path / "x.py", tmp_path, LIMIT)


def test_a_name_git_cannot_store_is_not_passed_over(tmp_path: Path) -> None:
    old, new = pair_of(tmp_path, {"a.py": "a\n"}, {"a.py": "a\n", "git~1": "x\n"})
    with pytest.raises(UndecidedError, match="git~1"):
        folders(old, new, LIMIT)


def test_equal_folders_are_an_empty_change(tmp_path: Path) -> None:
    old, new = pair_of(tmp_path, {"a.py": "a\n"}, {"a.py": "a\n"})
    assert brief(folders(old, new, LIMIT)) == {}
