"""Protections in text without a grammar (or that does not parse), by token patterns.

A guard is a condition with a word that ends the work beside it or within a few lines; a protective call is a name the
catalogue knows, followed by a bracket. Both are compared as multisets of their normalised tokens, file by file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Later, Mined, Unit
from scaffold_cli.model.protection import Level, ProtectionKind

_CODE = frozenset(
    {".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".go", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".rb", ".php"}
    | {".cs", ".kt", ".kts", ".scala", ".rs", ".swift", ".pl", ".pm", ".sh", ".bash", ".zsh", ".groovy", ".lua", ".m"}
    | {".py", ".java", ".vue", ".ex", ".exs", ".erl", ".dart", ".mm", ".vb", ".fs", ".sol", ".cr", ".nim", ".zig"}
    | {".clj", ".jl", ".ps1", ".psm1", ".phtml", ".cshtml", ".razor", ".svelte", ".rake", ".hs", ".ml"}
)
_CONDITION = re.compile(r"^\s*(?:\}\s*)?(?:else\s+|el)?(?P<word>if|unless|guard|elsif)\b[\s(]*(?P<asks>.*)$")
_LEAVES = r"(?:throw|raise|return|abort|panic|die|exit|goto|fail|reject|halt|croak|revert)"
_END = re.compile(rf"\b{_LEAVES}\b|\bhead[\s(]+:|\bredirect_to\b")
_AFTERWARDS = re.compile(
    rf"^\s*(?:{_LEAVES}|head|redirect_to|render|next|return\s+\w+)\b.*?\s(?P<word>if|unless)\s+(?P<asks>\S.*)$"
)
"""The condition behind what it decides over, as in Ruby and Perl."""
_SHORT = re.compile(
    rf"^\s*(?P<asks>\S.*?)\s*(?P<word>\|\||&&|\bor\b|\band\b)\s*(?:\{{\s*)?(?:echo\b[^;]*;\s*)?{_LEAVES}\b"
)
_OF_A_CASE = re.compile(rf"^\s*\(?(?P<asks>[^\s()]\S*)\)\s*(?:echo\b.*?;\s*)?{_LEAVES}\b")
_DEMANDS = re.compile(
    r"^\s*(?:require|check|precondition|ensure!?|assert!?|debug_assert!?|Preconditions\.\w+|Contract\.Requires|"
    r"bail_unless!?)\s*\(\s*(?P<asks>[^\n]*?)\s*[,)](?:\s*\{.*|\s*\"[^\"]*\"\s*\))?\s*;?\s*$"
)
_NEGATED = frozenset({"unless", "guard", "||", "or"})
_SIZE = re.compile(r"\b(len|length|size|count|bytesize|sizeof|capacity|strlen)\b")
_ORDER = re.compile(r"[<>]=?|-[lg][te]\b")
_OUTSIDE = re.compile(r"^[*'\"]*(\.\.|/)|[*'\"]\.\.|\*/\*")
"""A pattern of a path that leads out of a folder."""
_ROOT = re.compile(r"\bid -u\b|\bE?UID\b|\bwhoami\b")
_CALL = re.compile(r"\b([A-Za-z_]\w{2,})\s*\(")
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|\"[^\"]*\"|'[^']*'|[<>=!&|]+|[-+*/%.]")
_COMMENT = re.compile(r"^\s*(?://|#|/?\*|--|;)|(?<=\s)//\s.*$")
_BLOCK = re.compile(r"^[ \t]*/\*.*?\*/", re.MULTILINE | re.DOTALL)
_RUBY_BLOCK = re.compile(r"^=begin\b.*?^=end\b", re.MULTILINE | re.DOTALL)
_SHELLS = frozenset({".sh", ".bash", ".zsh", ".pl", ".pm", ".ex", ".exs", ".erl", ".ps1", ".lua", ".py", ".nim", ".jl"})
_REACH = 3
"""Lines after a condition in which the work must end for it to be a guard."""


def is_code(path: str) -> bool:
    """True for text that is program source by its suffix; prose and data hold no guards."""
    return PurePosixPath(path).suffix.lower() in _CODE


def mine_text(path: str, lines: Sequence[str], catalogue: Catalogue) -> Mined:
    """The text as one unit with its facts."""
    source = [_COMMENT.sub("", line) for line in _without_blocks(path, lines)]
    facts = (*_guards(source, catalogue), *_calls(source, catalogue))
    calls = Counter(name for line in source for name in _CALL.findall(line))
    unit = Unit(path, "", (), 1, max(1, len(lines)), lines=tuple(lines))
    return Mined(unit, Later(lambda: facts), calls=calls)


def _without_blocks(path: str, lines: Sequence[str]) -> Sequence[str]:
    """The lines with comments of several lines blanked; where a star and a slash mean something else, only Ruby's."""
    suffix = PurePosixPath(path).suffix.lower()
    pattern = _RUBY_BLOCK if suffix in (".rb", ".rake") else None if suffix in _SHELLS else _BLOCK
    if pattern is None:
        return lines
    return pattern.sub(lambda match: "\n" * match[0].count("\n"), "\n".join(lines)).split("\n")


def _guards(lines: Sequence[str], catalogue: Catalogue) -> Iterator[Fact]:
    for number in range(len(lines)):
        guard = _asked(lines, number)
        if guard is None:
            continue
        word, asks = guard
        tokens = (*("!" if word in _NEGATED else ()), *_TOKEN.findall(asks))
        form = " ".join(tokens)
        entry = next((found for token in tokens if (found := _entry(token, catalogue)) is not None), "")
        entry = entry or _by_shape(asks, catalogue)
        yield _fact(ProtectionKind.GUARD, form, number + 1, entry, f"hard because it asks `{form}`" if entry else "")


def _asked(lines: Sequence[str], number: int) -> tuple[str, str] | None:
    """The word and the condition of the guard that begins on this line; None when none does."""
    line = lines[number]
    for pattern in (_AFTERWARDS, _SHORT, _OF_A_CASE, _DEMANDS):
        match = pattern.match(line)
        if match is not None and not _CONDITION.match(line):
            return match.groupdict().get("word") or "guard", match["asks"]
    match = _CONDITION.match(line)
    if match is None:
        return None
    branch = " ".join(lines[number : number + 1 + _REACH])
    return (match["word"], match["asks"]) if _END.search(branch[match.start("asks") :]) else None


def _by_shape(asks: str, catalogue: Catalogue) -> str:
    """The entry of a guard that compares a size, looks for a way out of a folder, or asks for the superuser."""
    if _SIZE.search(asks) and _ORDER.search(asks) and "limits" in catalogue.entries:
        return "limits"
    if _OUTSIDE.search(asks) and "path-containment" in catalogue.entries:
        return "path-containment"
    return "authorization" if _ROOT.search(asks) and "authorization" in catalogue.entries else ""


def _entry(token: str, catalogue: Catalogue) -> str | None:
    if token[:1] in "\"'":
        return catalogue.literals.get(token[1:-1])
    return catalogue.protective(token) or catalogue.guards.find(token)


def _calls(lines: Sequence[str], catalogue: Catalogue) -> Iterator[Fact]:
    for number, line in enumerate(lines):
        for name in _CALL.findall(line):
            entry = catalogue.protective(name)
            if entry is not None:
                because = f"hard because the catalogue knows `{name}()` as {entry}"
                yield _fact(ProtectionKind.CALL, name, number + 1, entry, because)


def _fact(kind: ProtectionKind, form: str, line: int, entry: str, because: str) -> Fact:
    is_guard = kind is ProtectionKind.GUARD
    return Fact(
        kind=kind,
        level=Level.PATTERN,
        form=form,
        shape=form,
        name="refuse" if is_guard else form,
        line=line,
        end_line=line,
        condition=form,
        action="refuse" if is_guard else "call",
        entry=entry,
        because=because,
        terms=frozenset({form}) if is_guard else frozenset(),
    )
