"""Static memory M_S: the secure-coding guidance that ships with the rules, one document for each CWE."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from operator import mul
from pathlib import Path

from scaffold_cli import resources
from scaffold_cli.memory.embedding import Embedding, Vector

_SECTION = re.compile(r"^## |\n## ")
_HEADINGS = {"python": "Python", "java": "Java", "c": "C"}
"""Under which heading the examples of a language stand."""


@dataclass(frozen=True, slots=True)
class Guidance:
    """One document: problem, root cause, repair strategy, examples. `text` is Markdown without the front matter."""

    cwe: str
    title: str
    languages: tuple[str, ...]
    text: str

    def for_languages(self, wanted: Collection[str]) -> str:
        """The text with the examples of these languages only; all of it when it has none in any of them."""
        if not any(language in wanted for language in self.languages):
            return self.text
        head, *sections = _SECTION.split(self.text)
        told = {_HEADINGS.get(language) for language in self.languages if language not in wanted}
        kept = (part for part in sections if part.partition("\n")[0].strip() not in told)
        return "\n## ".join((head, *kept)).strip()


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
    """At most `k` documents, best first: those of the named CWEs, and the ones most similar to `text` if there is none.

    What is known to be wrong needs no guess, and guidance for something else leads a model astray.
    """
    named = [GuidanceHit(item, 1.0) for wanted in cwe for item in guidance() if item.cwe == wanted]
    if named:
        return named[:k]
    query = embedding.embed([text])[0]
    similar = [
        GuidanceHit(item, sum(map(mul, query, vector)))
        for item, vector in zip(guidance(), _vectors(embedding), strict=True)
    ]
    return sorted(similar, key=lambda hit: (-hit.similarity, hit.guidance.cwe))[:k]


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
