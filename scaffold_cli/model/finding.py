"""Findings of a scanner, with an identity of our own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from scaffold_cli.model.verdict import Place, Severity


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What makes two findings the same one: lines and spacing take no part in it.

    `path` is the path after the change (renames resolved) on both sides, `symbol` the enclosing function or
    class, `code` the tokens of the matched code, comments dropped and string quotes folded.
    """

    rule: str
    path: str
    symbol: str
    code: tuple[str, ...]

    def digest(self, occurrence: int = 0) -> str:
        """16 hex digits; `occurrence` (from 0, in source order) tells equal fingerprints of one file apart."""
        key = "\0".join((self.rule, self.path, self.symbol, "\x1f".join(self.code), str(occurrence)))
        return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: replace the bytes `start` to `end` of the decoded text in UTF-8 (newline line ends, no BOM)."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a scanner says about one place.

    `why` is one sentence on the danger, `keep` one on what to do. `occurrence` counts equal fingerprints
    within one side, from 0 in source order; comparing sides ignores it.
    """

    fingerprint: Fingerprint
    severity: Severity
    place: Place
    why: str = ""
    keep: str = ""
    cwe: tuple[str, ...] = ()
    occurrence: int = 0
    fix: Fix | None = None

    @property
    def rule(self) -> str:
        """The rule that fired."""
        return self.fingerprint.rule

    @property
    def id(self) -> str:
        """Stable name of this finding among its siblings."""
        return self.fingerprint.digest(self.occurrence)
