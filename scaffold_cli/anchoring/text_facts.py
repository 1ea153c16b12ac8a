"""Protections in text without a grammar (or that does not parse), by token patterns.

A guard is a condition followed within a few lines by a word that ends the work; a protective call is a name the
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
    | {".cs", ".kt", ".scala", ".rs", ".swift", ".pl", ".sh", ".groovy", ".lua", ".m", ".py", ".java", ".vue"}
)
_CONDITION = re.compile(r"^\s*(?:\}\s*)?(?:else\s+|el)?(?:if|unless|guard|elsif)\b[\s(]*(.*)$")
_END = re.compile(r"\b(?:throw|raise|return|abort|panic|die|exit|goto|fail|reject)\b")
_CALL = re.compile(r"\b([A-Za-z_]\w{2,})\s*\(")
_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|\"[^\"]*\"|'[^']*'|[<>=!&|]+|[-+*/%.]")
_COMMENT = re.compile(r"^\s*(?://|#|/?\*|--|;)|(?<=\s)//\s.*$")
_REACH = 3
"""Lines after a condition in which the work must end for it to be a guard."""


def is_code(path: str) -> bool:
    """True for text that is program source by its suffix; prose and data hold no guards."""
    return PurePosixPath(path).suffix.lower() in _CODE


def mine_text(path: str, lines: Sequence[str], catalogue: Catalogue) -> Mined:
    """The text as one unit with its facts."""
    source = [_COMMENT.sub("", line) for line in lines]
    facts = (*_guards(source, catalogue), *_calls(source, catalogue))
    calls = Counter(name for line in source for name in _CALL.findall(line))
    unit = Unit(path, "", (), 1, max(1, len(lines)), lines=tuple(lines))
    return Mined(unit, Later(lambda: facts), calls)


def _guards(lines: Sequence[str], catalogue: Catalogue) -> Iterator[Fact]:
    for number, line in enumerate(lines):
        match = _CONDITION.match(line)
        if match is None:
            continue
        branch = " ".join(lines[number : number + 1 + _REACH])
        if _END.search(branch[len(match.group(0)) - len(match.group(1)) :]) is None:
            continue
        tokens = _TOKEN.findall(match.group(1))
        form = " ".join(tokens)
        entry = next((found for token in tokens if (found := _entry(token, catalogue)) is not None), "")
        yield _fact(ProtectionKind.GUARD, form, number + 1, entry, f"hard because it asks `{form}`" if entry else "")


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
