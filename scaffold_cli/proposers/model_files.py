"""The files a model is shown, and what it makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from scaffold_cli.memory.redaction import MASK
from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.proposers.interface import ProposalFailedError, Request
from scaffold_cli.proposers.line_ends import with_line_ends_of
from scaffold_cli.sandbox.interface import Workspace

_FILE_BYTES = 60_000
_PROMPT_BYTES = 120_000


def read_files(request: Request, workspace: Workspace) -> dict[str, str]:
    """The texts of the files the goal is about. Raises ProposalFailedError when they do not fit a prompt."""
    found: dict[str, str] = {}
    for path, mode in request.files.items():
        data = workspace.read(path) if mode is not FileMode.SYMLINK else None
        if data is None or b"\0" in data or len(data) > _FILE_BYTES:
            continue
        with suppress(UnicodeDecodeError):  # a model could not give back bytes that are no UTF-8
            found[path] = data.decode("utf-8")
    if not found:
        raise ProposalFailedError(
            "The goal names no text file in UTF-8 that fits a prompt.", "Name one to a few source files."
        )
    if sum(map(len, found.values())) > _PROMPT_BYTES:
        raise ProposalFailedError(f"The {len(found)} files are too long for one prompt.", "Name fewer files.")
    return found


def put(workspace: Workspace, request: Request, texts: Mapping[str, str], files: Mapping[str, str]) -> None:
    """Write the new texts with the modes the files have; each line keeps its own end.

    Raises ProposalFailedError for a text that would put a mask in the place of a secret.
    """
    versions: dict[str, FileVersion | None] = {}
    for path, text in texts.items():
        old = files.get(path, "")
        if text.count(MASK) > old.count(MASK):
            raise ProposalFailedError(
                f"The answer writes {MASK} into {path}, where a secret was kept from the model.",
                "Ask for search and replace around it.",
            )
        ended = with_line_ends_of(old, text)
        versions[path] = FileVersion(path, ended.encode("utf-8", "replace"), request.files[path])
    workspace.write(versions)
