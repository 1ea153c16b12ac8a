"""Swapping files in and out where hard links do not reach."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.writing import NewFile, Swap

MEMORY = Path("/dev/shm")


@pytest.mark.skipif(not MEMORY.is_dir(), reason="needs a second file system, and this one has no /dev/shm")
def test_originals_kept_on_another_file_system_come_back(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    os.utime(tmp_path / "a", ns=(10**18, 10**18))
    (tmp_path / "l").symlink_to("nowhere")
    (tmp_path / "new").write_text("new")
    with tempfile.TemporaryDirectory(dir=MEMORY) as keep:
        swap = Swap(tmp_path, Path(keep) / "kept")
        new = NewFile(tmp_path / "new", executable=False)
        swap.apply({"a": new, "l": None, "x/y": new})
        assert (tmp_path / "a").read_text() == "new"
        assert not (tmp_path / "l").is_symlink()
        swap.undo()
        swap.undo()
    assert (tmp_path / "a").read_text() == "old"
    assert (tmp_path / "a").stat().st_mtime_ns == 10**18
    assert (tmp_path / "l").readlink() == Path("nowhere")
    assert sorted(place.name for place in tmp_path.iterdir()) == ["a", "l", "new"]


def test_a_folder_in_the_way_is_refused(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new")
    (tmp_path / "a").mkdir()
    (tmp_path / "a/users.txt").write_text("mine")
    new = NewFile(tmp_path / "new", executable=False)
    with pytest.raises(UsageError, match="in the way"):
        Swap(tmp_path, tmp_path / "kept").apply({"a": new})
    with pytest.raises(UndecidedError, match="put back"):
        Swap(tmp_path, tmp_path / "kept").apply({"new/below": new})
    assert (tmp_path / "new").read_text() == "new"
    assert sorted(place.name for place in tmp_path.iterdir()) == ["a", "new"]


@pytest.mark.parametrize("inside", ["", "empty", "link"])
def test_folders_git_does_not_know_are_in_the_way_too(tmp_path: Path, inside: str) -> None:
    (tmp_path / "new").write_text("new")
    (tmp_path / "b").write_text("old")
    (tmp_path / "a").mkdir()
    if inside == "empty":
        (tmp_path / "a/empty").mkdir()
    elif inside == "link":
        (tmp_path / "a/link").symlink_to(tmp_path)
    new = NewFile(tmp_path / "new", executable=False)
    with pytest.raises(UsageError, match="in the way"):
        Swap(tmp_path, tmp_path / "kept").apply({"b": new, "a": new})
    assert (tmp_path / "b").read_text() == "old"
    assert [place.name for place in (tmp_path / "a").iterdir()] == [inside] * bool(inside)


def test_a_folder_made_while_files_are_swapped_does_not_keep_the_others_from_coming_back(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new")
    (tmp_path / "b").write_text("old")
    new = NewFile(tmp_path / "new", executable=False)
    swap = Swap(tmp_path, tmp_path / "kept")
    swap.apply({"b": new, "a": new})
    (tmp_path / "a").unlink()
    (tmp_path / "a").mkdir()
    swap.undo()
    assert (tmp_path / "b").read_text() == "old"
    assert (tmp_path / "a").is_dir()
