"""Looking for patterns in files without a grammar: settings, scripts, templates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fnmatch import fnmatch

_COMMENT = re.compile(r"^[ \t]*(#|//|--[ \t])[^\n]*", re.MULTILINE)


def covers(patterns: Sequence[str], path: str) -> bool:
    """True when one of the shell patterns fits the path, or its name where the pattern has no slash. Case is equal."""
    low = path.lower()
    name = low.rpartition("/")[2]
    return any(fnmatch(low, pattern) or (("/" not in pattern) and fnmatch(name, pattern)) for pattern in patterns)


def without_comments(text: str) -> str:
    """The text with comment lines blanked, so that offsets stay."""
    return _COMMENT.sub(lambda match: " " * len(match[0]), text)


def found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    """What the pattern matches outside comments, spaces aside, with how often."""
    return Counter(" ".join(match[0].split()) for match in pattern.finditer(without_comments(text)))


def newest(pattern: re.Pattern[str], before: str, after: str) -> int:
    """The line (from 1) of the first match that was not there before; 0 when there is none."""
    known = found(pattern, before)
    for match in pattern.finditer(without_comments(after)):
        key = " ".join(match[0].split())
        if known[key]:
            known[key] -= 1
        else:
            return _line(after, match)
    return 0


def line_of(pattern: re.Pattern[str], text: str) -> int:
    """The line (from 1) of the first match; 0 when there is none."""
    match = pattern.search(without_comments(text))
    return 0 if match is None else _line(text, match)


def _line(text: str, match: re.Match[str]) -> int:
    return text.count("\n", 0, match.start() + len(match[0]) - len(match[0].lstrip())) + 1
