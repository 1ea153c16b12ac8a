"""Checks a ledger: every hash, the order, and that what it names exists and says the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scaffold_cli.chain.entry import ENTRY_FILE, Entry, EntryKind, read_entry, sha256
from scaffold_cli.chain.ledger import PREFIX, LedgerError, Record, entry_message
from scaffold_cli.chain.message import CHAIN, RECORD
from scaffold_cli.chain.view import view_of
from scaffold_cli.model.chain import ChainId
from scaffold_cli.model.plain import PlainError
from scaffold_cli.vcs import refs
from scaffold_cli.vcs.git import decode, git
from scaffold_cli.vcs.repository import Repository


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as the ledger says. `seq` is the entry's number, counted from 0."""

    seq: int
    what: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What one commit of the ledger holds: its message, its files, and the candidate's tree as stored ("" for none)."""

    message: str
    files: dict[str, bytes]
    tree: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome for one chain."""

    chain: ChainId
    entries: int
    faults: tuple[Fault, ...]

    @property
    def ok(self) -> bool:
        """True when nothing was found."""
        return not self.faults


def verify(repo: Repository, chain: ChainId) -> Verification:
    """Recompute a chain's ledger.

    Every entry must be canonical, hash to what its commit's message and the next entry's `prev` say, and the
    files and the tree beside it must hash to what it says. Commits it names must exist and carry its digest.
    Cutting entries off the end, and rewriting the ledger from some entry on, show in the digests that the
    commits of accepted steps carry; where no such commit follows, a ledger cannot prove its own end.
    """
    stored = [Stored(item.message, dict(item.files), item.tree or "") for item in refs.history(repo, PREFIX + chain)]
    faults = list(check(chain, stored))
    if not faults:
        faults += _check_commits(repo, chain, stored)
    return Verification(chain, len(stored), tuple(faults))


def check(chain: ChainId, stored: Sequence[Stored]) -> Iterator[Fault]:
    """The faults that can be seen in the ledger alone."""
    if not stored:
        yield Fault(0, "there is no entry")
        return
    last: Entry | None = None
    records = []
    for seq, item in enumerate(stored):
        try:
            entry = read_entry(item.files.get(ENTRY_FILE, b""))
        except PlainError as error:
            yield Fault(seq, f"it cannot be read: {error}")
            return
        yield from _check_entry(chain, seq, entry, item)
        yield from _check_link(seq, entry, last)
        records.append(Record(entry, item.files))
        last = entry
    try:
        view_of(chain, records)
    except LedgerError as error:
        yield Fault(len(stored) - 1, error.message)


def _check_entry(chain: ChainId, seq: int, entry: Entry, item: Stored) -> Iterator[Fault]:
    if entry.chain != chain:
        yield Fault(seq, f"it belongs to chain {entry.chain}")
    if entry_message(entry).strip() != item.message.strip():
        yield Fault(seq, "its digest is not the one its commit names")
    if entry.tree != item.tree:
        yield Fault(seq, "the candidate's tree beside it is another one")
    beside = {name: sha256(data) for name, data in item.files.items() if name != ENTRY_FILE}
    for name in sorted(beside.keys() | entry.files.keys()):
        if beside.get(name) != entry.files.get(name):
            yield Fault(seq, f"{name} is not what was recorded")


def _check_link(seq: int, entry: Entry, last: Entry | None) -> Iterator[Fault]:
    if entry.seq != seq:
        yield Fault(seq, f"it is numbered {entry.seq}")
    if entry.prev != ("" if last is None else last.digest):
        yield Fault(seq, "it does not follow the entry before it")
    if last is not None and entry.time < last.time:
        yield Fault(seq, "it is older than the entry before it")
    if (entry.kind is EntryKind.START) != (seq == 0):
        yield Fault(seq, f"a {entry.kind.value} cannot stand here")


def _check_commits(repo: Repository, chain: ChainId, stored: Sequence[Stored]) -> Iterator[Fault]:
    """The commits of accepted steps exist, hold the tree that was judged, and carry the digest of their record."""
    entries = [read_entry(item.files[ENTRY_FILE]) for item in stored]
    found = view_of(chain, [Record(entry, item.files) for entry, item in zip(entries, stored, strict=True)])
    numbers = {entry.digest: entry.seq for entry in entries}
    for attempt in found.accepted:
        seq = numbers[attempt.record]
        shown = decode(git("show", "-s", "--format=%T%n%B", attempt.commit, "--", cwd=repo.root, ok=(0, 128)))
        tree, _, message = shown.partition("\n")
        if not tree:
            yield Fault(seq, f"the commit {attempt.commit} does not exist")
        elif tree != attempt.tree:
            yield Fault(seq, f"the commit {attempt.commit} holds another tree than the one that was judged")
        elif not _carries(message, CHAIN, chain) or not _carries(message, RECORD, attempt.record):
            yield Fault(seq, f"the commit {attempt.commit} does not name this record")
    for undone in found.undone:
        if not git("cat-file", "-t", undone.commit, cwd=repo.root, ok=(0, 128)).startswith(b"commit"):
            yield Fault(len(stored) - 1, f"the commit {undone.commit} does not exist")
    yield from _unrecorded(repo, chain, set(numbers), len(stored) - 1)


def _unrecorded(repo: Repository, chain: ChainId, records: set[str], seq: int) -> Iterator[Fault]:
    """Commits that say they are steps of this chain with a record the ledger does not have: its end was cut off.

    A step that was rebased or picked elsewhere still carries a record the ledger has.
    """
    pattern = f"^{CHAIN}: {re.escape(chain)}$"
    wanted = ("log", "--branches", "--format=%H%x00%B%x01", f"--grep={pattern}", "--extended-regexp")
    for item in decode(git(*wanted, cwd=repo.root)).split("\x01"):
        commit, _, message = item.strip().partition("\0")
        named = re.findall(f"^{RECORD}: (.*)$", message, re.MULTILINE)
        if named and named[-1] not in records:  # trailers come last; the text above them is the proposer's
            yield Fault(seq, f"the commit {commit} is a step of this chain that is not recorded")


def _carries(message: str, trailer: str, value: str) -> bool:
    return re.search(f"^{trailer}: {re.escape(value)}$", message, re.MULTILINE) is not None
