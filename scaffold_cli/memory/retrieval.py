"""The retrieval rule of Reflection-Driven Control: dynamic memory first, static memory where that is not enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli import clock
from scaffold_cli.config.schema import MemorySettings
from scaffold_cli.memory import static_memory
from scaffold_cli.memory.case import Hit, ranked
from scaffold_cli.memory.embedding import Embedding
from scaffold_cli.memory.static_memory import GuidanceHit
from scaffold_cli.memory.store import Store


class Source(StrEnum):
    """Which memory answered."""

    DYNAMIC = "dynamic"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class RetrievalRule:
    """Use the top `k` of dynamic memory when there are at least `k_min` and the best reaches `threshold` (inclusive).

    Constants: the paper's k = 3 and θ = 0.70, our k_min = 1 (choices RX-1, RX-11: θ was set for an unknown embedding).
    """

    k: int = 3
    k_min: int = 1
    threshold: float = 0.70

    @staticmethod
    def of(settings: MemorySettings) -> RetrievalRule:
        """The rule as it is configured."""
        return RetrievalRule(settings.k, settings.k_min, settings.threshold)

    def holds(self, similarities: Sequence[float]) -> bool:
        """Whether dynamic memory is enough. Only the best similarity is tested."""
        return len(similarities) >= self.k_min and max(similarities, default=-1.0) >= self.threshold


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a query found: cases, and on fallback documents beside them (our choice RX-2).

    `seconds` is the time it took.
    """

    source: Source
    cases: tuple[Hit, ...]
    documents: tuple[GuidanceHit, ...] = ()
    embedding: str = ""
    seconds: float = 0.0


class Retriever:
    """Answers queries from one or several stores; every store holds vectors of the one embedding."""

    def __init__(self, stores: Sequence[Store], embedding: Embedding, rule: RetrievalRule | None = None) -> None:
        self._stores = stores
        self._embedding = embedding
        self._rule = rule or RetrievalRule()

    def retrieve(self, query: str, cwe: Sequence[str] = ()) -> Evidence:
        """The evidence for `query` (code and context); `cwe` names what was flagged. Uses are counted."""
        evidence = self.look(query, cwe)
        moment = clock.now().isoformat(timespec="seconds")
        for store in self._stores if evidence.cases else ():
            store.used([hit.case.id for hit in evidence.cases], moment)
        return evidence

    def look(self, query: str, cwe: Sequence[str] = ()) -> Evidence:
        """The same evidence, without counting a use."""
        began = clock.seconds()
        found = {hit.case.id: hit for store in self._stores for hit in store.search(query, self._rule.k)}
        hits = tuple(ranked(list(found.values()))[: self._rule.k])
        if self._rule.holds([hit.similarity for hit in hits]):
            return Evidence(Source.DYNAMIC, hits, (), self._embedding.name, clock.seconds() - began)
        documents = tuple(static_memory.search(query, self._rule.k, self._embedding, cwe))
        return Evidence(Source.FALLBACK, hits, documents, self._embedding.name, clock.seconds() - began)
