"""Taking a swap back, however far it got: used when a commit fails, and after a kill."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.git import on_disk
from scaffold_cli.vcs.renaming import exchange, rename_to_free
from scaffold_cli.vcs.writing import Plan, Swap, Swapped, fingerprint, is_folder, move


@dataclass(frozen=True, slots=True)
class Newer:
    """A file that somebody has edited since the step was put there. `place` is where that edit is now."""

    path: str
    place: Path


def put_back(root: Path, step: Path, plan: Plan, kept: Path | None) -> tuple[Newer, ...]:
    """Everything of `plan` as before its swap, except what somebody has edited since. May be called again.

    Such a newer edit stays where it is; with `kept` (a folder) it is moved there instead and the file restored, for
    when a hook may have made it. Raises UndecidedError naming a file that could not be restored.
    """
    return _Back(root, step, plan, kept).run()


class _Back:
    def __init__(self, root: Path, step: Path, plan: Plan, kept: Path | None) -> None:
        self._root = root
        self._step = step
        self._plan = plan
        self._kept = kept
        self._swap = Swap(root, step)
        self._newer: list[Newer] = []

    def run(self) -> tuple[Newer, ...]:
        numbered = list(enumerate(self._plan.files))
        put_in = [(number, item) for number, item in numbered if item.after]
        taken_out = [(number, item) for number, item in numbered if item.before and not item.after]
        failed = [item.path for number, item in put_in if not item.before and not self._did(self._remove, number, item)]
        for folder in reversed(self._plan.made):
            with contextlib.suppress(OSError):
                on_disk(self._root, folder).rmdir()
        # A file may have given way to a folder: what was created goes first, then what was there comes back.
        replaced = [(number, item) for number, item in put_in if item.before]
        failed += [item.path for number, item in replaced if not self._did(self._restore, number, item)]
        failed += [item.path for number, item in taken_out if not self._did(self._bring_back, number, item)]
        if failed:
            raise UndecidedError(f"{failed[0]} could not be restored.", f"What was there is kept in {self._step}.")
        return tuple(self._newer)

    def _did(self, work: Callable[[int, Swapped], None], number: int, item: Swapped) -> bool:
        try:
            work(number, item)
        except OSError:
            return False
        return True

    def _remove(self, number: int, item: Swapped) -> None:
        """A file that was not there before."""
        place, staged = on_disk(self._root, item.path), self._swap.staged(number, item)
        if _inode(staged) == item.inode:  # not put in place, or the name was taken by another file
            if item.beside:
                staged.unlink()
            return
        found = fingerprint(place)
        if not found or is_folder(place):
            return
        if found == item.after:
            place.unlink()
        else:
            self._edited(item, place, None)

    def _restore(self, number: int, item: Swapped) -> None:
        """A file that was replaced."""
        place, staged = on_disk(self._root, item.path), self._swap.staged(number, item)
        original = self._original(number, item)
        if original is not None:
            self._return(item, original, place)
        if item.beside and _inode(staged) == item.inode:
            staged.unlink()

    def _bring_back(self, number: int, item: Swapped) -> None:
        """A file that was deleted."""
        original = self._original(number, item)
        if original is None:
            return
        place = on_disk(self._root, item.path)
        for folder, mode in sorted(self._plan.pruned.items()):
            above = on_disk(self._root, folder)
            if place.is_relative_to(above) and not os.path.lexists(above):
                above.mkdir()
                above.chmod(mode)
        self._return(item, original, place)

    def _return(self, item: Swapped, original: Path, place: Path) -> None:
        found = fingerprint(place)
        if not found:
            try:
                rename_to_free(original, place)
            except FileExistsError:  # made in this very moment
                self._edited(item, place, original)
            except OSError:
                move(original, place)
        elif found != item.after or is_folder(place):
            self._edited(item, place, original)
        elif not exchange(original, place):
            move(original, place)
        elif fingerprint(original) != item.after:  # edited in this very moment
            exchange(original, place)
            self._edited(item, place, original)

    def _edited(self, item: Swapped, place: Path, original: Path | None) -> None:
        if self._kept is None or is_folder(place):
            self._newer.append(Newer(item.path, place))
            return
        there = on_disk(self._kept, item.path)
        there.parent.mkdir(parents=True, exist_ok=True)
        move(place, there)
        self._newer.append(Newer(item.path, there))
        if original is not None:
            move(original, place)

    def _original(self, number: int, item: Swapped) -> Path | None:
        """Where the file lies now that was replaced or taken out; None when it is where it was."""
        for place in (self._swap.kept(number), self._swap.aside(number, item), self._swap.staged(number, item)):
            if _inode(place) not in (None, item.inode):
                return place
        return None


def _inode(place: Path) -> int | None:
    try:
        return place.lstat().st_ino
    except OSError:
        return None
