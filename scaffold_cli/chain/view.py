"""A chain as its ledger tells it: for the log, for `show`, for undo and the metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from scaffold_cli.chain.entry import AUDIT_FILE, DIFF_FILE, VERDICT_FILE, EntryKind
from scaffold_cli.chain.ledger import LedgerError, Record, find_chain, read
from scaffold_cli.model.chain import Attempt, ChainId, ChainStart, StepOutcome, StopReason
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import Json, PlainError, from_plain
from scaffold_cli.model.verdict import Verdict
from scaffold_cli.vcs.repository import Repository

_SPEC = re.compile(r"(?:(?P<chain>[\w-]+)[/:])?(?P<step>\d+)(?:\.(?P<attempt>\d+))?")


@dataclass(frozen=True, slots=True)
class Undone:
    """A step that was taken back, and the commit that did it."""

    step: int
    commit: str


@dataclass(frozen=True, slots=True)
class Learned:
    """An attempt that was stored in memory, and the id of its case."""

    step: int
    attempt: int
    case: str


@dataclass(frozen=True, slots=True)
class ChainView:
    """One chain. `reason` is None while it runs, or when it ended without being able to say so.

    `times` holds the moment of each attempt (ISO 8601, UTC), in the order of `attempts`.
    """

    start: ChainStart
    started: str
    attempts: tuple[Attempt, ...]
    times: tuple[str, ...]
    reason: StopReason | None = None
    message: str = ""
    exit_code: int | None = None
    undone: tuple[Undone, ...] = ()
    learned: tuple[Learned, ...] = ()

    @property
    def chain(self) -> ChainId:
        """Its id."""
        return self.start.chain

    @property
    def accepted(self) -> tuple[Attempt, ...]:
        """The attempts that became commits, undone ones included."""
        return tuple(attempt for attempt in self.attempts if attempt.commit)

    def undo_of(self, step: int) -> Undone | None:
        """How a step was taken back, if it was."""
        return next((undone for undone in self.undone if undone.step == step), None)

    def of_step(self, step: int) -> tuple[Attempt, ...]:
        """The attempts at one step, oldest first."""
        return tuple(attempt for attempt in self.attempts if attempt.step == step)


def view(repo: Repository, chain: ChainId) -> ChainView:
    """Read one chain. Raises LedgerError when its ledger is damaged."""
    return view_of(chain, read(repo, chain))


def view_of(chain: ChainId, records: Iterable[Record]) -> ChainView:
    """The chain that these records tell. Raises LedgerError."""
    listed = list(records)
    try:
        return _assemble(listed)
    except (PlainError, KeyError, IndexError, ValueError, TypeError) as error:
        raise LedgerError(
            f"The ledger of chain {chain} does not make sense: {error}.", f"Run `scaffold verify {chain}`."
        ) from error


def find_step(repo: Repository, spec: str | None = None) -> tuple[ChainView, tuple[Attempt, ...]]:
    """The attempts that `spec` names, with their chain: ``STEP``, ``CHAIN/STEP``, each with ``.ATTEMPT`` or not.

    Without a chain the latest one is meant; without a spec its last step. Raises UsageError.
    """
    match = _SPEC.fullmatch(spec) if spec is not None else None
    if spec is not None and match is None:
        raise UsageError(f"{spec!r} names no step.", "Write a step's number, or CHAIN/STEP as `scaffold log` shows it.")
    found = view(repo, find_chain(repo, match["chain"] if match else None))
    if match is None:
        last = found.attempts[-1].step if found.attempts else 0
        attempts = found.of_step(last)
    else:
        number = match["attempt"]
        attempts = tuple(
            attempt for attempt in found.of_step(int(match["step"])) if number is None or attempt.attempt == int(number)
        )
    if not attempts:
        steps = len({attempt.step for attempt in found.attempts})
        raise UsageError(f"Chain {found.chain} has no step {spec or 1}.", f"It has {steps} step{'s' * (steps != 1)}.")
    return found, attempts


def diff_of(repo: Repository, chain: ChainId, attempt: Attempt) -> bytes:
    """The candidate of an attempt as a unified diff; empty when there was none."""
    for record in read(repo, chain):
        if record.entry.digest == attempt.record:
            return record.files.get(DIFF_FILE, b"")
    return b""


def audits_of(repo: Repository, chain: ChainId, attempts: tuple[Attempt, ...]) -> tuple[Json, ...]:
    """How each attempt came about, as its proposer told it; null for one that told nothing."""
    told = {record.entry.digest: record.files.get(AUDIT_FILE) for record in read(repo, chain)}
    return tuple(json.loads(data) if (data := told.get(attempt.record)) else None for attempt in attempts)


def _assemble(records: list[Record]) -> ChainView:
    first = records[0].entry
    found = ChainView(from_plain(ChainStart, first.body), first.time, (), ())
    for record in records[1:]:
        found = _with(found, record)
    return found


def _with(found: ChainView, record: Record) -> ChainView:
    entry = record.entry
    match entry.kind:
        case EntryKind.ATTEMPT:
            attempt = replace(from_plain(Attempt, entry.body), record=entry.digest, verdict=_verdict(record))
            return replace(found, attempts=(*found.attempts, attempt), times=(*found.times, entry.time))
        case EntryKind.COMMIT:
            return replace(found, attempts=_committed(found.attempts, entry.body))
        case EntryKind.STOP:
            body = from_plain(_StopBody, entry.body)
            return replace(found, reason=body.reason, message=body.message, exit_code=body.exit_code)
        case EntryKind.UNDO:
            return replace(found, undone=(*found.undone, from_plain(Undone, entry.body)))
        case EntryKind.LEARNED:
            return replace(found, learned=(*found.learned, from_plain(Learned, entry.body)))
        case EntryKind.START:
            raise PlainError("a second start")


def _verdict(record: Record) -> Verdict | None:
    data = record.files.get(VERDICT_FILE)
    return None if data is None else from_plain(Verdict, json.loads(data))


def _committed(attempts: tuple[Attempt, ...], body: dict[str, Json]) -> tuple[Attempt, ...]:
    told = from_plain(_CommitBody, body)
    return tuple(
        _settled(attempt, told) if (attempt.step, attempt.attempt) == (told.step, told.attempt) else attempt
        for attempt in attempts
    )


def _settled(attempt: Attempt, told: _CommitBody) -> Attempt:
    if told.commit:
        return replace(attempt, commit=told.commit)
    return replace(attempt, outcome=StepOutcome.CONFLICT, reason=told.refused)


@dataclass(frozen=True, slots=True)
class _StopBody:
    reason: StopReason
    exit_code: int
    message: str
    head: str


@dataclass(frozen=True, slots=True)
class _CommitBody:
    step: int
    attempt: int
    commit: str
    refused: str
