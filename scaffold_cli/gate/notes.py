"""Notes on what a verdict did not look at."""

from __future__ import annotations

from scaffold_cli.model.change import Change, FileMode
from scaffold_cli.model.verdict import Note


def notes_on(change: Change) -> tuple[Note, ...]:
    """One note for each changed file whose content no layer can read as text."""
    notes = []
    for pair in change.files:
        if any(side.is_binary and side.mode is not FileMode.SYMLINK for side in pair.sides):
            notes.append(Note("binary", f"{pair.path} is binary; its content was not judged.", pair.path))
        elif any(side.mode is FileMode.SYMLINK for side in pair.sides):
            notes.append(Note("symlink", f"{pair.path} is a symbolic link; only its target name changed.", pair.path))
        elif any(side.mode is FileMode.SUBMODULE for side in pair.sides):
            notes.append(
                Note("submodule", f"{pair.path} is a submodule; what changed inside was not judged.", pair.path)
            )
    return tuple(notes)
