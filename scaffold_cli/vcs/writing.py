"""Putting files into the user's folder so that all of it can be taken back."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.git import from_disk, on_disk


@dataclass(frozen=True, slots=True)
class NewFile:
    """What to put at a path: a file or symlink to copy from, and whether it is executable."""

    source: Path
    executable: bool


class Swap:
    """Replaces, creates and deletes files below `root`, each by one rename, and undoes it all on `undo`.

    The originals are kept in `keep` (on the same file system as a rule) as hard links: taking back needs no disk
    space and restores owner, times and inode. Call `done` when they are no longer needed.
    """

    def __init__(self, root: Path, keep: Path) -> None:
        self._root = root
        self._keep = keep
        self._originals: dict[str, Path] = {}
        self._placed: list[str] = []
        self._folders: list[Path] = []
        self._temporary: list[Path] = []

    def apply(self, files: Mapping[str, NewFile | None]) -> None:
        """Put `files` in place; None deletes. On any failure everything is as before.

        Raises UsageError when a path leads through a symlink or a folder is in the way, UndecidedError when the
        disk refuses (full, read-only).
        """
        for path in files:
            self._refuse_detours(path, files)
        try:
            self._apply(files)
        except OSError as error:
            self.undo()
            raise unwritable(error) from error

    def undo(self) -> None:
        """Everything as before `apply`; safe to call twice.

        Raises UndecidedError naming a file that could not be restored; its original then stays in `keep`.
        """
        failed = []
        for temporary in self._temporary:
            with contextlib.suppress(OSError):
                temporary.unlink()
        for path in reversed(self._placed):
            if path not in self._originals and not is_folder(self._place(path)):  # a folder there is not of our making
                try:
                    self._place(path).unlink()
                except (FileNotFoundError, NotADirectoryError):
                    pass
                except OSError:
                    failed.append(path)
        for folder in reversed(self._folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
        for path, kept in self._originals.items():
            try:
                self._place(path).parent.mkdir(parents=True, exist_ok=True)
                move(kept, self._place(path))
            except OSError:
                failed.append(path)
        if failed:
            raise UndecidedError(f"{failed[0]} could not be restored.", f"What was there is kept in {self._keep}.")
        for record in (self._temporary, self._placed, self._folders, self._originals):
            record.clear()
        self.done()

    def done(self) -> None:
        """Forget the originals."""
        shutil.rmtree(self._keep, ignore_errors=True)

    def _apply(self, files: Mapping[str, NewFile | None]) -> None:
        self._keep.mkdir(parents=True, exist_ok=True)
        for path in files:
            place = self._place(path)
            if os.path.lexists(place) and not is_folder(place):
                kept = self._keep / str(len(self._originals))
                keep(place, kept)
                self._originals[path] = kept
        for path, new in files.items():
            if new is None and path in self._originals:
                self._place(path).unlink()
                self._prune(path)
        staged = [(path, self._stage(path, new)) for path, new in files.items() if new is not None]
        for path, temporary in staged:
            self._placed.append(path)
            temporary.replace(self._place(path))

    def _stage(self, path: str, new: NewFile) -> Path:
        """Write the new content beside its place, so that one rename puts it there."""
        folder = self._place(path).parent
        self._make_folders(folder)
        temporary = folder / f".scaffold-{secrets.token_hex(8)}"
        self._temporary.append(temporary)
        if new.source.is_symlink():
            temporary.symlink_to(new.source.readlink())
            return temporary
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o777 if new.executable else 0o666)
        with new.source.open("rb") as source, os.fdopen(descriptor, "wb") as target:
            shutil.copyfileobj(source, target)
        original = self._originals.get(path)
        if original is not None and stat.S_ISREG(original.lstat().st_mode):
            temporary.chmod(_permissions(original.lstat().st_mode, new.executable))
        return temporary

    def _make_folders(self, folder: Path) -> None:
        missing = []
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for name in reversed(missing):
            name.mkdir()
            self._folders.append(name)

    def _prune(self, path: str) -> None:
        """Remove the folders that a deletion left empty, as git does."""
        folder = self._place(path).parent
        with contextlib.suppress(OSError):
            while folder != self._root:
                folder.rmdir()
                folder = folder.parent

    def _refuse_detours(self, path: str, files: Mapping[str, NewFile | None]) -> None:
        parts = path.split("/")
        if any(part in ("", ".", "..", ".git") for part in parts):
            raise UsageError(f"{path!r} is no path inside the repository.")
        for end in range(1, len(parts)):
            parent = "/".join(parts[:end])
            place = self._place(parent)
            makes_way = parent in files and files[parent] is None
            if place.is_symlink() and not makes_way:
                raise UsageError(f"{path} lies behind the symbolic link {parent}, so it is not written.")
        place = self._place(path)
        if is_folder(place) and not _is_emptied(place, path, files):
            raise UsageError(f"A folder is in the way of the file {path}.")

    def _place(self, path: str) -> Path:
        return on_disk(self._root, path)


def unwritable(error: OSError) -> UndecidedError:
    """The error for a disk that refuses: full, read-only, no permission."""
    return UndecidedError(
        f"The step could not be written and everything was put back: {error.strerror or error}.",
        "Make room or mend the permissions, then run again.",
    )


def is_folder(place: Path) -> bool:
    """True for a real folder, not for a symlink to one."""
    return place.is_dir() and not place.is_symlink()


def _is_emptied(place: Path, path: str, files: Mapping[str, NewFile | None]) -> bool:
    """True when the same change deletes every file below the folder, and with them all its folders."""
    for folder, folders, names in os.walk(place):
        if not folders and not names:  # git knows no empty folders, so nothing would take it away
            return False
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in names + links:
            below = f"{path}/{from_disk(Path(folder, name).relative_to(place))}"
            if below not in files or files[below] is not None:
                return False
    return True


def _permissions(mode: int, executable: bool) -> int:
    """The old permissions, executable by whoever may read it, or by nobody."""
    permissions = stat.S_IMODE(mode)
    return permissions | ((permissions & 0o444) >> 2) if executable else permissions & ~0o111


def keep(place: Path, kept: Path) -> None:
    """Hold on to a file under a second name: a hard link, or a copy where there are none."""
    try:
        os.link(place, kept, follow_symlinks=False)
    except OSError:  # another file system, or one without hard links
        shutil.copy2(place, kept, follow_symlinks=False)


def move(kept: Path, place: Path) -> None:
    """Put a kept file back in one step, over whatever is there."""
    try:
        kept.replace(place)
    except OSError:  # another file system
        beside = place.with_name(f".scaffold-{secrets.token_hex(8)}")
        shutil.copy2(kept, beside, follow_symlinks=False)
        beside.replace(place)
