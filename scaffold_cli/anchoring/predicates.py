"""Functions that answer whether something is good (``is_safe``) or bad (``has_invalid_chars``), told by name."""

from __future__ import annotations

from enum import StrEnum

from scaffold_cli.anchoring.words import WordPatterns, words

_ASKING = frozenset(
    {"is", "has", "can", "should", "may", "check", "verify", "validate", "valid", "match", "matches", "allow", "allows",
     "accept", "accepts", "permit", "permits", "contains", "ensure", "test", "equals", "authorize", "authenticate"}
)  # fmt: skip
_BAD = WordPatterns(
    (pattern, "bad")
    for pattern in (
        "invalid", "illegal", "unsafe", "bad", "forbidden", "denied", "blocked", "dangerous", "malicious", "expired",
        "locked", "disabled", "restricted", "suspicious", "violat*", "exceed*", "control", "untrusted", "insecure",
        "absolute", "outside", "newline*", "required", "needed", "private", "loopback", "reserved", "excluded",
        "blacklisted", "denylisted", "unauthorized", "missing", "dirty", "evil",
    )
)  # fmt: skip


class Polarity(StrEnum):
    """What a true answer means."""

    NONE = "none"
    POSITIVE = "positive"
    NEGATIVE = "negative"


def names_the_bad(name: str) -> bool:
    """True for a name of what is not wanted: ``DISABLED_PROTOCOLS``."""
    return _BAD.find(name) is not None


def polarity_of(name: str) -> Polarity:
    """The polarity of a function of this (undotted) name; NONE when the name asks nothing."""
    parts = words(name)
    if not parts or parts[0] not in _ASKING:
        return Polarity.NONE
    return Polarity.NEGATIVE if _BAD.find(name) is not None else Polarity.POSITIVE
