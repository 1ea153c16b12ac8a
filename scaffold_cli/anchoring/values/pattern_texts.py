"""Patterns as they are in the end: put together from constants, handed through functions that compile them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, StmtKind, walk

_COMPILING = WordPatterns(
    (word, "compiles") for word in ("compile*", "regex*", "regexp*", "pattern*", "must compile", "rx", "tobytes", "tob")
)
_SEARCHING = frozenset({"search", "sub", "subn", "finditer", "findall", "split", "replaceAll", "replaceFirst"})
ASKING = _SEARCHING | {"match", "fullmatch", "matches", "prefixmatch"}
_SCOPES = frozenset({"locals", "globals", "vars"})
_OWNERS = frozenset({"self", "cls", "this"})
_LOOPS = re.compile(r"(?:[\])}.]|\\[wWdDsSbB.])[*+?{]|\(\?")
"""What tells a pattern from other text: a class, group or escape that is repeated, or a special group."""
_MOST = 4_000
"""Longer texts (in characters) are no pattern."""

Known = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A pattern that a body holds a text against."""

    text: str
    line: int
    is_searched: bool
    """It may match anywhere in the text."""


def is_pattern(text: str) -> bool:
    """True for a text that reads as a pattern with loops."""
    return len(text) <= _MOST and _LOOPS.search(text) is not None


def named_texts(block: Block, known: Known | None = None) -> dict[str, tuple[str, int]]:
    """The fixed texts that plain names are given in a body once, with their lines; `known` are names around it."""
    found: dict[str, tuple[str, int]] = {}
    texts = dict(known or {})
    given: set[str] = set()
    for statement in walk(block):
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2:
            continue
        value, target = statement.exprs
        if target.kind is not ExprKind.NAME:
            continue
        text = folded(value, texts) if target.text not in given else None
        given.add(target.text)
        if text is None:
            found.pop(target.text, None)
            texts.pop(target.text, None)
        else:
            texts[target.text] = text
            found[target.text] = (text, statement.line)
    return found


def folded(node: Expr, known: Known) -> str | None:
    """The text an expression stands for, or None when it is not fixed. Compiling a text does not change it."""
    if node.kind is ExprKind.STRING:
        return node.text
    if node.kind is ExprKind.NAME:
        return known.get(node.text)
    if node.kind is ExprKind.ATTRIBUTE:
        owner = node.parts[0].text
        return known.get(node.text) if owner in _OWNERS or owner[:1].isupper() else None
    if node.kind is ExprKind.FORMAT or (node.kind is ExprKind.BINARY and node.text == "+"):
        return _joined(node.parts, "", known)
    if node.kind is ExprKind.BINARY and node.text == "%" and len(node.parts) == 2:
        return _filled(node, known)
    return _called(node, known) if node.kind is ExprKind.CALL else None


def _joined(parts: tuple[Expr, ...], between: str, known: Known) -> str | None:
    texts = [folded(part, known) for part in parts]
    found = [text for text in texts if text is not None]
    return between.join(found) if len(found) == len(texts) else None


def _filled(node: Expr, known: Known) -> str | None:
    base, right = folded(node.parts[0], known), node.parts[1]
    if base is None:
        return None
    if right.kind is ExprKind.CALL and callee(right) in _SCOPES:
        values: object = dict(known)
    elif right.kind is ExprKind.COLLECTION and right.text == "tuple":
        texts = [folded(part, known) for part in right.parts]
        if None in texts:
            return None
        values = tuple(texts)
    else:
        values = (folded(right, known),)
    try:
        return base % values if values != (None,) else None
    except (TypeError, ValueError, KeyError):
        return None


def _called(node: Expr, known: Known) -> str | None:
    name, function, given = callee(node), node.parts[0], node.parts[1:]
    owner = function.parts[0] if function.kind is ExprKind.ATTRIBUTE else None
    if owner is not None and name in ("encode", "decode", "strip"):
        return folded(owner, known)
    if owner is not None and name == "join" and len(given) == 1:
        between = folded(owner, known)
        return None if between is None else _joined_items(given[0], between, known)
    if name == "escape" and len(given) == 1:
        text = folded(given[0], known)
        return None if text is None else re.escape(text)
    if not given or _COMPILING.find(name) is None:
        return None
    text = folded(given[0], known)
    return None if text is None else with_flags(text, given[1:])


def _joined_items(items: Expr, between: str, known: Known) -> str | None:
    if items.kind is ExprKind.CALL and callee(items) == "map" and len(items.parts) == 3:
        texts = [folded(part, known) for part in items.parts[2].parts]
        is_escaped = items.parts[1].text == "escape"
        return between.join(re.escape(text) for text in texts if text) if is_escaped and all(texts) else None
    return _joined(items.parts, between, known) if items.kind is ExprKind.COLLECTION else None


def with_flags(text: str, arguments: tuple[Expr, ...]) -> str:
    """The pattern with what its flags change about the way it is read."""
    names = {node.text for argument in arguments for node in argument.walk()}
    return f"(?x){text}" if names & {"X", "VERBOSE", "COMMENTS"} else text


def asked_patterns(item: Mined, around: Known) -> Iterator[Asked]:
    """The patterns with loops that a body asks; `around` are the texts its file names."""
    known = {**around, **{name: text for name, (text, _) in named_texts(item.unit.block, around).items()}}
    for node in item.reading.of(ExprKind.CALL):
        if callee(node) in ASKING:
            text = _asked(node, known)
            if text is not None and is_pattern(text):
                yield Asked(text, node.line, callee(node) in _SEARCHING)


def _asked(call: Expr, known: Known) -> str | None:
    """``NAME.match(x)``, ``re.match(text, x)``, ``compile(text).match(x)``, ``x.matches(text)``."""
    function, given = call.parts[0], call.parts[1:]
    if function.kind is not ExprKind.ATTRIBUTE:
        return folded(given[0], known) if given else None
    owner = function.parts[0]
    text = folded(owner, known) if owner.kind is not ExprKind.STRING else None
    if text is not None and is_pattern(text):
        return text
    found = folded(given[0], known) if given else None
    return None if found is None else with_flags(found, given[1:])


def is_searched_for(name: str, item: Mined) -> bool:
    """True when the file of a unit searches texts for what it calls `name`."""
    methods = "|".join(sorted(_SEARCHING))
    used = re.compile(rf"\b{re.escape(name)}\.(?:{methods})\b|\b(?:re|regex)\.(?:{methods})\({re.escape(name)}\b")
    return any(used.search(line) for line in item.unit.lines)
