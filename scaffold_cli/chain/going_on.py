"""A chain whose process was killed, taken up where its ledger ends."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scaffold_cli.chain.candidate import Candidate
from scaffold_cli.chain.entry import AUDIT_FILE, DIFF_FILE
from scaffold_cli.chain.ground import Ground, branch_tip, check_edits, own_branch, policy_and_limits
from scaffold_cli.chain.ledger import Record, RefLedger, read
from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.state import BASELINE, Standing, State, counterexample
from scaffold_cli.chain.steps import MovedError
from scaffold_cli.chain.view import view_of
from scaffold_cli.model.chain import Attempt, ChainId, StepOutcome
from scaffold_cli.model.change import Door
from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.build import files_after
from scaffold_cli.vcs.compare import compare
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

_NO_LIMIT = 1 << 62


def take_up(store: ObjectStore, repo: Repository, chain: ChainId, options: ChainOptions) -> Standing:
    """Read the chain back and look whether it can go on: its branch must be where it left it.

    Raises MovedError when it is not, UsageError and UndecidedError as at the start of a chain.
    """
    records = read(repo, chain)
    found = view_of(chain, records)
    start = found.start
    if found.reason is not None:
        raise UsageError(f"Chain {chain} was closed in the meantime.", "Start a new chain.")
    branch = own_branch(repo, options)
    if (branch or repo.branch()) != start.branch:
        raise MovedError(f"The branch {start.branch} is no longer checked out.", "Check it out and start a new chain.")
    tip = ([attempt.commit for attempt in found.accepted] or [start.baseline])[-1]
    now = branch_tip(repo, start.branch)
    if now != tip and not (now is None and branch is not None and not found.accepted):
        raise MovedError(f"The branch {start.branch} has moved since the chain was cut off.", "Start a new chain.")
    baseline = GitTree(store, store.tree_of(start.baseline))
    trees = tuple(GitTree(store, store.tree_of(attempt.commit)) for attempt in found.accepted)
    current = trees[-1] if trees else baseline
    if branch is None:
        check_edits(repo, current, start.paths)
    policy, limits = policy_and_limits(baseline, options)
    ground = Ground(repo, baseline, policy, replace(limits, steps=start.steps), options, start, branch)
    state, pending = _state(found.attempts, records, baseline, current, tip)
    ledger = RefLedger(repo, chain, records[-1].entry)
    seconds = sum(attempt.seconds for attempt in found.attempts)
    return Standing(ground, ledger, state, trees, pending, seconds, begun=True)


def tokens_and_money(repo: Repository, chain: ChainId) -> tuple[int, float]:
    """What the models of a chain have used so far, by the records of its attempts: at least so much.

    Each record holds the sum since its process began, so a smaller one means that another process had taken over.
    """
    tokens = money = last_tokens = last_money = 0.0
    for audit in _audits(read(repo, chain)):
        used, cost = float(audit.get("tokens") or 0), float(audit.get("money") or 0.0)
        if used < last_tokens:
            tokens, money = tokens + last_tokens, money + last_money
        last_tokens, last_money = used, cost
    return int(tokens + last_tokens), money + last_money


def _audits(records: Iterable[Record]) -> Iterable[dict[str, int | float | None]]:
    import json

    for record in records:
        audit = json.loads(record.files.get(AUDIT_FILE, b"null"))
        if isinstance(audit, dict) and "tokens" in audit:
            yield audit


def _state(
    attempts: tuple[Attempt, ...], records: tuple[Record, ...], baseline: GitTree, current: GitTree, tip: str
) -> tuple[State, tuple[Attempt, Candidate] | None]:
    diffs = {record.entry.digest: record.files.get(DIFF_FILE, b"") for record in records}
    state = State(baseline, tip, seen={baseline.id: BASELINE})
    pending = None
    for attempt in attempts:
        if attempt.commit:
            state.accepted(attempt, GitTree(baseline.store, attempt.tree))
        elif attempt.outcome is StepOutcome.ACCEPTED:  # only the last one can be
            pending = attempt, _candidate(attempt, current)
            continue
        elif attempt.outcome is not StepOutcome.NO_CHANGE:
            state.turned_down(attempt, counterexample(attempt, diffs.get(attempt.record, b"")))
        state.finished(attempt)
    state.current = current
    return state, pending


def _candidate(attempt: Attempt, current: GitTree) -> Candidate:
    tree = GitTree(current.store, attempt.tree)
    change = compare(current, tree, max_file_bytes=_NO_LIMIT, door=Door.CANDIDATE, head="candidate")
    return Candidate(attempt.summary, attempt.detail, False, tree, files_after(change))
