"""One stored example: a repair or a safe version that passed every layer of the gate."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby

from scaffold_cli.model.plain import canonical, to_plain


class CaseKind(StrEnum):
    """Why it is kept (Reflection-Driven Control: verified repairs, and code found safe)."""

    REPAIR = "repair"
    SAFE = "safe"


@dataclass(frozen=True, slots=True)
class Case:
    """One example with its metadata (our choice RX-7).

    `query` is what it is found by: the code and its context. `created` and `last_used` are moments in ISO 8601, UTC;
    `last_used` is empty and `uses` is 0 until a retrieval handed it out.
    """

    kind: CaseKind
    title: str
    query: str
    before: str = ""
    """The code that was not accepted, or unsafe."""
    after: str = ""
    """The code that passed the gate."""
    lesson: str = ""
    """The rule in one sentence."""
    cwe: tuple[str, ...] = ()
    language: str = ""
    protections: tuple[str, ...] = ()
    """Kinds of the protections touched."""
    anchors: tuple[str, ...] = ()
    """Ids of the anchors touched."""
    verdict: str = ""
    """Digest of the verdict that accepted it; nothing without one is stored as verified."""
    source: str = ""
    """Digest of the file it comes from."""
    created: str = ""
    uses: int = 0
    last_used: str = ""

    @property
    def id(self) -> str:
        """Content address: 16 hexadecimal digits; metadata that changes with use is no part of it."""
        content = to_plain(replace(self, created="", uses=0, last_used="", verdict="", source=""))
        return hashlib.sha256(canonical(content)).hexdigest()[:16]

    @property
    def text(self) -> str:
        """What is embedded: equal code has similarity 1, whatever its title."""
        return self.query or self.title


@dataclass(frozen=True, slots=True)
class Hit:
    """A case with its cosine similarity to the query, at most 1."""

    case: Case
    similarity: float


def ranked(hits: list[Hit]) -> list[Hit]:
    """Best first: similarity, then last used, then how often (our choice RX-10). Equal to three digits is equal."""
    ordered = sorted(hits, key=_similarity, reverse=True)
    groups = (list(group) for _, group in groupby(ordered, _similarity))
    # Only what is equally similar needs its id, which takes as long as reading the case.
    return [hit for group in groups for hit in (group if len(group) == 1 else sorted(group, key=_use, reverse=True))]


def _similarity(hit: Hit) -> float:
    return round(hit.similarity, 3)


def _use(hit: Hit) -> tuple[str, int, str]:
    return hit.case.last_used, hit.case.uses, hit.case.id


def worth(case: Case) -> tuple[bool, int, str, str]:
    """What is evicted first sorts first: safe cases before repairs, then the least used, then the longest unused."""
    return case.kind is CaseKind.REPAIR, case.uses, case.last_used or case.created, case.id
