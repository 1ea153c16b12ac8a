"""One entry of a chain's ledger, and the bytes its hash is taken over."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from scaffold_cli.model.chain import ChainId
from scaffold_cli.model.plain import Json, PlainError, canonical, from_plain, to_plain

SCHEMA = "scaffold-ledger/1"
ENTRY_FILE = "entry.json"
VERDICT_FILE = "verdict.json"
DIFF_FILE = "candidate.diff"
AUDIT_FILE = "audit.json"


class EntryKind(StrEnum):
    """What an entry records."""

    START = "start"
    ATTEMPT = "attempt"
    COMMIT = "commit"
    STOP = "stop"
    UNDO = "undo"
    LEARNED = "learned"
    """An accepted step was stored in memory as a case."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact about a chain, linked to the one before by its hash.

    `seq` counts from 0, `prev` is the digest of the entry before ("" for the first), `time` is ISO 8601 in
    UTC. `files` maps each file stored beside the entry to its SHA-256, `tree` names the candidate's git tree
    ("" when there was none). `body` depends on `kind`.
    """

    chain: ChainId
    seq: int
    prev: str
    time: str
    kind: EntryKind
    body: dict[str, Json]
    files: dict[str, str] = field(default_factory=dict)
    tree: str = ""

    @property
    def data(self) -> bytes:
        """The canonical bytes."""
        return canonical({"schema": SCHEMA, **self._fields()})

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical bytes."""
        return sha256(self.data)

    def _fields(self) -> dict[str, Json]:
        return {
            "chain": self.chain,
            "seq": self.seq,
            "prev": self.prev,
            "time": self.time,
            "kind": self.kind.value,
            "body": self.body,
            "files": to_plain(self.files),
            "tree": self.tree,
        }


@dataclass(frozen=True, slots=True)
class _Stored:
    """The typed part of an entry as it is stored."""

    schema: str
    chain: str
    seq: int
    prev: str
    time: str
    kind: EntryKind
    tree: str


def read_entry(data: bytes) -> Entry:
    """The entry whose canonical bytes are `data`. Raises PlainError when they are anything else."""
    try:
        document = json.loads(data)
        body, files = document.pop("body"), document.pop("files")
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise PlainError("this is no ledger entry") from error
    stored = from_plain(_Stored, document)
    if stored.schema != SCHEMA:
        raise PlainError(f"the schema {stored.schema!r} is unknown")
    if not isinstance(body, dict) or not _is_digests(files):
        raise PlainError("the body or the files have another shape")
    entry = Entry(
        ChainId(stored.chain), stored.seq, stored.prev, stored.time, stored.kind, body, dict(files), stored.tree
    )
    if entry.data != data:
        raise PlainError("the bytes are not in canonical form")
    return entry


def sha256(data: bytes) -> str:
    """SHA-256 as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _is_digests(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(item, str) for item in value.values())
