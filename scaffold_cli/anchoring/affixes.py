"""Which test of a text is the stricter: equality, a start, an end, a piece, a place in a longer text."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache

_QUOTED = r"(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
_SUBJECT = r"(?P<subject>.+?)"
_SPELLINGS = (
    ("is", re.compile(rf"^{_SUBJECT} (?P<negated>!=|==) {_QUOTED}$")),
    ("starts", re.compile(rf"^(?P<negated>!?){_SUBJECT}\.starts[wW]ith\({_QUOTED}\)$")),
    ("ends", re.compile(rf"^(?P<negated>!?){_SUBJECT}\.ends[wW]ith\({_QUOTED}\)$")),
    ("has", re.compile(rf"^(?P<negated>!?){_SUBJECT}\.(?:contains|includes)\({_QUOTED}\)$")),
    ("has", re.compile(rf"^{_QUOTED} (?P<negated>not in|in) {_SUBJECT}$")),
    ("within", re.compile(rf"^{_SUBJECT} (?P<negated>not in|in) {_QUOTED}$")),
    ("within", re.compile(rf"^(?P<negated>!?){_QUOTED}\.(?:contains|includes)\({_SUBJECT}\)$")),
)
_FIRST = re.compile(r"^(?P<subject>.+)\[(?P<place>0|-1)\]$")
_REMOVED = re.compile(r"\.replace\('(?P<character>\\?.)', ''\)")
_NEGATIONS = frozenset({"!", "!=", "not in"})
_KEPT = 4096


@dataclass(frozen=True, slots=True)
class _Asked:
    """One test of a text: the values for which `relation` to `text` holds, or all others."""

    subject: str
    relation: str
    text: str
    negated: bool


def entails_text(literal: str, wanted: str) -> bool:
    """True when `wanted` holds for every text for which `literal` does: ``p == "ab"`` entails ``p.startswith("a")``."""
    if "'" not in literal and '"' not in literal:
        return False
    one, other = _asked(literal), _asked(wanted)
    if one is None or other is None:
        return False
    if one.subject != other.subject and not _is_cleaned(one, other):
        return False
    if one.negated:
        return other.negated and _lies_within(other, one)
    if other.negated:
        return one.relation == "is" and not _lies_within(one, other)
    return _lies_within(one, other)


def _is_cleaned(one: _Asked, other: _Asked) -> bool:
    """True when `other` asks the same text without some characters: what holds a text without them still holds it."""
    if one.negated or other.negated or other.relation == "within":
        return False
    left = _REMOVED.sub("", other.subject)
    removed = {found["character"] for found in _REMOVED.finditer(other.subject)}
    kept = "".join((left, repr(other.text)))
    return left == one.subject and not any(character in kept for character in removed)


@lru_cache(maxsize=_KEPT)
def _asked(literal: str) -> _Asked | None:
    for relation, spelling in _SPELLINGS:
        found = spelling.match(literal)
        if found is None:
            continue
        text = ast.literal_eval(found["text"])
        subject, kind = found["subject"], relation
        place = _FIRST.match(subject) if relation == "is" and len(text) == 1 else None
        if place is not None:
            subject, kind = place["subject"], "starts" if place["place"] == "0" else "ends"
        return _Asked(subject, kind, text, found["negated"] in _NEGATIONS)
    return None


def _lies_within(one: _Asked, other: _Asked) -> bool:
    """True when every text `one` describes is one that `other` describes; negation left aside."""
    small, large = one.text, other.text
    if other.relation == "is":
        return one.relation == "is" and small == large
    if other.relation == "within":
        return one.relation in ("is", "within") and small in large
    if one.relation == "within":
        return False
    if other.relation == "starts":
        return one.relation in ("is", "starts") and small.startswith(large)
    if other.relation == "ends":
        return one.relation in ("is", "ends") and small.endswith(large)
    return large in small
