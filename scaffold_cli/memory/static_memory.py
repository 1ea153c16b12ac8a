"""Static memory M_S: the secure-coding guidance that ships with the rules, one document for each CWE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from pathlib import Path

from scaffold_cli import resources
from scaffold_cli.memory.embedding import Embedding, Vector


@dataclass(frozen=True, slots=True)
class Guidance:
    """One document: problem, root cause, repair strategy, examples. `text` is Markdown without the front matter."""

    cwe: str
    title: str
    languages: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class GuidanceHit:
    """A document with its cosine similarity to the query; 1 when its CWE was asked for by number."""

    guidance: Guidance
    similarity: float


@cache
def guidance() -> tuple[Guidance, ...]:
    """Every document, in the order of their numbers."""
    files = (resources.data_folder("rulesets") / "guidance").glob("CWE-*.md")
    return tuple(sorted((_read(path) for path in files), key=lambda item: int(item.cwe.removeprefix("CWE-"))))


def search(text: str, k: int, embedding: Embedding, cwe: Sequence[str] = ()) -> list[GuidanceHit]:
    """The `k` documents for `text`, best first: those of the named CWEs, then the most similar ones."""
    named = [GuidanceHit(item, 1.0) for wanted in cwe for item in guidance() if item.cwe == wanted]
    if len(named) < k:
        query = embedding.embed([text])[0]
        rest = [
            GuidanceHit(item, sum(map(mul, query, vector)))
            for item, vector in zip(guidance(), _vectors(embedding), strict=True)
            if item.cwe not in cwe
        ]
        named += sorted(rest, key=lambda hit: (-hit.similarity, hit.guidance.cwe))
    return named[:k]


_embedded: dict[str, list[Vector]] = {}


def _vectors(embedding: Embedding) -> list[Vector]:
    if embedding.name not in _embedded:
        _embedded[embedding.name] = embedding.embed([f"{item.title}\n{item.text}" for item in guidance()])
    return _embedded[embedding.name]


def _read(path: Path) -> Guidance:
    import yaml

    _, front, text = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = yaml.safe_load(front)
    return Guidance(str(fields["cwe"]), str(fields["title"]), tuple(fields.get("languages", ())), text.strip())
