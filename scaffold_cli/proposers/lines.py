"""What a program printed, made fit for a log line."""

from __future__ import annotations

_WIDTH = 100
_TAIL = 10


def one_line(output: bytes) -> str:
    """The last line that says something, control characters taken out, at most 100 characters."""
    lines = _lines(output)
    line = lines[-1] if lines else ""
    return line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"


def last_lines(stdout: bytes, stderr: bytes) -> str:
    """The last ten lines of what went wrong: of stderr, or of stdout when stderr is empty."""
    return "\n".join((_lines(stderr) or _lines(stdout))[-_TAIL:])


def _lines(output: bytes) -> list[str]:
    text = output.decode("utf-8", "replace").replace("\t", " ")
    cleaned = ("".join(char for char in line if char.isprintable()).strip() for line in text.splitlines())
    return [line for line in cleaned if line]
