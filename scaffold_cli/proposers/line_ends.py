"""Line ends that stay as they were: a model writes line feeds, whatever the file has."""

from __future__ import annotations

from difflib import SequenceMatcher


def with_line_ends_of(old: str, new: str) -> str:
    """`new` with the end each line has in `old`; a new line ends like the one before it (the first: the one after).

    Only the ends CRLF and LF are told apart.
    """
    wanted = new.replace("\r\n", "\n")
    count = old.count("\r\n")
    if count in (0, old.count("\n")):
        return wanted.replace("\n", "\r\n") if count else wanted
    before, after = old.split("\n"), wanted.split("\n")
    plain = [line.removesuffix("\r") for line in before]
    made: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, plain, after).get_opcodes():
        if kind == "equal":
            made += before[start:end]
            continue
        for number, line in enumerate(after[first:last]):
            model = before[start + number] if start + number < end else made[-1] if made else before[start]
            made.append(line + "\r" if model.endswith("\r") else line)
    made[-1] = made[-1].removesuffix("\r")  # what ends without a line feed ends without a carriage return
    return "\n".join(made)
