"""Conditions inside the text of a query: one dropped, joined by OR, or comparing more loosely."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.swaps.texts import edited, texts
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.word_lists import WordList

_QUERY = re.compile(r"^\s*\(?\s*(select|update|delete|insert|from|with)\b", re.IGNORECASE)
_TABLE = re.compile(r"\b(?:from|update|into)\s+([\w.\"`\[\]{}]+)", re.IGNORECASE)
_WHERE = re.compile(
    r"\bwhere\b(.*?)(?:\bgroup by\b|\border by\b|\blimit\b|\breturning\b|\bunion\b|;|$)", re.IGNORECASE | re.DOTALL
)
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
_VALUE = re.compile(r"%\(\w+\)s|%[sd]|\$\d+|:\w+|\{\w*\}|\?\d*")
_BETWEEN = re.compile(r"\bbetween\s+(\S+)\s+and\b", re.IGNORECASE)
_TEST = re.compile(
    r"^\(*\s*([\w.\"`]+)\s*(=|<>|!=|>=|<=|<|>|\blike\b|\bilike\b|\bin\b|\bis not\b|\bis\b)", re.IGNORECASE
)
_LOOSER = frozenset({"like", "ilike", "<>", "!=", ">=", "<=", "is not"})
WHOSE = WordList("whose-rows")
"""Columns that say whose a row is, or whether it may be seen or used at all."""
_STEPS = {"(": 1, ")": -1}


@dataclass(frozen=True, slots=True)
class _Condition:
    """A WHERE clause: alternatives, each of them the conditions that must hold together; spelled alike."""

    alternatives: tuple[frozenset[str], ...]

    @property
    def asked(self) -> frozenset[str]:
        """All conditions of the clause."""
        return frozenset().union(*self.alternatives)


def looser_queries(versions: Versions) -> Iterator[Shift]:
    """A query whose WHERE lets more rows through than before."""
    for old, new in edited(versions.before, versions.after):
        if not _QUERY.match(old.text) or new is None or not _QUERY.match(new.text):
            continue
        if _tables(old.text) != _tables(new.text):
            continue
        elsewhere = " ".join(_COMMENT.sub("", item.text.lower()) for item in texts(versions.after))
        how = _how(_condition(old.text), _condition(new.text), elsewhere)
        if how:
            text = " ".join(old.text.split())
            yield shift(text, old.line, "its condition says whose rows it touches", how, entry="authorization")


def _how(one: _Condition, other: _Condition, elsewhere: str) -> str:
    if not one.alternatives:
        return ""
    if len(one.alternatives) < len(other.alternatives) and not other.asked - one.asked - _pieces(one):
        return "its conditions are joined by OR"
    gone = one.asked - other.asked
    come = other.asked - one.asked
    looser = next((text for text in sorted(come) if _is_looser(text, gone)), None)
    if looser is not None:
        return f"now only {looser}"
    if gone and not come and len(other.alternatives) <= len(one.alternatives):
        left = [text for text in sorted(gone) if not _mentions(elsewhere, text)]
        whose = [text for text in left if not other.alternatives or WHOSE.find(_column(text)) is not None]
        return f"`{whose[0]}` is no longer asked" if whose else ""
    return ""


def _pieces(condition: _Condition) -> frozenset[str]:
    """Conditions inside the brackets of others."""
    return frozenset(
        inner for text in condition.asked for part in _split(text.strip("()"), "or") for inner in _split(part, "and")
    )


def _tables(text: str) -> frozenset[str]:
    return frozenset(found.lower() for found in _TABLE.findall(text))


def _mentions(elsewhere: str, condition: str) -> bool:
    return re.search(rf"\b{re.escape(_column(condition))}\b\s*(?:=|in\b|like\b)", elsewhere) is not None


def _column(condition: str) -> str:
    found = _TEST.match(condition)
    return found[1].rpartition(".")[2] if found else condition


def _is_looser(text: str, gone: frozenset[str]) -> bool:
    """True for ``owner like ?``, ``owner = owner`` and ``(owner = ? or ...)`` where ``owner = ?`` stood."""
    for other in gone:
        within = text.startswith("(") and other in text and re.search(r"\bor\b", text) is not None
        if within or text == f"not {other}":
            return True
        was = _TEST.match(other)
        asks_itself = was is not None and text.startswith(f"{was[1]} {was[2]} ") and was[1] in text[len(was[0]) :]
        if asks_itself and was is not None and was[1] not in other[len(was[0]) :]:
            return True
    now = _TEST.match(text)
    if now is None or now[2] not in _LOOSER:
        return False
    return any((was := _TEST.match(other)) is not None and was[1] == now[1] and was[2] == "=" for other in gone)


def _condition(text: str) -> _Condition:
    found = _WHERE.search(_COMMENT.sub("", text))
    if found is None:
        return _Condition(())
    clause = _VALUE.sub("?", " ".join(found[1].lower().split()))
    clause = _BETWEEN.sub(r"between \1 to", clause)
    return _Condition(tuple(frozenset(_split(part, "and")) for part in _split(clause, "or")))


def _split(text: str, word: str) -> list[str]:
    """`text` taken apart at `word` where no bracket is open."""
    parts: list[str] = []
    current: list[str] = []
    depth = 0
    for token in re.findall(r"[()]|[^\s()]+|\s+", text):
        depth += _STEPS.get(token, 0)
        if token == word and depth <= 0:
            parts.append("".join(current))
            current = []
        else:
            current.append(token)
    parts.append("".join(current))
    return [" ".join(part.split()) for part in parts if part.strip()]
