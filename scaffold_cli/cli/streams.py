"""Where words go: results to stdout or a file, everything else to stderr; neither ever breaks the run."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TextIO

from scaffold_cli.model.errors import UsageError
from scaffold_cli.report.terminal import Terminal


def make_streams_safe() -> None:
    """Let a stream whose encoding lacks a character write an escape instead of failing.

    A stream the caller closed (`>&-`) leads nowhere: else its number would go to the next file that is opened.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, _nowhere(number))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _nowhere(number: int) -> TextIO:
    """A stream that holds nothing and takes everything, under the file descriptor `number`."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    if descriptor != number:
        os.dup2(descriptor, number)
        os.close(descriptor)
    return open(number, "w" if number else "r", encoding="utf-8", closefd=False)


def terminal(stream: TextIO, *, no_color: bool = False) -> Terminal:
    """What `stream` can do."""
    is_terminal = stream.isatty()
    columns = 0
    if is_terminal:
        with contextlib.suppress(OSError):
            columns = os.get_terminal_size(stream.fileno()).columns
    return Terminal.of(os.environ, is_terminal=is_terminal, columns=columns, no_color=no_color)


def write(text: str, stream: TextIO) -> None:
    """Write and flush. A reader that went away (`| head`) ends the writing, not the verdict."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Send what still comes to nowhere, so that closing the stream does not fail a second time."""
    with contextlib.suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def tell(text: str) -> None:
    """One line to stderr."""
    write(text + "\n", sys.stderr)


def write_file(path: Path, text: str) -> None:
    """Write a result to a file, now that there is one. Raises UsageError when it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.") from error


def write_out(text: str) -> None:
    """A text and a line end to stdout."""
    write(text + "\n", sys.stdout)
