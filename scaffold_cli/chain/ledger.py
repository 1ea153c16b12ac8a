"""The ledger: every attempt of a chain as a hash-chained entry under ``refs/scaffold/chains/<id>``.

One commit per entry, its parent the entry before. The commit's tree holds ``entry.json``, and for an attempt
the verdict, the diff and the candidate's whole tree, so that a rejected candidate can still be looked at. The
commit's message repeats the entry's digest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scaffold_cli import clock
from scaffold_cli.chain.entry import ENTRY_FILE, Entry, EntryKind, read_entry, sha256
from scaffold_cli.model.chain import ChainId
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.model.plain import Json, PlainError
from scaffold_cli.vcs import refs
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree

PREFIX = "refs/scaffold/chains/"
NO_FILES: Mapping[str, bytes] = {}


class LedgerError(UndecidedError):
    """A ledger cannot be read; `scaffold verify` says more."""


@dataclass(frozen=True, slots=True)
class Record:
    """An entry and what is stored beside it (file name to bytes)."""

    entry: Entry
    files: Mapping[str, bytes] = field(default_factory=dict)


class Ledger(Protocol):
    """Where a running chain writes."""

    def append(
        self, kind: EntryKind, body: dict[str, Json], files: Mapping[str, bytes] = NO_FILES, tree: GitTree | None = None
    ) -> Entry:
        """Add an entry and return it."""
        ...


class RefLedger:
    """The ledger of one chain in its repository."""

    def __init__(self, repo: Repository, chain: ChainId, last: Entry | None = None) -> None:
        self._repo = repo
        self._chain = chain
        self._last = last
        self._unsure = False
        """True after an append that was cut off: it may have reached the repository or not."""

    def append(
        self, kind: EntryKind, body: dict[str, Json], files: Mapping[str, bytes] = NO_FILES, tree: GitTree | None = None
    ) -> Entry:
        """Write one entry; the objects of `tree` become part of the repository. Raises GitError."""
        if self._unsure:
            recorded = read(self._repo, self._chain)
            self._last = recorded[-1].entry if recorded else None
        entry = following(self._last, self._chain, kind, body, files, tree)
        stored = {ENTRY_FILE: entry.data, **files}
        self._unsure = True
        refs.append(self._repo, PREFIX + self._chain, stored, entry_message(entry), tree=tree)
        self._last, self._unsure = entry, False
        return entry


class DryLedger:
    """Writes nothing: for a dry run."""

    def __init__(self, chain: ChainId) -> None:
        self._chain = chain
        self._last: Entry | None = None

    def append(
        self, kind: EntryKind, body: dict[str, Json], files: Mapping[str, bytes] = NO_FILES, tree: GitTree | None = None
    ) -> Entry:
        """Make the entry that would have been written."""
        self._last = following(self._last, self._chain, kind, body, files, tree)
        return self._last


def following(
    last: Entry | None,
    chain: ChainId,
    kind: EntryKind,
    body: dict[str, Json],
    files: Mapping[str, bytes],
    tree: GitTree | None,
) -> Entry:
    """The entry that comes after `last`. Its time is not before that one's, even where the clock was put back."""
    now = clock.now().isoformat(timespec="seconds")
    return Entry(
        chain=chain,
        seq=0 if last is None else last.seq + 1,
        prev="" if last is None else last.digest,
        time=now if last is None else max(now, last.time),
        kind=kind,
        body=body,
        files={name: sha256(data) for name, data in sorted(files.items())},
        tree=tree.id if tree is not None else "",
    )


def entry_message(entry: Entry) -> str:
    """The message of the commit that stores `entry`."""
    return f"{entry.chain} {entry.seq} {entry.kind.value}\n\n{entry.digest}\n"


def chains(repo: Repository) -> tuple[ChainId, ...]:
    """The chains recorded in `repo`, oldest first."""
    return tuple(sorted(ChainId(name.removeprefix(PREFIX)) for name in refs.list_refs(repo, PREFIX)))


def find_chain(repo: Repository, name: str | None = None) -> ChainId:
    """The chain called `name` (a unique beginning or end is enough), or the latest. Raises UsageError."""
    known = chains(repo)
    if not known:
        raise UsageError("No chain has run in this repository yet.", 'Start one: scaffold run FILE --goal "…".')
    if name is None:
        return known[-1]
    found = [chain for chain in known if chain == name] or [
        chain for chain in known if chain.startswith(name) or chain.endswith(name)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"{name!r} fits {len(found)} chains.", f"Write more of it: {', '.join(found[-3:])}.")
    raise UsageError(f"There is no chain {name!r}.", f"The latest one is {known[-1]}.")


def read(repo: Repository, chain: ChainId) -> tuple[Record, ...]:
    """The entries of a chain, oldest first. Raises LedgerError when one cannot be read; hashes are not checked here."""
    records = []
    for item in refs.history(repo, PREFIX + chain):
        try:
            entry = read_entry(item.files[ENTRY_FILE])
        except (KeyError, PlainError) as error:
            raise LedgerError(
                f"The ledger of chain {chain} is damaged: {error}.", f"Run `scaffold verify {chain}`."
            ) from error
        records.append(Record(entry, item.files))
    return tuple(records)


def reopened(repo: Repository, chain: ChainId) -> RefLedger:
    """The ledger of a chain that has ended, to add to it (an undo)."""
    return RefLedger(repo, chain, read(repo, chain)[-1].entry)
