"""Stores, trees, and trees built from versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold_cli.model.change import Door, FileMode, FileVersion, Omitted
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.build import tree_with
from scaffold_cli.vcs.commits import commit
from scaffold_cli.vcs.compare import compare
from scaffold_cli.vcs.doors.working_tree import working_tree
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree
from tests.support.repos import git, make_repo, write
from tests.vcs.support import LIMIT, brief, fingerprint, found

FILES = {"a.py": "a\n", "sub/b.py": "b\n", "sub/deep/c.py": "c\n"}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", FILES)


def head(store: ObjectStore) -> GitTree:
    return GitTree(store, store.tree_of("HEAD"))


def test_a_tree_lists_and_reads_plain_files(repo: Path) -> None:
    (repo / "link").symlink_to("a.py")
    (repo / "run").write_text("#!/bin/sh\n")
    (repo / "run").chmod(0o755)
    git(repo, "add", "-A")
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},lib")
    git(repo, "commit", "-q", "-m", "more")
    with ObjectStore.of(found(repo)) as store:
        tree = head(store)
        assert tree.id == git(repo, "rev-parse", "HEAD^{tree}")
        assert list(tree.paths()) == ["a.py", "link", "run", "sub/b.py", "sub/deep/c.py"]
        assert tree.entries()["lib"].mode is FileMode.SUBMODULE
        assert tree.read("sub/b.py") == b"b\n"
        assert [tree.read(path) for path in ("link", "lib", "sub", "missing", "")] == [None] * 5
        assert tree.read_many(["a.py", "link", "missing", "run"]) == {"a.py": b"a\n", "run": b"#!/bin/sh\n"}
        assert tree == head(store)


def test_versions_laid_over_a_tree(repo: Path) -> None:
    before = fingerprint(repo)
    with ObjectStore.of(found(repo)) as store:
        base = head(store)
        built = tree_with(
            base,
            {
                "a.py": None,
                "a.py/inner": FileVersion("", b"i", FileMode.EXECUTABLE),
                "sub/deep": FileVersion("", b"now a file"),
                "sub/deep/c.py": None,
                "l": FileVersion("", b"target", FileMode.SYMLINK),
                "s": FileVersion("", b"", FileMode.SUBMODULE, 0, Omitted.SUBMODULE, "1" * 40),
                "big": FileVersion("", b"", FileMode.REGULAR, 2, Omitted.TOO_LARGE, base.entries()["a.py"].oid),
            },
        )
        assert {path: entry.mode.value for path, entry in built.entries().items()} == {
            "a.py/inner": "100755",
            "big": "100644",
            "l": "120000",
            "s": "160000",
            "sub/b.py": "100644",
            "sub/deep": "100644",
        }
        assert built.read("big") == b"a\n"
        assert tree_with(base, {}) is base
        assert tree_with(base, {"missing": None}) == base
    assert fingerprint(repo) == before


@pytest.mark.parametrize("path", ["../x", "/x", "a/../x", ".git/x", "sub/.git/x", ""])
def test_paths_git_refuses_are_refused(repo: Path, path: str) -> None:
    with ObjectStore.of(found(repo)) as store, pytest.raises(UndecidedError, match="cannot store"):
        tree_with(head(store), {path: FileVersion("", b"x")})


def test_a_store_without_a_repository(tmp_path: Path) -> None:
    with ObjectStore.detached() as store:
        empty = GitTree(store, store.empty_tree())
        assert list(empty.paths()) == []
        tree = tree_with(empty, {"x/y.py": FileVersion("", b"y\n")})
        assert tree.read("x/y.py") == b"y\n"
        change = compare(empty, tree, max_file_bytes=LIMIT, door=Door.FOLDERS)
        assert brief(change) == {"x/y.py": (None, "y\n")}
        scratch = store.scratch
    assert not scratch.exists()
    store.close()


def test_a_missing_object_is_named(repo: Path) -> None:
    with ObjectStore.of(found(repo)) as store:
        for ask in (store.read_blob, store.tree_of, lambda oid: store.sizes([oid])):
            with pytest.raises(UndecidedError, match="1" * 40):
                ask("1" * 40)


@pytest.mark.parametrize("name", ["co:lon", 'quo"te', "sp ace", "\udcff", "-dash"])
def test_a_repository_with_a_strange_name(tmp_path: Path, name: str) -> None:
    repo = make_repo(tmp_path / name, FILES)
    write(repo, {"a.py": "two\n"})
    assert brief(working_tree(found(repo), LIMIT)) == {"a.py": ("a\n", "two\n")}


def test_another_hash_function(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main", "--object-format=sha256")
    make_repo(repo, FILES)
    write(repo, {"a.py": "two\n", "sub/b.py": None})
    assert brief(working_tree(found(repo), LIMIT)) == {"a.py": ("a\n", "two\n"), "sub/b.py": ("b\n", None)}
    git(repo, "checkout", "-q", ".")
    repository = Repository.discover(repo)
    with ObjectStore.of(repository) as store:
        new = commit(repository, head(store), {"sub/b.py": None, "n.py": FileVersion("", b"n\n")}, "Step")
    assert git(repo, "rev-parse", "HEAD") == new


def test_a_hundred_files_take_no_more_processes_than_one(repo: Path, git_env: Path) -> None:
    trace = repo.parent / "trace"
    with (git_env / ".gitconfig").open("a") as config:
        config.write(f"[trace2]\n\teventTarget = {trace}\n")
    counts = []
    for number in (1, 100):
        write(repo, {f"new{index}.py": f"{index}\n" for index in range(number)})
        trace.unlink(missing_ok=True)
        working_tree(found(repo), LIMIT).close()
        counts.append(trace.read_text().count('"event":"version"'))
    assert counts[0] == counts[1] > 0
