"""Source files that are built no longer, or only somewhere: by a tag in them or by their name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from scaffold_cli.anchoring.disarming.interface import Disarmed
from scaffold_cli.model.change import FileChange
from scaffold_cli.syntax.decoding import decode

_TAGS = re.compile(r"^//go:build[^\n]+|^//[ \t]*\+build[^\n]+|^#!\[cfg\([^\n]+|^[ \t]*#[ \t]*if[ \t]+0\b", re.MULTILINE)
_SUFFIXES = frozenset({".go", ".rs", ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"})
_SYSTEM = re.compile(
    r"_(windows|linux|darwin|freebsd|netbsd|openbsd|solaris|plan9|aix|android|ios|js|wasip1|illumos|dragonfly|zos|"
    r"386|amd64|arm|arm64|wasm|riscv64|ppc64|ppc64le|s390x|mips\w*|loong64|test)\.go$"
)


def left_out(pair: FileChange) -> Iterator[Disarmed]:
    """One for a file that gets a condition it did not have."""
    old, new = pair.before, pair.after
    if old is None or new is None or PurePosixPath(new.path).suffix not in _SUFFIXES:
        return
    text = decode(new.data)
    came = Counter(_TAGS.findall(text)) - Counter(_TAGS.findall(decode(old.data)))
    if came:
        line = text.count("\n", 0, text.index(min(came))) + 1
        yield Disarmed("file-left-out", f"{new.path} is built only under a condition now.", new.path, line)
    elif _SYSTEM.search(new.path) and not _SYSTEM.search(old.path):
        yield Disarmed(
            "file-left-out",
            f"{new.path} is built only where its name says; {old.path} was built everywhere.",
            new.path,
            1,
        )
