"""Which of two answers is kept: the one that was flagged, or the one that was to mend it."""

from __future__ import annotations

from collections.abc import Mapping

from scaffold_cli.reflection.fragments import functions_of
from scaffold_cli.reflection.undefined import undefined_names


def worse(
    files: Mapping[str, str], flagged: Mapping[str, str], mended: Mapping[str, str], complaints: tuple[int, int]
) -> str:
    """Why the mended texts are not taken; empty when they are.

    `files` are the files as they were, `complaints` what the layers have against either answer. A repair is no less
    safe than what it mends, takes the step not back, keeps the functions that were there all along, and reads no name
    that nothing defines.
    """
    before, after = complaints
    if after > before:
        return "the mended answer is less safe than the one before it"
    if _changes(files, flagged) and not _changes(files, mended):
        return "the mended answer takes the step back"
    for path, old in sorted(files.items()):
        there = functions_of(path, old) & functions_of(path, flagged.get(path, old))
        lost = there - functions_of(path, mended.get(path, old))
        if lost:
            return f"the mended answer lacks {min(lost)!r}, which the one before it has"
    for path, text in sorted(mended.items()):
        loose = undefined_names(path, text) - undefined_names(path, flagged.get(path, ""))
        if loose:
            return f"the mended answer reads {min(loose)!r}, which nothing in {path} defines"
    return ""


def _changes(files: Mapping[str, str], texts: Mapping[str, str]) -> bool:
    return any(files.get(path) != text for path, text in texts.items())
