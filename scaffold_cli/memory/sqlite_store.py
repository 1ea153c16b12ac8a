"""The default backend: rows, a full-text index and vectors in one SQLite file."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import starmap
from math import inf
from operator import mul
from pathlib import Path

from scaffold_cli.memory.case import Case, Hit, ranked
from scaffold_cli.memory.embedding import Embedding, Vector
from scaffold_cli.memory.hashing import words
from scaffold_cli.memory.store import (
    CAPACITY,
    MemoryFileError,
    body_of,
    case_of,
    of_another_embedding,
    unusable,
)
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import PlainError

VERSION = 2
"""1 had no counts of its own: SQLite counted the cases with a word anew for each search."""
_SCAN = 150
"""Vectors compared at most in a search, 10 µs each; in a larger store words choose the candidates."""
_BUSY_SECONDS = 30.0
_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cases (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created TEXT NOT NULL, body TEXT NOT NULL,
    uses INTEGER NOT NULL, last_used TEXT NOT NULL);
CREATE TABLE vectors (number INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(text, tokenize = "unicode61");
CREATE TABLE terms (term TEXT PRIMARY KEY, cases INTEGER NOT NULL) WITHOUT ROWID;
"""
_FROM_1 = """
CREATE TABLE terms (term TEXT PRIMARY KEY, cases INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO terms SELECT term, doc FROM frequencies;
DROP TABLE frequencies;
"""


class SqliteStore:
    """One file, `cases.sqlite`, in write-ahead mode: readers never wait, writers wait for each other.

    In a store of at most 150 cases, and with an embedding that sees meaning, a search compares every vector. In a
    larger one with a lexical embedding the cases that share the query's rarest words are compared, up to 150: a case
    that shares none of them is not found, however similar its common words are.
    """

    def __init__(self, folder: Path, embedding: Embedding, capacity: int = CAPACITY) -> None:
        self.path = folder / "cases.sqlite"
        self._embedding = embedding
        self._capacity = capacity
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"The memory {self.path} cannot be opened: {error}.", "Check the folder.") from error
        try:
            with self._errors():
                self._prepare()
        except BaseException:
            self._db.close()
            raise

    def add(self, cases: Iterable[Case]) -> int:
        """See `Store.add`."""
        wanted = self._unknown({case.id: case for case in cases})
        vectors = self._embedding.embed([case.text for case in wanted])
        new = 0
        with self._transaction():
            for case, vector in zip(wanted, vectors, strict=True):
                new += self._insert(case, vector)
            self._evict()
        return new

    def get(self, case_id: str) -> Case | None:
        """See `Store.get`."""
        if not case_id or not set(case_id) <= set("0123456789abcdef"):
            return None
        with self._errors():
            rows = self._db.execute(f"{_SELECT} WHERE id GLOB ? LIMIT 2", (f"{case_id}*",)).fetchall()
            return case_of(*rows[0]) if len(rows) == 1 else None

    def cases(self) -> Iterator[Case]:
        """See `Store.cases`."""
        with self._errors():
            yield from starmap(case_of, self._db.execute(f"{_SELECT} ORDER BY created DESC, number DESC"))

    def search(self, text: str, k: int) -> list[Hit]:
        """See `Store.search`."""
        query = list(self._embedding.embed([text])[0])
        with self._errors():
            rows = self._candidates(text)
            scored = sorted(((sum(map(mul, query, _vector(blob))), number) for number, blob in rows), reverse=True)
            # A few more than asked for where they are equally similar: those are told apart by their use.
            last = round(scored[k - 1][0], 3) if k <= len(scored) else -inf
            best = [item for item in scored[: 4 * k] if round(item[0], 3) >= last]
            return ranked([Hit(self._numbered(number), min(1.0, cosine)) for cosine, number in best])[:k]

    def used(self, case_ids: Iterable[str], moment: str) -> None:
        """See `Store.used`."""
        with self._transaction():
            self._db.executemany(
                "UPDATE cases SET uses = uses + 1, last_used = max(last_used, ?) WHERE id = ?",
                [(moment, case_id) for case_id in case_ids],
            )

    def forget(self, case_ids: Iterable[str]) -> int:
        """See `Store.forget`."""
        with self._transaction():
            return sum(self._remove(case_id) for case_id in case_ids)

    def __len__(self) -> int:
        with self._errors():
            return int(self._db.execute("SELECT count(*) FROM cases").fetchone()[0])

    def close(self) -> None:
        """See `Store.close`."""
        self._db.close()

    def _prepare(self) -> None:
        version = self._version()
        if version == 0:
            self._db.execute("PRAGMA journal_mode = WAL")
        if version < VERSION:
            with self._transaction():
                self._upgrade(self._version())  # another process may have been first
        elif version > VERSION:
            raise MemoryFileError(
                f"The memory {self.path} was written by a newer scaffold (format {version}, this one reads {VERSION}).",
                "Update scaffold, or move the file away.",
            )
        name = self._db.execute("SELECT value FROM meta WHERE name = 'embedding'").fetchone()[0]
        if name != self._embedding.name:
            raise of_another_embedding(self.path, name, self._embedding.name)

    def _upgrade(self, version: int) -> None:
        if version == VERSION:
            return
        for statement in (_FROM_1 if version else _SCHEMA).strip().split(";\n"):
            self._db.execute(statement)
        if version == 0:
            self._db.execute("INSERT INTO meta VALUES ('embedding', ?)", (self._embedding.name,))
        self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> int:
        return int(self._db.execute("PRAGMA user_version").fetchone()[0])

    def _unknown(self, cases: dict[str, Case]) -> list[Case]:
        """Those not stored yet: the others need no vector."""
        with self._errors():
            there = "SELECT id FROM cases WHERE id IN (SELECT value FROM json_each(?))"
            known = {case_id for (case_id,) in self._db.execute(there, (json.dumps(list(cases)),))}
        return [case for case_id, case in cases.items() if case_id not in known]

    def _insert(self, case: Case, vector: Vector) -> int:
        done = self._db.execute(
            "INSERT OR IGNORE INTO cases (id, created, body, uses, last_used) VALUES (?, ?, ?, ?, ?)",
            (case.id, case.created, body_of(case), case.uses, case.last_used),
        )
        if done.rowcount == 1:
            number = done.lastrowid
            self._db.execute("INSERT INTO vectors VALUES (?, ?)", (number, array("f", vector).tobytes()))
            found = words(case.text)
            self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, " ".join(found)))
            self._db.executemany(_ONE_MORE, [(word,) for word in set(found)])
        return done.rowcount

    def _remove(self, case_id: str) -> int:
        for (text,) in self._db.execute(_TEXT, (case_id,)).fetchall():
            self._db.executemany("UPDATE terms SET cases = cases - 1 WHERE term = ?", [(w,) for w in set(text.split())])
        for table, key in (("words", "rowid"), ("vectors", "number")):
            self._db.execute(_DELETE.format(table=table, key=key), (case_id,))
        return self._db.execute("DELETE FROM cases WHERE id = ?", (case_id,)).rowcount

    def _evict(self) -> None:
        surplus = len(self) - self._capacity
        if surplus > 0:
            for (case_id,) in self._db.execute(_LEAST_WORTHY, (surplus,)).fetchall():
                self._remove(case_id)

    def _numbered(self, number: int) -> Case:
        return case_of(*self._db.execute(f"{_SELECT} WHERE number = ?", (number,)).fetchone())

    def _candidates(self, text: str) -> list[tuple[int, bytes]]:
        if not self._embedding.lexical or len(self) <= _SCAN:
            return self._db.execute("SELECT number, vector FROM vectors").fetchall()
        chosen = self._rarest(sorted(set(words(text))))
        if not chosen:
            return []
        match = " OR ".join(f'"{word}"' for word in chosen)
        return self._db.execute(_SHARING, (match, _SCAN)).fetchall()

    def _rarest(self, query: Sequence[str]) -> list[str]:
        """The rarest known words of the query, until they may name as many cases as are compared."""
        known = "SELECT cases, term FROM terms WHERE cases > 0 AND term IN (SELECT value FROM json_each(?))"
        found = self._db.execute(known, (json.dumps(query),)).fetchall()
        chosen: list[str] = []
        total = 0
        for count, word in sorted(found):
            if chosen and total + count > _SCAN:
                break
            chosen.append(word)
            total += count
        return chosen

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # a full disk may have ended it already
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, PlainError, ValueError, TypeError) as error:
            raise unusable(self.path, error) from error


_ONE_MORE = "INSERT INTO terms VALUES (?, 1) ON CONFLICT (term) DO UPDATE SET cases = cases + 1"
_TEXT = "SELECT text FROM words WHERE rowid = (SELECT number FROM cases WHERE id = ?)"
_DELETE = "DELETE FROM {table} WHERE {key} = (SELECT number FROM cases WHERE id = ?)"
_SHARING = """SELECT number, vector FROM vectors
    WHERE number IN (SELECT rowid FROM words WHERE words MATCH ? LIMIT ?)"""
_LEAST_WORTHY = """SELECT id FROM cases
    ORDER BY json_extract(body, '$.kind') = 'repair', uses, CASE last_used WHEN '' THEN created ELSE last_used END, id
    LIMIT ?"""
"""The order of `case.worth`, without reading every case."""
_SELECT = "SELECT body, uses, last_used FROM cases"


def _vector(blob: bytes) -> Vector:
    return memoryview(blob).cast("f")
