"""Signs in the plain text of changed files: lines, comments, and comments that warn."""

from __future__ import annotations

import re
from collections import Counter

from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.syntax.decoding import decode

_COMMENT = re.compile(r"(?:#|//|/\*|^\s*\*|\"\"\")\s*(.*)")
_WORD = re.compile(r"[a-z]+")
_WARNING = re.compile(
    r"""(?:in|un)?secur|safe|attack|malicious|vulnerab|cve|prevent|avoid|protect|forbid|disallow|den(?:y|ied)|reject|refus
    |must|never|only|ensure|saniti|escap|trusted|leak|exploit|inject|traversal|xss|csrf|ssrf|dos$|sensitive|secret
    |private|limit|strict|restrict|allow|permi|authori|validat|verif|check""",
    re.VERBOSE,
)
"""Beginnings of words with which comments warn of what the code below prevents."""


LONGEST = "lines of the longest file"


def count_texts(pair: FileChange, signs: Counter[str]) -> None:
    """Add lines and words of comments that are on one side only, moved lines left out."""
    old, new = _lines(pair.before), _lines(pair.after)
    signs["-file"] += pair.after is None
    signs["+file"] += pair.before is None
    signs[LONGEST] = max(signs[LONGEST], old.total())
    signs["-lines"] += (old - new).total()
    signs["+lines"] += (new - old).total()
    for side, words in (("-", _comments(old - new)), ("+", _comments(new - old))):
        signs[f"{side}comment words"] += words.total()
        signs[f"{side}warning words"] += sum(count for word, count in words.items() if _WARNING.match(word))


def _lines(version: FileVersion | None) -> Counter[str]:
    if version is None or not version.is_text:
        return Counter()
    text = decode(version.data)
    return Counter(line.strip() for line in text.splitlines() if line.strip())


def _comments(lines: Counter[str]) -> Counter[str]:
    words: Counter[str] = Counter()
    for line, count in lines.items():
        found = _COMMENT.search(line)
        for word in _WORD.findall(found.group(1).lower()) if found else ():
            words[word] += count
    return words
