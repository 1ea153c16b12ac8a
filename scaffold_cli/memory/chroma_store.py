"""The ChromaDB backend: a persistent client with one cosine collection."""

from __future__ import annotations

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scaffold_cli.memory.case import Case, Hit, ranked, worth
from scaffold_cli.memory.embedding import Embedding
from scaffold_cli.memory.store import CAPACITY, body_of, case_of, of_another_embedding, unusable
from scaffold_cli.model.errors import UsageError

_COLLECTION = "scaffold-cases"
_PAGE = 1000


class ChromaStore:
    """Cases in the folder `chroma`. Vectors are ours: its default embedding would ask a network for a model.

    A client does not see the writes of another process at once; a lock file keeps writers apart.
    """

    def __init__(self, folder: Path, embedding: Embedding, capacity: int = CAPACITY) -> None:
        try:
            import chromadb
            from chromadb.config import Settings
        except ImportError as error:
            raise UsageError("The chroma backend is not installed.", "pip install 'scaffold-cegis[chroma]'") from error
        self.path = folder / "chroma"
        self._embedding = embedding
        self._capacity = capacity
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"The memory {self.path} cannot be opened: {error}.", "Check the folder.") from error
        with self._errors():
            self._client: Any = chromadb.PersistentClient(
                str(self.path), Settings(anonymized_telemetry=False, allow_reset=False)
            )
            self._cases: Any = self._client.get_or_create_collection(
                _COLLECTION,
                embedding_function=None,
                metadata={"embedding": embedding.name},
                configuration={"hnsw": {"space": "cosine"}},
            )
            name = (self._cases.metadata or {}).get("embedding")
        if name != embedding.name:
            self.close()
            raise of_another_embedding(self.path, str(name), embedding.name)

    def add(self, cases: Iterable[Case]) -> int:
        """See `Store.add`."""
        wanted = {case.id: case for case in cases}
        with self._errors(), self._locked():
            there = set(self._cases.get(ids=list(wanted), include=[])["ids"]) if wanted else set()
            new = [case for case_id, case in wanted.items() if case_id not in there]
            for start in range(0, len(new), _PAGE):
                part = new[start : start + _PAGE]
                self._cases.add(
                    ids=[case.id for case in part],
                    embeddings=[list(vector) for vector in self._embedding.embed([case.text for case in part])],
                    documents=[body_of(case) for case in part],
                    metadatas=[_metadata(case) for case in part],
                )
            surplus = self._cases.count() - self._capacity
            if surplus > 0:
                self._cases.delete(ids=[case.id for case in sorted(self._all(), key=worth)[:surplus]])
        return len(new)

    def get(self, case_id: str) -> Case | None:
        """See `Store.get`."""
        found = [case for case in self.cases() if case_id and case.id.startswith(case_id)]
        return found[0] if len(found) == 1 else None

    def cases(self) -> Iterator[Case]:
        """See `Store.cases`."""
        with self._errors():
            yield from sorted(self._all(), key=lambda case: (case.created, case.id), reverse=True)

    def search(self, text: str, k: int) -> list[Hit]:
        """See `Store.search`; the neighbours are those of an approximate index (HNSW)."""
        with self._errors():
            count = min(4 * k, self._cases.count())
            if count == 0:
                return []
            found = self._cases.query(
                query_embeddings=[list(self._embedding.embed([text])[0])],
                n_results=count,
                include=["documents", "metadatas", "distances"],
            )
            rows = zip(found["documents"][0], found["metadatas"][0], found["distances"][0], strict=True)
            hits = [Hit(_case(body, metadata), min(1.0, 1.0 - float(distance))) for body, metadata, distance in rows]
        return ranked(hits)[:k]

    def used(self, case_ids: Iterable[str], moment: str) -> None:
        """See `Store.used`."""
        if not (wanted := list(case_ids)):
            return  # no ids would mean all
        with self._errors(), self._locked():
            found = self._cases.get(ids=wanted, include=["metadatas"])
            changed = [
                {**old, "uses": int(old["uses"]) + 1, "last_used": max(str(old["last_used"]), moment)}
                for old in found["metadatas"]
            ]
            if changed:
                self._cases.update(ids=found["ids"], metadatas=changed)

    def forget(self, case_ids: Iterable[str]) -> int:
        """See `Store.forget`."""
        if not (wanted := list(case_ids)):
            return 0  # no ids would mean all
        with self._errors(), self._locked():
            there = self._cases.get(ids=wanted, include=[])["ids"]
            if there:
                self._cases.delete(ids=there)
        return len(there)

    def __len__(self) -> int:
        with self._errors():
            return int(self._cases.count())

    def close(self) -> None:
        """See `Store.close`."""
        self._client.close()

    def _all(self) -> Iterator[Case]:
        for start in range(0, self._cases.count(), _PAGE):
            page = self._cases.get(limit=_PAGE, offset=start, include=["documents", "metadatas"])
            yield from map(_case, page["documents"], page["metadatas"])

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self.path / "writer.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _errors(self) -> Iterator[None]:
        # Chroma raises errors of its own, of SQLite and of its Rust part; the part's panics are no Exception.
        try:
            yield
        except (UsageError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise
            raise unusable(self.path, error) from error


def _metadata(case: Case) -> dict[str, str | int]:
    return {
        "kind": case.kind.value,
        "language": case.language,
        "cwe": " ".join(case.cwe),
        "created": case.created,
        "uses": case.uses,
        "last_used": case.last_used,
    }


def _case(body: str, metadata: dict[str, Any]) -> Case:
    return case_of(body, int(metadata["uses"]), str(metadata["last_used"]))
