"""Backups of the attachment folder."""

import tarfile
from pathlib import Path

from notes.errors import Invalid


def back_up(folder: Path, archive: Path) -> None:
    """Pack a folder into an archive."""
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, arcname=".")


def restore(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder that is empty or missing."""
    if folder.exists() and any(folder.iterdir()):
        raise Invalid("the folder to restore into is not empty")
    try:
        with tarfile.open(archive, "r:gz") as tar:
            tar.extractall(folder)
    except tarfile.ReadError as error:
        raise Invalid("this is no backup") from error
