"""Append-only history under refs/scaffold/."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.build import tree_with
from scaffold_cli.vcs.refs import append, history, list_refs
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree
from tests.support.repos import git, make_repo

REF = "refs/scaffold/chains/20240101-000000-abcdef"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"a.py": "one\n", "sub/b.py": "b\n"})


def test_entries_come_back_in_order_with_their_bytes(repo: Path) -> None:
    repository = Repository.discover(repo)
    assert history(repository, REF) == []
    first = append(repository, REF, {"entry.json": b"{}\n", "odd": b"\0\xff"}, "One\n")
    second = append(repository, REF, {"entry.json": b"[]"}, "Two, with ÿ\n")
    entries = history(repository, REF)
    assert [entry.commit for entry in entries] == [first, second]
    assert [entry.parent for entry in entries] == [None, first]
    assert dict(entries[0].files) == {"entry.json": b"{}\n", "odd": b"\0\xff"}
    assert dict(entries[1].files) == {"entry.json": b"[]"}
    assert [entry.message for entry in entries] == ["One\n", "Two, with ÿ\n"]
    assert entries[0].tree is None
    assert list_refs(repository) == {REF: second}
    assert list_refs(repository, "refs/scaffold/other/") == {}


def test_a_tree_is_kept_after_its_temporary_objects_are_gone(repo: Path) -> None:
    repository = Repository.discover(repo)
    with ObjectStore.of(repository) as store:
        base = GitTree(store, store.tree_of("HEAD"))
        candidate = tree_with(base, {"sub/b.py": None, "new.py": FileVersion("new.py", b"new\n")})
        append(repository, REF, {"entry.json": b"1"}, "Candidate", tree=candidate)
    (entry,) = history(repository, REF)
    assert entry.tree == candidate.id
    assert git(repo, "show", f"{REF}:tree/new.py") == "new"
    assert git(repo, "ls-tree", "-r", "--name-only", f"{REF}:tree").split() == ["a.py", "new.py"]
    assert git(repo, "fsck", "--strict") == ""


def test_nothing_of_the_users_moves_and_no_hook_fires(repo: Path) -> None:
    for name in ("reference-transaction", "post-index-change", "post-commit"):
        path = repo / ".git/hooks" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\ntouch ../fired fired\nexit 1\n")
        path.chmod(0o755)
    index = (repo / ".git/index").read_bytes()
    append(Repository.discover(repo), REF, {"entry.json": b"1"}, "Entry")
    assert not (repo / "fired").exists()
    assert not (repo.parent / "fired").exists()
    assert (repo / ".git/index").read_bytes() == index
    assert git(repo, "status", "--porcelain") == ""
    assert git(repo, "for-each-ref", "--format=%(refname)").split() == ["refs/heads/main", REF]


def test_it_works_where_git_knows_nobody(repo: Path, git_env: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (git_env / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n[commit]\n\tgpgSign = true\n")
    for name in list(os.environ):
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")):
            monkeypatch.delenv(name)
    append(Repository.discover(repo), REF, {"entry.json": b"1"}, "Entry")
    assert git(repo, "log", "-1", "--format=%an", REF) == "scaffold"


def test_an_entry_is_not_added_over_somebody_elses(repo: Path, tmp_path: Path) -> None:
    repository = Repository.discover(repo)
    append(repository, REF, {"entry.json": b"1"}, "One")
    lock = repo / ".git" / f"{REF}.lock"
    lock.touch()
    with pytest.raises(UndecidedError, match="could not be written"):
        append(repository, REF, {"entry.json": b"2"}, "Two")
    lock.unlink()
    assert len(history(repository, REF)) == 1


@pytest.mark.parametrize(("ref", "name"), [("refs/heads/main", "entry"), (REF, "a/b"), (REF, "tree"), (REF, "")])
def test_other_refs_and_nested_names_are_refused(repo: Path, ref: str, name: str) -> None:
    head = git(repo, "rev-parse", "HEAD")
    with pytest.raises(UsageError):
        append(Repository.discover(repo), ref, {name: b"1"}, "Entry")
    assert git(repo, "rev-parse", "main") == head


def test_a_missing_object_is_named(repo: Path) -> None:
    repository = Repository.discover(repo)
    append(repository, REF, {"entry.json": b"unique bytes"}, "One")
    oid = git(repo, "rev-parse", f"{REF}:entry.json")
    (repo / ".git/objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(UndecidedError, match=oid):
        history(repository, REF)
