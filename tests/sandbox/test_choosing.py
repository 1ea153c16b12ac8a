"""Which way is chosen where, and what is said when none is."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.sandbox import temporary
from scaffold_cli.sandbox.environments import editable_installs
from scaffold_cli.sandbox.interface import IsolationKind
from scaffold_cli.sandbox.workspaces import availabilities, open_workspace
from scaffold_cli.vcs.doors.folders import folders
from tests.support.repos import write
from tests.support.trees import tree_at


@pytest.fixture
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A PATH with git, a shell and nothing that could isolate."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("git", "sh", "cat"):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))


@pytest.mark.usefixtures("bare_machine")
def test_without_namespaces_a_repository_gets_a_checkout(repo: Path) -> None:
    found = {item.kind: item for item in availabilities(repo)}
    assert list(found) == list(IsolationKind)
    assert "unshare" in found[IsolationKind.OVERLAY].because
    assert "bwrap" in found[IsolationKind.BUBBLEWRAP].because
    with tree_at(repo) as tree, open_workspace(tree, repo) as workspace:
        assert workspace.kind is IsolationKind.WORKTREE
        assert workspace.run(["cat", "app.py"], timeout=30).stdout == b"x = 1\n"
        with pytest.raises(UndecidedError, match="unshare"):
            open_workspace(tree, repo, kind=IsolationKind.OVERLAY)


@pytest.mark.usefixtures("bare_machine")
def test_without_namespaces_a_plain_folder_gets_a_copy(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        write(tmp_path / name, {"a.py": f"{name}\n"})
    with folders(tmp_path / "old", tmp_path / "new", 1_000_000) as comparison:
        with open_workspace(comparison.before, comparison.before_folder) as workspace:
            assert workspace.kind is IsolationKind.COPY
            assert workspace.run(["cat", "a.py"], timeout=30).stdout == b"old\n"
        with pytest.raises(UndecidedError, match="not a git repository of its own"):
            open_workspace(comparison.before, comparison.folder, kind=IsolationKind.WORKTREE)


def test_temporary_files_are_never_inside_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "inside"))
    (tmp_path / "inside").mkdir()
    assert all(not base.is_relative_to(tmp_path) for base in temporary.bases(tmp_path))
    assert tmp_path / "inside" in temporary.bases(tmp_path / "elsewhere")


def test_editable_installs_are_recognised_by_where_they_lead(tmp_path: Path) -> None:
    site = ".venv/lib/python3.12/site-packages"
    url = (tmp_path / "src").as_uri()
    write(
        tmp_path,
        {
            ".venv/pyvenv.cfg": "home = /usr\n",
            f"{site}/__editable__.mine.pth": f"{tmp_path}/src\n",
            f"{site}/other.pth": "import something\n# note\n/usr/lib/somewhere\n",
            f"{site}/mine-1.dist-info/direct_url.json": f'{{"url": "{url}", "dir_info": {{"editable": true}}}}',
            f"{site}/plain-1.dist-info/direct_url.json": f'{{"url": "{url}", "dir_info": {{}}}}',
            f"{site}/odd-1.dist-info/direct_url.json": "[1]",
            f"{site}/broken-1.dist-info/direct_url.json": "{",
        },
    )
    assert editable_installs(tmp_path) == (
        f"{site}/__editable__.mine.pth",
        f"{site}/mine-1.dist-info/direct_url.json",
    )
