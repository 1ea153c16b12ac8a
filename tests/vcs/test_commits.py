"""Committing a step: exactly its files, nothing of the user's lost, all or nothing."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.commits import CommitFailedError, CommitRefusedError, commit, dirty_paths
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree
from tests.support.repos import git, make_repo, write

FILES = {"a.py": "one\n", "b.py": "b\n", "c.py": "c\n", "sub/d.py": "d\n"}
Edits = Mapping[str, str | FileVersion | None]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", FILES)


def do(folder: Path, edits: Edits, *, branch: str | None = None, verify: bool = True, message: str = "Step\n") -> str:
    """Commit `edits` onto HEAD of the repository at `folder`."""
    repository = Repository.discover(folder)
    with ObjectStore.of(repository) as store:
        head = repository.head()
        base = GitTree(store, store.tree_of(head) if head else store.empty_tree())
        files = {
            path: FileVersion(path, edit.encode()) if isinstance(edit, str) else edit for path, edit in edits.items()
        }
        return commit(repository, base, files, message, branch=branch, verify=verify)


def state(folder: Path) -> dict[str, str]:
    """Everything that must be as before: files with modes, the index, HEAD and all refs, the status."""
    seen = {}
    for place in sorted(folder.rglob("*")):
        name = place.relative_to(folder).as_posix()
        if name.startswith(".git/") and not name.startswith((".git/refs", ".git/index", ".git/HEAD", ".git/worktrees")):
            continue
        if place.is_symlink():
            seen[name] = f"link {place.readlink()}"
        elif place.is_file():
            seen[name] = f"{stat.S_IMODE(place.stat().st_mode):o} {hashlib.sha256(place.read_bytes()).hexdigest()}"
    return seen


def hook(folder: Path, name: str, script: str) -> None:
    path = folder / ".git" / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)


def test_the_commit_holds_exactly_the_steps_files_and_the_whole_message(repo: Path) -> None:
    old = git(repo, "rev-parse", "HEAD")
    new = do(
        repo,
        {"a.py": "two\n", "sub/d.py": None, "new/deep/e.py": "e\n"},
        message="Tidy\n\n# not a comment\n\nScaffold-Step: 1\n",
    )
    assert git(repo, "rev-parse", "HEAD") == new
    assert git(repo, "rev-parse", "HEAD^") == old
    assert git(repo, "show", "--name-status", "--format=", new).split() == [
        *("M", "a.py"), *("A", "new/deep/e.py"), *("D", "sub/d.py"),
    ]  # fmt: skip
    assert git(repo, "log", "-1", "--format=%B").rstrip() == "Tidy\n\n# not a comment\n\nScaffold-Step: 1"
    assert git(repo, "log", "-1", "--format=%an %cn") == "Ada Author Cleo Committer"
    assert git(repo, "status", "--porcelain") == ""
    assert not (repo / "sub").exists()
    assert not list((repo / ".git/scaffold").iterdir())


def test_other_uncommitted_work_survives_byte_for_byte(repo: Path) -> None:
    write(repo, {"b.py": "staged\n", "c.py": "c staged\n", "staged_new.py": "s\n"})
    git(repo, "add", "b.py", "c.py", "staged_new.py")
    write(repo, {"c.py": "c staged\nand more, unstaged\n", "untracked.txt": "u"})
    git(repo, "rm", "-q", "--cached", "sub/d.py")
    before = git(repo, "diff", "--cached"), git(repo, "diff")
    do(repo, {"a.py": "two\n", "e.py": "e\n"})
    assert (git(repo, "diff", "--cached"), git(repo, "diff")) == before
    assert (repo / "c.py").read_text() == "c staged\nand more, unstaged\n"
    assert (repo / "untracked.txt").read_text() == "u"
    assert git(repo, "show", "--name-only", "--format=").split() == ["a.py", "e.py"]


def edit_index_only(repo: Path) -> None:
    write(repo, {"a.py": "mine\n"})
    git(repo, "add", "a.py")
    write(repo, {"a.py": "one\n"})


def edit_unseen(repo: Path, flag: str) -> None:
    git(repo, "update-index", flag, "a.py")
    write(repo, {"a.py": "mine\n"})


SPOILS: dict[str, Callable[[Path], object]] = {
    "tree": lambda repo: write(repo, {"a.py": "mine\n"}),
    "index-only": edit_index_only,
    "mode": lambda repo: (repo / "a.py").chmod(0o755),
    "deleted": lambda repo: (repo / "a.py").unlink(),
    "uncached": lambda repo: git(repo, "rm", "-q", "--cached", "a.py"),
    "assume-unchanged": lambda repo: edit_unseen(repo, "--assume-unchanged"),
    "skip-worktree": lambda repo: edit_unseen(repo, "--skip-worktree"),
}


@pytest.mark.parametrize("spoil", SPOILS)
def test_uncommitted_work_in_the_same_file_is_refused(repo: Path, spoil: str) -> None:
    SPOILS[spoil](repo)
    before = state(repo)
    with pytest.raises(CommitRefusedError, match=r"a\.py has uncommitted work"):
        do(repo, {"a.py": "two\n", "b.py": "bb\n"})
    assert state(repo) == before


def test_an_ignored_file_of_the_user_is_not_overwritten(repo: Path) -> None:
    write(repo, {".git/info/exclude": "*.local\n", "x.local": "secret\n"})
    with pytest.raises(CommitRefusedError, match=r"x\.local"):
        do(repo, {"x.local": "gone\n"})
    assert (repo / "x.local").read_text() == "secret\n"


def test_a_rejecting_hook_leaves_everything_and_is_quoted(repo: Path) -> None:
    write(repo, {"b.py": "staged\n", "untracked": "u"})
    git(repo, "add", "b.py")
    hook(repo, "pre-commit", "echo 'no tabs please'; git add untracked; exit 1")
    before = state(repo)
    with pytest.raises(CommitFailedError, match="no tabs please") as failure:
        do(repo, {"a.py": "two\n", "sub/d.py": None, "new/e.py": "e\n"})
    assert state(repo) == before
    assert failure.value.exit_code == 3
    assert not (repo / "new").exists()


def test_hooks_see_the_step_and_can_be_left_out(repo: Path) -> None:
    hook(repo, "pre-commit", "git diff --cached --name-only HEAD > ../seen; exit 0")
    hook(repo, "commit-msg", "grep -q Ticket \"$1\" || { echo 'no ticket'; exit 1; }")
    with pytest.raises(CommitFailedError, match="no ticket"):
        do(repo, {"a.py": "two\n"})
    do(repo, {"a.py": "two\n", "e.py": "e"}, message="Ticket 7\n")
    assert (repo.parent / "seen").read_text().split() == ["a.py", "e.py"]
    do(repo, {"a.py": "three\n"}, verify=False)
    assert git(repo, "log", "-1", "--format=%s") == "Step"


def test_a_hook_that_rewrites_the_step_is_taken_back(repo: Path) -> None:
    hook(repo, "pre-commit", "echo formatted > a.py; git add a.py")
    before = state(repo)
    with pytest.raises(CommitFailedError, match=r"hook changed a\.py"):
        do(repo, {"a.py": "two\n"})
    assert state(repo) == before


def test_no_identity_is_said_and_nothing_remains(repo: Path, git_env: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (git_env / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    for name in list(os.environ):
        if name.startswith(("GIT_AUTHOR", "GIT_COMMITTER")):
            monkeypatch.delenv(name)
    before = state(repo)
    with pytest.raises(CommitRefusedError, match="who commits"):
        do(repo, {"a.py": "two\n"})
    assert state(repo) == before


def test_a_signature_that_fails_leaves_everything(repo: Path) -> None:
    git(repo, "config", "commit.gpgSign", "true")
    git(repo, "config", "gpg.program", "false")
    before = state(repo)
    with pytest.raises(CommitFailedError) as failure:
        do(repo, {"a.py": "two\n", "e.py": "e"})
    assert "sign" in failure.value.hint
    assert state(repo) == before


def test_a_held_index_is_said_before_anything_is_written(repo: Path) -> None:
    (repo / ".git/index.lock").touch()
    with pytest.raises(CommitRefusedError, match="Another git program"):
        do(repo, {"a.py": "two\n"})
    assert (repo / "a.py").read_text() == "one\n"
    assert (repo / ".git/index.lock").exists()


@pytest.mark.parametrize("name", ["MERGE_HEAD", "CHERRY_PICK_HEAD"])
def test_a_merge_under_way_is_refused(repo: Path, name: str) -> None:
    write(repo, {f".git/{name}": git(repo, "rev-parse", "HEAD") + "\n"})
    with pytest.raises(CommitRefusedError, match="under way"):
        do(repo, {"a.py": "two\n"})
    assert (repo / "a.py").read_text() == "one\n"


def test_a_head_that_moved_on_in_these_files_is_refused(repo: Path) -> None:
    repository = Repository.discover(repo)
    with ObjectStore.of(repository) as store:
        base = GitTree(store, store.tree_of("HEAD"))
        write(repo, {"a.py": "theirs\n"})
        git(repo, "commit", "-qam", "theirs")
        with pytest.raises(CommitRefusedError, match=r"a\.py has changed in HEAD"):
            commit(repository, base, {"a.py": FileVersion("a.py", b"two\n")}, "Step")
        commit(repository, base, {"b.py": FileVersion("b.py", b"two\n")}, "Step")


def test_a_link_out_of_the_repository_is_not_followed(repo: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo / ".git/info/exclude").write_text("link\n")
    (repo / "link").symlink_to(outside)
    with pytest.raises(UsageError, match="symbolic link link"):
        do(repo, {"link/x.py": "x"})
    assert not list(outside.iterdir())


def test_a_tracked_link_is_replaced_not_written_through(repo: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("keep\n")
    (repo / "l").symlink_to(target)
    git(repo, "add", "l")
    git(repo, "commit", "-qm", "link")
    do(repo, {"l": "plain\n"})
    assert target.read_text() == "keep\n"
    assert not (repo / "l").is_symlink()
    do(repo, {"l": FileVersion("l", b"nowhere", FileMode.SYMLINK)})
    assert (repo / "l").readlink() == Path("nowhere")


def test_permissions_stay_and_the_executable_bit_follows_the_step(repo: Path) -> None:
    (repo / "b.py").chmod(0o640)
    do(repo, {"b.py": "bb\n"})
    assert stat.S_IMODE((repo / "b.py").stat().st_mode) == 0o640
    do(repo, {"b.py": FileVersion("b.py", b"bb\n", FileMode.EXECUTABLE)})
    assert stat.S_IMODE((repo / "b.py").stat().st_mode) == 0o750
    assert git(repo, "ls-tree", "HEAD", "b.py").startswith("100755")


def test_a_file_gives_way_to_a_folder_and_back(repo: Path) -> None:
    do(repo, {"b.py": None, "b.py/inner.py": "i\n"})
    assert (repo / "b.py/inner.py").read_text() == "i\n"
    do(repo, {"b.py": "file\n", "b.py/inner.py": None})
    assert (repo / "b.py").read_text() == "file\n"
    assert git(repo, "status", "--porcelain") == ""
    hook(repo, "pre-commit", "exit 1")
    before = state(repo)
    with pytest.raises(CommitFailedError):
        do(repo, {"b.py": None, "b.py/inner.py": "i\n"})
    assert state(repo) == before


@pytest.mark.parametrize(
    "name", ["sp ace.py", "-dash.py", 'quo"te.py', "new\nline.py", ":(top)x.py", "*.py", "\udcd0.py"]
)
def test_strange_names_are_committed_literally(repo: Path, name: str) -> None:
    write(repo, {"b.py": "dirty\n"})
    do(repo, {name: "x\n"})
    do(repo, {name: "y\n"})
    assert git(repo, "show", "-z", "--name-only", "--format=", "HEAD").strip("\0") == name
    do(repo, {name: None})
    assert git(repo, "status", "--porcelain") == " M b.py"


def test_line_ends_of_the_working_tree_follow_the_repository(repo: Path) -> None:
    write(repo, {".gitattributes": "*.py text eol=crlf\n"})
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "attributes")
    do(repo, {"a.py": "two\nlines\n"})
    assert (repo / "a.py").read_bytes() == b"two\r\nlines\r\n"
    assert git(repo, "show", "HEAD:a.py") == "two\nlines"
    assert git(repo, "status", "--porcelain") == ""


def test_works_in_a_linked_worktree_and_under_a_hooks_variables(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, "/nonexistent")
    new = do(tmp_path / "side", {"a.py": "two\n"})
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.delenv(name)
    assert git(repo, "rev-parse", "side") == new
    assert git(repo, "show", "main:a.py") == "one"
    assert (repo / "a.py").read_text() == "one\n"


def test_the_first_commit_of_a_repository(tmp_path: Path) -> None:
    folder = make_repo(tmp_path / "fresh", {})
    hook(folder, "pre-commit", "exit 1")
    before = state(folder)
    with pytest.raises(CommitFailedError):
        do(folder, {"a.py": "one\n"})
    assert state(folder) == before
    assert do(folder, {"a.py": "one\n"}, verify=False) == git(folder, "rev-parse", "HEAD")


def test_nothing_to_commit_is_said(repo: Path) -> None:
    with pytest.raises(CommitRefusedError, match="nothing to commit"):
        do(repo, {"a.py": "one\n"})


@pytest.mark.parametrize("path", ["../x", "/x", ".git/config", "a/../../x"])
def test_paths_outside_are_refused(repo: Path, path: str) -> None:
    before = state(repo)
    with pytest.raises((UsageError, UndecidedError)):
        do(repo, {path: "x"})
    assert state(repo) == before


def test_dirty_paths_names_staged_unstaged_and_untracked(repo: Path) -> None:
    assert dirty_paths(Repository.discover(repo)) == frozenset()
    write(repo, {"a.py": "x\n", "sub/new.py": "n", "b.py": "y\n", "ignored": "i", ".git/info/exclude": "ignored\n"})
    git(repo, "add", "b.py")
    git(repo, "mv", "c.py", "c2.py")
    assert dirty_paths(Repository.discover(repo)) == {"a.py", "b.py", "c.py", "c2.py", "sub/new.py"}
