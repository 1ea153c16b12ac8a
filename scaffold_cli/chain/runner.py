"""Drives a chain: propose, judge, commit or throw away, remember, repeat."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from scaffold_cli import clock
from scaffold_cli.chain.candidate import Candidate, propose, unified_diff
from scaffold_cli.chain.entry import AUDIT_FILE, DIFF_FILE, VERDICT_FILE, EntryKind
from scaffold_cli.chain.going_on import take_up
from scaffold_cli.chain.ground import survey
from scaffold_cli.chain.interrupts import uninterrupted
from scaffold_cli.chain.learning import Learner, case_of_step
from scaffold_cli.chain.ledger import DryLedger, Ledger, LedgerError, RefLedger
from scaffold_cli.chain.message import step_message
from scaffold_cli.chain.options import ChainOptions
from scaffold_cli.chain.paths import files_below, in_the_way
from scaffold_cli.chain.phi import AnchorSet, mined
from scaffold_cli.chain.resume import refuse_cut_off, tidy_up
from scaffold_cli.chain.state import BASELINE, Standing, State, counterexample
from scaffold_cli.chain.steps import commit_step, judge, reason_for
from scaffold_cli.chain.stop import Stop, before_attempt, next_place
from scaffold_cli.model.chain import Attempt, ChainId, ChainResult, StepOutcome, StopReason, open_step
from scaffold_cli.model.errors import ExitCode, ScaffoldError, UsageError
from scaffold_cli.model.plain import Json, canonical, to_plain
from scaffold_cli.model.progress import Progress
from scaffold_cli.proposers.interface import (
    ProposalCutOffError,
    ProposalFailedError,
    Proposer,
    ProposerUnusableError,
    Request,
)
from scaffold_cli.sast.warm import Warm
from scaffold_cli.vcs import pending
from scaffold_cli.vcs.commits import dirty_paths
from scaffold_cli.vcs.lock import left_over, work_tree_lock
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree


def run_chain(
    repo: Repository,
    goal: str,
    paths: tuple[str, ...],
    proposer: Proposer,
    options: ChainOptions | None = None,
    progress: Progress | None = None,
    *,
    learner: Learner | None = None,
) -> ChainResult:
    """Run one chain to its end; `paths` are POSIX and relative to the repository's root.

    The user's files change only when a step was accepted and committed. Raises UsageError before anything
    has started when the chain could not keep that promise (see `ground.survey`); from then on every foreseen
    error, and Ctrl-C, ends the chain with a result and a ledger that says so. One chain runs in a worktree at a time,
    and none while a step of a killed one is not put in order (`resume.resume`); also UsageError.
    """
    options = options or ChainOptions()
    with contextlib.ExitStack() as stack:
        # A dry run writes nothing, so it may run beside another.
        lock = None if options.dry_run else stack.enter_context(work_tree_lock(repo, "run"))
        if lock is not None or left_over(repo):
            refuse_cut_off(repo)
        store = stack.enter_context(ObjectStore.of(repo))
        warm = stack.enter_context(Warm())
        ground = survey(store, repo, goal, paths, options)
        ground = replace(ground, start=replace(ground.start, proposer=proposer.name))
        ledger: Ledger = DryLedger(ground.start.chain)
        if lock is not None:
            tidy_up(repo, lock)
            stack.callback(pending.forget, repo)
            if options.request:
                pending.keep(repo, options.request)
            lock.name(ground.start.chain)
            ledger = RefLedger(repo, ground.start.chain)
        state = State(ground.baseline, ground.start.baseline, seen={ground.baseline.id: BASELINE})
        standing = Standing(ground, ledger, state)
        return _Chain(standing, proposer, progress or Progress(), warm, learner).run()


def go_on(
    repo: Repository,
    chain: ChainId,
    proposer: Proposer,
    options: ChainOptions,
    progress: Progress | None = None,
    *,
    learner: Learner | None = None,
) -> ChainResult:
    """Run the chain that was killed in this worktree to its end, after `resume.resume` left it open.

    A candidate that was accepted and not yet committed is committed; none is asked for twice. Raises UsageError (or
    UndecidedError) when it cannot go on, since its branch has moved, for one; `resume.resume` closes it then.
    """
    with contextlib.ExitStack() as stack:
        lock = stack.enter_context(work_tree_lock(repo, "resume"))
        refuse_cut_off(repo)
        store = stack.enter_context(ObjectStore.of(repo))
        warm = stack.enter_context(Warm())
        standing = take_up(store, repo, chain, options)
        stack.callback(pending.forget, repo)
        lock.settled()
        return _Chain(standing, proposer, progress or Progress(), warm, learner).run()


class _Chain:
    def __init__(
        self, standing: Standing, proposer: Proposer, progress: Progress, warm: Warm, learner: Learner | None
    ) -> None:
        self._learner = learner
        self._ground = standing.ground
        self._proposer = proposer
        self._progress = progress
        self._warm = warm
        self._phi = AnchorSet()
        self._state = standing.state
        self._ledger = standing.ledger
        self._standing = standing
        self._recorded = standing.begun
        self._began = clock.seconds() - standing.seconds

    def run(self) -> ChainResult:
        code: ExitCode | None = None
        try:
            self._begin()
            stop = self._loop()
        except KeyboardInterrupt:
            stop = Stop(StopReason.INTERRUPTED, "Interrupted; the tree is that of the last accepted step.")
        except ScaffoldError as error:
            stop, code = Stop(_cause(error), f"{error.message} {error.hint}".strip()), error.exit_code
        return self._end(stop, code)

    def _begin(self) -> None:
        for tree in (self._ground.baseline, *self._standing.trees):
            self._grow_phi(tree)
        if self._standing.begun:
            self._progress.chain_started(self._ground.start)
            return
        self._ground = replace(self._ground, start=replace(self._ground.start, anchors=len(self._phi)))
        with uninterrupted():
            self._ledger.append(EntryKind.START, _body(self._ground.start))
            self._recorded = True
        self._progress.chain_started(self._ground.start)

    def _loop(self) -> Stop:
        stop = self._catch_up()
        while stop is None:
            stop = before_attempt(self._state.attempts, self._ground.limits, self._elapsed())
            stop = stop or self._attempt(*next_place(self._state.attempts))
        return stop

    def _end(self, stop: Stop, code: ExitCode | None) -> ChainResult:
        attempts = self._state.attempts
        if code is None:
            code = stop.reason.exit_code(open_step(attempts))
        used = {waiver.violation for attempt in attempts if attempt.verdict for waiver in attempt.verdict.waivers}
        try:
            self._record_end(stop, code)
        except ScaffoldError as error:
            stop = Stop(
                stop.reason, f"{stop.message} The end could not be recorded: {error.message} {error.hint}".strip()
            )
            code = code or error.exit_code
        result = ChainResult(
            start=self._ground.start,
            reason=stop.reason,
            exit_code=code,
            attempts=attempts,
            message=stop.message,
            head=self._state.tip,
            unused_waivers=tuple(
                waiver.violation for waiver in self._ground.options.waivers if waiver.violation not in used
            ),
        )
        self._progress.chain_finished(result)
        return result

    def _record_end(self, stop: Stop, code: ExitCode) -> None:
        if self._recorded:
            body: dict[str, Json] = {"reason": stop.reason.value, "exit_code": int(code), "message": stop.message}
            with uninterrupted():
                self._ledger.append(EntryKind.STOP, {**body, "head": self._state.tip})

    def _attempt(self, step: int, number: int) -> Stop | None:
        """Ask for one candidate and see it through; returns why the chain ends, if it does."""
        self._progress.attempt_started(step, number)
        began = clock.seconds()
        blank = Attempt(step, number, StepOutcome.FAILED, "", base=self._state.current.id)
        try:
            candidate = propose(
                self._proposer,
                self._request(step, number),
                self._state.current,
                self._ground.options.isolation,
                self._ground.confinement,
            )
        except (ProposalFailedError, ProposalCutOffError) as error:
            reason = f"{error.message} {error.hint}".strip()
            failed = replace(blank, summary="no candidate", reason=reason, seconds=clock.seconds() - began)
            self._turned_down(failed, audit=error.audit)
            if isinstance(error, ProposalCutOffError):
                raise
            return None
        attempt = replace(
            blank,
            summary=candidate.summary,
            detail=candidate.detail,
            doubt=candidate.doubt,
            tree=candidate.tree.id,
            files=tuple(sorted(candidate.files)),
        )
        if candidate.tree.id == self._state.current.id:
            return self._nothing_proposed(attempt, candidate)
        self._progress.candidate_ready(candidate.summary, len(candidate.files))
        attempt = replace(self._looked_at(attempt, candidate), seconds=clock.seconds() - began)
        if attempt.outcome is not StepOutcome.ACCEPTED:
            self._turned_down(attempt, candidate)
            return None
        self._accept(attempt, candidate)
        return Stop(StopReason.GOAL_REACHED, candidate.summary) if candidate.done else None

    def _looked_at(self, attempt: Attempt, candidate: Candidate) -> Attempt:
        """The attempt with its outcome: turned away before the gate, or judged by it."""
        before = self._state.seen.get(candidate.tree.id)
        if before is not None:
            return replace(attempt, outcome=StepOutcome.REPEATED, reason=f"This is {before} again.")
        blocked = self._user_work_in_the_way(candidate)
        if blocked is not None:
            reason = f"The candidate writes {blocked}, which holds your own uncommitted work."
            return replace(attempt, outcome=StepOutcome.CONFLICT, reason=reason)
        verdict = judge(self._ground, self._state.current, candidate, self._progress, self._warm)
        return replace(attempt, outcome=StepOutcome.of(verdict.decision), reason=reason_for(verdict), verdict=verdict)

    def _user_work_in_the_way(self, candidate: Candidate) -> str | None:
        if self._ground.branch is not None:  # the checkout is not touched
            return None
        repo = self._ground.repo
        return in_the_way(repo, self._state.current, candidate.files, dirty_paths(repo))

    def _nothing_proposed(self, attempt: Attempt, candidate: Candidate) -> Stop:
        attempt = replace(attempt, outcome=StepOutcome.NO_CHANGE, tree="")
        with uninterrupted():
            self._remember(attempt, audit=candidate.audit)
        self._finish(attempt)
        if candidate.done:
            return Stop(StopReason.GOAL_REACHED, f"The proposer is done: {candidate.summary}.")
        return Stop(StopReason.NO_CHANGE, "The proposer changed nothing.")

    def _turned_down(self, attempt: Attempt, candidate: Candidate | None = None, audit: Json = None) -> None:
        """Keep the counterexample; of the candidate nothing else remains. `audit` is for an attempt without one."""
        diff = unified_diff(self._state.current, candidate.tree) if candidate else b""
        with uninterrupted():
            attempt = self._remember(attempt, candidate, diff, audit)
        self._state.turned_down(attempt, counterexample(attempt, diff))
        self._finish(attempt)

    def _accept(self, attempt: Attempt, candidate: Candidate) -> None:
        """Commit and record: both or, when the commit is refused, neither. Raises what the commit raises."""
        diff = unified_diff(self._state.current, candidate.tree)
        with uninterrupted():
            attempt = self._made(self._remember(attempt, candidate, diff), candidate)
        self._finish(attempt)
        self._grow_phi(candidate.tree)

    def _made(self, attempt: Attempt, candidate: Candidate) -> Attempt:
        """What is recorded as accepted, committed. Raises what the commit raises."""
        before = self._state.current
        if not self._ground.options.dry_run:
            attempt = self._commit(attempt, candidate)
            self._learn(attempt, candidate, before)
        self._state.accepted(attempt, candidate.tree)
        if not self._ground.options.dry_run:  # the ledger and the commit hold all of it now
            candidate.tree.store.forget()
        return attempt

    def _catch_up(self) -> Stop | None:
        """What a killed process had decided and not done."""
        if self._standing.pending is not None:
            attempt, candidate = self._standing.pending
            with uninterrupted():
                attempt = self._made(attempt, candidate)
            self._finish(attempt)
            self._grow_phi(candidate.tree)
        last = self._state.attempts[-1:]
        if last and last[0].outcome is StepOutcome.NO_CHANGE:
            return Stop(StopReason.NO_CHANGE, "The proposer changed nothing.")
        return None

    def _commit(self, attempt: Attempt, candidate: Candidate) -> Attempt:
        place: dict[str, Json] = {"step": attempt.step, "attempt": attempt.attempt}
        message = step_message(self._ground.start, attempt)
        try:
            oid = commit_step(self._ground, self._state.current, self._state.tip, candidate, message)
        except ScaffoldError as error:
            self._ledger.append(EntryKind.COMMIT, {**place, "commit": "", "refused": error.message})
            self._finish(replace(attempt, outcome=StepOutcome.CONFLICT, reason=error.message))
            raise
        try:
            self._ledger.append(EntryKind.COMMIT, {**place, "commit": oid, "refused": ""})
        except ScaffoldError as error:
            done = f"Step {attempt.step} was committed as {oid}, but the ledger could not be written"
            raise LedgerError(f"{done}: {error.message}", error.hint) from error
        return replace(attempt, commit=oid)

    def _learn(self, attempt: Attempt, candidate: Candidate, before: GitTree) -> None:
        """Store the accepted step as a case. A memory that fails costs a note, never the step."""
        if self._learner is None or attempt.verdict is None:
            return
        if attempt.doubt:
            self._progress.note(f"The step is not remembered as an example: {attempt.doubt}")
            return
        case = case_of_step(before, candidate.files, attempt.verdict, self._state.counterexamples, attempt.summary)
        if case is None:
            return
        try:
            stored = self._learner.accepted(case)
        except ScaffoldError as error:
            self._progress.note(f"The step was not remembered: {error.message}")
            return
        if stored:
            self._ledger.append(EntryKind.LEARNED, {"step": attempt.step, "attempt": attempt.attempt, "case": stored})

    def _remember(
        self, attempt: Attempt, candidate: Candidate | None = None, diff: bytes = b"", audit: Json = None
    ) -> Attempt:
        files = {}
        if candidate is not None:
            files[DIFF_FILE] = diff
            audit = candidate.audit
        if audit is not None:
            files[AUDIT_FILE] = canonical(audit)
        if attempt.verdict is not None:
            files[VERDICT_FILE] = canonical(to_plain(attempt.verdict))
        tree = candidate.tree if candidate is not None else None
        entry = self._ledger.append(EntryKind.ATTEMPT, _body(replace(attempt, verdict=None)), files, tree)
        return replace(attempt, record=entry.digest)

    def _finish(self, attempt: Attempt) -> None:
        self._state.finished(attempt)
        self._progress.attempt_finished(attempt)

    def _request(self, step: int, number: int) -> Request:
        limits = self._ground.limits
        return Request(
            goal=self._ground.start.goal,
            paths=self._ground.start.paths,
            step=step,
            attempt=number,
            anchors=self._phi.anchors,
            counterexamples=self._state.counterexamples,
            files=files_below(self._state.current, self._ground.start.paths),
            time_limit=min(limits.proposal, max(1.0, limits.wall_time - self._elapsed())),
        )

    def _grow_phi(self, tree: GitTree) -> None:
        files = files_below(tree, self._ground.start.paths)
        self._phi.grow(mined(tree, files, self._ground.max_file_bytes))

    def _elapsed(self) -> float:
        return clock.seconds() - self._began


def _body(fact: object) -> dict[str, Json]:
    plain = to_plain(fact)
    assert isinstance(plain, dict)
    return plain


def _cause(error: ScaffoldError) -> StopReason:
    if isinstance(error, ProposerUnusableError):
        return StopReason.PROPOSER
    return StopReason.CONFLICT if isinstance(error, UsageError) else StopReason.ERROR
