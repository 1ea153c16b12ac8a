"""Putting files into the user's folder so that all of it can be taken back, also by another process later."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.git import from_disk, on_disk
from scaffold_cli.vcs.renaming import exchange, rename_to_free


@dataclass(frozen=True, slots=True)
class NewFile:
    """What to put at a path: a file or symlink to copy from, and whether it is executable."""

    source: Path
    executable: bool


@dataclass(frozen=True, slots=True)
class Swapped:
    """One file of a swap, as the journal keeps it: enough to tell afterwards how far it got.

    `before` and `after` are fingerprints ("" for no file). `inode` is that of the new file; `beside` is where it is
    made when the repository is on another file system (POSIX, relative to the root; else "").
    """

    path: str
    before: str
    after: str
    inode: int = 0
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All files of a swap, the folders it makes, and the modes of those that a deletion may leave empty."""

    files: tuple[Swapped, ...]
    made: tuple[str, ...]
    pruned: Mapping[str, int]


class EditedError(UsageError):
    """A file is not what it was when the step was judged: somebody has edited it since."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} was edited while the step was being written, so it is not written.")
        self.path = path


class Swap:
    """Replaces, creates and deletes files below `root`, each by one rename.

    The new files are made in `step`, a folder beside the repository's own files, and what they replace lands there:
    whatever lay at a path in the very moment of the rename is kept, not what lay there when we last looked.
    """

    def __init__(self, root: Path, step: Path) -> None:
        self._root = root
        self._step = step

    def plan(self, files: Mapping[str, NewFile | None]) -> Plan:
        """Make the new files ready in the step's folder; the user's folder is only read (None deletes).

        Raises UsageError when a path leads through a symlink or a folder is in the way.
        """
        for path in files:
            self._refuse_detours(path, files)
        self._new.mkdir()
        swapped = []
        for number, (path, new) in enumerate(files.items()):
            place = self._place(path)
            before = "" if is_folder(place) else fingerprint(place)
            beside = self._beside(number, path)
            if new is None:
                swapped.append(Swapped(path, before, "", beside=beside))
            else:
                swapped.append(self._stage(number, Swapped(path, before, "", beside=beside), new))
        made = [folder for path, new in files.items() if new is not None for folder in self._missing(path)]
        pruned = {folder: mode for path, new in files.items() if new is None for folder, mode in self._parents(path)}
        return Plan(tuple(swapped), tuple(dict.fromkeys(made)), pruned)

    def apply(self, plan: Plan) -> None:
        """Put the files in place. Raises EditedError for a file that is not as planned any more, and OSError."""
        for number, item in enumerate(plan.files):
            if not item.after and item.before:
                self._take_out(number, item)
        for folder in plan.made:
            with contextlib.suppress(FileExistsError):
                self._place(folder).mkdir()
        for number, item in enumerate(plan.files):
            if item.after:
                self._put_in(number, item)

    def staged(self, number: int, item: Swapped) -> Path:
        """Where the new file lies until it is put in place; afterwards perhaps the one it replaced."""
        return self._place(item.beside) if item.beside else self._new / str(number)

    def kept(self, number: int) -> Path:
        """Where a file lies in the end that was replaced or taken out, unless it is where the new one was made."""
        return self._step / f"old-{number}"

    def aside(self, number: int, item: Swapped) -> Path:
        """Where such a file is moved first: on its own file system, so that nothing slips through."""
        return self._place(f"{item.beside}-old") if item.beside else self.kept(number)

    @property
    def _new(self) -> Path:
        return self._step / "new"

    def _take_out(self, number: int, item: Swapped) -> None:
        self._capture(number, item)
        folder = self._place(item.path).parent
        with contextlib.suppress(OSError):  # the folders that a deletion left empty go too, as git does it
            while folder != self._root:
                folder.rmdir()
                folder = folder.parent

    def _put_in(self, number: int, item: Swapped) -> None:
        place, staged = self._place(item.path), self.staged(number, item)
        try:
            if not item.before:
                rename_to_free(staged, place)
                return
            if exchange(staged, place):
                self._confirm(number, item, staged)
            else:
                self._capture(number, item)
                rename_to_free(staged, place)
        except (FileExistsError, FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise EditedError(item.path) from error

    def _capture(self, number: int, item: Swapped) -> None:
        """Take the file out that lies at the path now, and look whether it is the one we know."""
        place, aside = self._place(item.path), self.aside(number, item)
        if fingerprint(place) != item.before:
            raise EditedError(item.path)
        try:
            place.rename(aside)
        except FileNotFoundError as error:
            raise EditedError(item.path) from error
        self._confirm(number, item, aside)

    def _confirm(self, number: int, item: Swapped, captured: Path) -> None:
        if fingerprint(captured) != item.before:
            raise EditedError(item.path)
        if item.beside:  # do not leave it lying in the user's folder
            move(captured, self.kept(number))

    def _stage(self, number: int, item: Swapped, new: NewFile) -> Swapped:
        target = self.staged(number, item)
        if new.source.is_symlink():
            target.symlink_to(new.source.readlink())
        else:
            self._write(target, new, self._place(item.path), self._nearest(item.path))
        return replace(item, after=fingerprint(target), inode=target.lstat().st_ino)

    def _beside(self, number: int, path: str) -> str:
        """A name beside the file, for when the step's folder is on another file system; else ""."""
        folder, step = self._nearest(path), self._step.stat()
        if folder.stat().st_dev == step.st_dev:
            return ""
        return from_disk((folder / f".scaffold-{step.st_ino:x}-{number}").relative_to(self._root))

    def _write(self, target: Path, new: NewFile, place: Path, folder: Path) -> None:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o777 if new.executable else 0o666)
        with new.source.open("rb") as source, os.fdopen(descriptor, "wb") as file:
            shutil.copyfileobj(source, file)
        above = folder.stat()
        if above.st_mode & stat.S_ISGID:
            with contextlib.suppress(OSError):  # as a file made in that folder would have it
                os.chown(target, -1, above.st_gid)
        if place.is_file() and not place.is_symlink():
            target.chmod(_permissions(place.stat().st_mode, new.executable))

    def _missing(self, path: str) -> list[str]:
        """The folders that must be made for a file, outermost first."""
        missing = []
        folder = self._place(path).parent
        while folder != self._root and not is_folder(folder):
            missing.append(from_disk(folder.relative_to(self._root)))
            folder = folder.parent
        return missing[::-1]

    def _parents(self, path: str) -> list[tuple[str, int]]:
        found = []
        folder = self._place(path).parent
        while folder != self._root:
            if folder.is_dir():
                found.append((from_disk(folder.relative_to(self._root)), stat.S_IMODE(folder.stat().st_mode)))
            folder = folder.parent
        return found

    def _nearest(self, path: str) -> Path:
        folder = self._place(path).parent
        while folder != self._root and not is_folder(folder):
            folder = folder.parent
        return folder

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
            if os.path.lexists(place) and not place.is_dir() and not makes_way:
                raise UsageError(f"The file {parent} is in the way of {path}.")
        place = self._place(path)
        if is_folder(place) and not _is_emptied(place, path, files):
            raise UsageError(f"A folder is in the way of the file {path}.")

    def _place(self, path: str) -> Path:
        return on_disk(self._root, path)


def fingerprint(place: Path) -> str:
    """What lies at a place: "" for nothing, else its kind and the SHA-256 of its content (or link target)."""
    try:
        mode = place.lstat().st_mode
        if stat.S_ISLNK(mode):
            return f"link {hashlib.sha256(os.fsencode(place.readlink())).hexdigest()}"
        if not stat.S_ISREG(mode):
            return "other"
        with place.open("rb") as file:
            return f"file {hashlib.file_digest(file, 'sha256').hexdigest()}"
    except (FileNotFoundError, NotADirectoryError):
        return ""


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


def move(source: Path, target: Path) -> None:
    """Give a file another name, over whatever has it; across file systems by a copy that is whole or not there."""
    try:
        source.replace(target)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise
        beside = target.with_name(f".scaffold-{target.name[:100]}-{os.getpid()}")
        try:
            shutil.copy2(source, beside, follow_symlinks=False)
            beside.replace(target)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
        source.unlink()
