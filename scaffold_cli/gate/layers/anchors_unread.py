"""What of a change the anchors layer cannot read, so that it is not taken for clean: links, submodules, large files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import PurePosixPath

from scaffold_cli.model.change import Change, FileChange, FileMode, FileVersion, Omitted
from scaffold_cli.model.verdict import Effect, LayerName, Place, Violation
from scaffold_cli.syntax.frontends import has_front_end, language_of


def unread(change: Change) -> Iterator[Violation]:
    """One for each file that leaves the layer undecided."""
    folders = {
        parent.as_posix()
        for pair in change.files
        if pair.before is not None
        for parent in PurePosixPath(pair.before.path).parents
    }
    for pair in change.files:
        found = _link(pair, folders) or _content(pair)
        if found is not None:
            yield found


def _link(pair: FileChange, folders: set[str]) -> Violation | None:
    """A link is a second way to a file, and where it leads is not part of the change."""
    old, new = pair.before, pair.after
    if new is None or new.mode is not FileMode.SYMLINK:
        return None
    target = new.data.decode("utf-8", "surrogateescape")
    if old is not None and old.is_text:
        what = f"{pair.path} was a file and is a symbolic link now; what it leads to was not judged."
        return undecided(pair.path, "file-became-link", what, "Keep the file, or judge by eye where it leads.")
    if pair.path in folders:
        what = f"{pair.path} was a folder and is a symbolic link now; what it leads to was not judged."
        return undecided(pair.path, "folder-became-link", what, "Keep the folder, or judge by eye where it leads.")
    if _leads_outside(pair.path, target):
        what = f"{pair.path} is a symbolic link that leads out of the repository, to {target}."
        return undecided(pair.path, "link-leads-outside", what, "Link to a file of the repository, or copy it.")
    if old is not None and old.mode is FileMode.SYMLINK and old.data != new.data and _may_be_source(old, new):
        what = f"The symbolic link {pair.path} leads to {target} now; what is there was not judged in its place."
        return undecided(pair.path, "link-moved", what, "Leave the link as it is, or judge by eye where it leads.")
    return None


def _leads_outside(path: str, target: str) -> bool:
    return posixpath.isabs(target) or posixpath.normpath(posixpath.join(posixpath.dirname(path), target)).startswith(
        ".."
    )


def _may_be_source(*links: FileVersion) -> bool:
    """True when a link, or what it leads to, is a source file or may be a folder of them."""
    names = [name for link in links for name in (link.path, link.data.decode("utf-8", "replace"))]
    return any(has_front_end(language_of(name)) or not PurePosixPath(name).suffix for name in names)


def _content(pair: FileChange) -> Violation | None:
    for side in pair.sides:
        if side.omitted is Omitted.TOO_LARGE:
            what = f"{pair.path} has {side.size:,} bytes, more than the limit, and was not read."
            return undecided(pair.path, "file-too-large", what, "Raise max-file-bytes, or split the file.")
        if side.omitted is Omitted.SUBMODULE or side.mode is FileMode.SUBMODULE:
            what = f"The submodule {pair.path} moved; what changed inside it was not judged."
            return undecided(pair.path, "submodule-not-judged", what, "Judge the submodule's own change.")
        if side.is_binary and has_front_end(language_of(side.path)):
            what = f"{pair.path} holds NUL bytes, so its source was not read."
            return undecided(pair.path, "unreadable", what, "Remove the NUL bytes.")
    return None


def undecided(path: str, code: str, what: str, keep: str) -> Violation:
    """A file after the change that leaves the layer undecided."""
    return Violation(
        layer=LayerName.ANCHORS,
        code=code,
        effect=Effect.UNDECIDED,
        what=what,
        why="What was not read must not be taken for clean.",
        keep=keep,
        after=Place(path, 1, 1),
    )
