"""Swapping files in and out: across file systems, around folders, and past whoever edits at the last moment."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs import renaming, writing
from scaffold_cli.vcs.putting_back import put_back
from scaffold_cli.vcs.writing import EditedError, NewFile, Plan, Swap

MEMORY = Path("/dev/shm")


@contextmanager
def place_for_a_step(root: Path, elsewhere: bool) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=MEMORY if elsewhere else root.parent) as folder:
        yield Path(folder)


def swapped(root: Path, step: Path, files: Mapping[str, NewFile | None]) -> Plan:
    plan = Swap(root, step).plan(files)
    Swap(root, step).apply(plan)
    return plan


@pytest.fixture(params=["one rename", "two renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where names can trade places in one step, and as on a system or a disk that cannot do that."""
    if request.param == "two renames":
        monkeypatch.setattr(renaming, "_renameat2", lambda: None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    (tmp_path / "new").write_text("new")
    return tmp_path / "root"


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_was_there_comes_back_the_same_file(root: Path, elsewhere: bool) -> None:
    if elsewhere and not MEMORY.is_dir():
        pytest.skip("needs a second file system, and this one has no /dev/shm")
    (root / "a").write_text("old")
    os.utime(root / "a", ns=(10**18, 10**18))
    (root / "l").symlink_to("nowhere")
    (root / "gone/deep").mkdir(parents=True, mode=0o700)
    (root / "gone/deep/file").write_text("deep")
    (root / "gone/deep").chmod(0o750)
    inode = (root / "a").stat().st_ino
    new = NewFile(root.parent / "new", executable=False)
    with place_for_a_step(root, elsewhere) as step:
        plan = swapped(root, step, {"a": new, "l": None, "x/y": new, "gone/deep/file": None})
        assert (root / "a").read_text() == (root / "x/y").read_text() == "new"
        assert sorted(place.name for place in root.iterdir()) == ["a", "x"]
        assert put_back(root, step, plan, None) == ()
        assert put_back(root, step, plan, None) == ()
    assert (root / "a").read_text() == "old"
    assert (root / "a").stat().st_mtime_ns == 10**18
    assert elsewhere or (root / "a").stat().st_ino == inode
    assert (root / "l").readlink() == Path("nowhere")
    assert (root / "gone/deep").stat().st_mode & 0o777 == 0o750
    assert sorted(place.name for place in root.iterdir()) == ["a", "gone", "l"]


def test_a_folder_in_the_way_is_refused(root: Path) -> None:
    (root / "a").mkdir()
    (root / "a/users.txt").write_text("mine")
    (root / "file").write_text("mine")
    new = NewFile(root.parent / "new", executable=False)
    for path in ("a", "file/below"):
        with place_for_a_step(root, False) as step, pytest.raises(UsageError, match="in the way"):
            Swap(root, step).plan({path: new})
    assert sorted(place.name for place in root.iterdir()) == ["a", "file"]


@pytest.mark.parametrize("inside", ["", "empty", "link"])
def test_folders_git_does_not_know_are_in_the_way_too(root: Path, inside: str) -> None:
    (root / "b").write_text("old")
    (root / "a").mkdir()
    if inside == "empty":
        (root / "a/empty").mkdir()
    elif inside == "link":
        (root / "a/link").symlink_to(root)
    new = NewFile(root.parent / "new", executable=False)
    with place_for_a_step(root, False) as step, pytest.raises(UsageError, match="in the way"):
        Swap(root, step).plan({"b": new, "a": new})
    assert (root / "b").read_text() == "old"
    assert [place.name for place in (root / "a").iterdir()] == [inside] * bool(inside)


def test_a_folder_made_while_files_are_swapped_does_not_keep_the_others_from_coming_back(root: Path) -> None:
    (root / "b").write_text("old")
    new = NewFile(root.parent / "new", executable=False)
    with place_for_a_step(root, False) as step:
        plan = swapped(root, step, {"b": new, "a": new})
        (root / "a").unlink()
        (root / "a").mkdir()
        put_back(root, step, plan, None)
    assert (root / "b").read_text() == "old"
    assert (root / "a").is_dir()


def saved_in_place(place: Path) -> None:
    place.write_text("mine")


def saved_by_rename(place: Path) -> None:
    beside = place.with_name("editor~")
    beside.write_text("mine")
    beside.replace(place)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("save", [saved_in_place, saved_by_rename])
@pytest.mark.parametrize("path", ["changed", "deleted", "created"])
def test_an_edit_of_the_very_last_moment_is_never_overwritten(
    root: Path, path: str, save: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between our last look and the rename: whatever lies there is captured, recognised and put back."""
    for name in ("changed", "deleted", "other"):
        (root / name).write_text("old")
    saved: list[Path] = []

    def save_before(place: Path) -> None:
        if place == root / path and not saved:
            saved.append(place)
            save(place)

    for name in ("exchange", "rename_to_free"):
        real = getattr(writing, name)

        def hurried(source: Path, target: Path, real: Callable[[Path, Path], object] = real) -> object:
            save_before(target)
            return real(source, target)

        monkeypatch.setattr(writing, name, hurried)
    rename = Path.rename

    def renamed(source: Path, target: Path) -> Path:
        save_before(source)
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", renamed)
    new = NewFile(root.parent / "new", executable=False)
    with place_for_a_step(root, False) as step:
        swap = Swap(root, step)
        plan = swap.plan({"other": new, "changed": new, "deleted": None, "created": new})
        with pytest.raises(EditedError, match=path):
            swap.apply(plan)
        put_back(root, step, plan, None)
    assert saved
    told = {place.name: place.read_text() for place in root.iterdir()}
    assert told == {"changed": "old", "deleted": "old", "other": "old", path: "mine"}


@pytest.mark.parametrize("aside", [False, True])
def test_an_edit_made_after_the_swap_is_kept(root: Path, aside: bool) -> None:
    for name in ("changed", "deleted"):
        (root / name).write_text("old")
    new = NewFile(root.parent / "new", executable=False)
    with place_for_a_step(root, False) as step:
        plan = swapped(root, step, {"changed": new, "deleted": None, "created": new})
        for name in ("changed", "deleted", "created"):
            (root / name).write_text(f"mine {name}")
        newer = put_back(root, step, plan, root.parent / "kept" if aside else None)
    assert {(item.path, item.place.read_text()) for item in newer} == {
        (name, f"mine {name}") for name in ("changed", "deleted", "created")
    }
    left = {place.name: place.read_text() for place in root.iterdir()}
    if aside:
        assert left == {"changed": "old", "deleted": "old"}
    else:
        assert left == {name: f"mine {name}" for name in ("changed", "deleted", "created")}
