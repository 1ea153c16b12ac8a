"""After a kill: the half step finished or taken back, the ledger's end written, temporary folders removed.

A chain that can go on keeps its ledger open for `going_on`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.chain.entry import EntryKind
from scaffold_cli.chain.ledger import PREFIX, chains, reopened
from scaffold_cli.chain.message import CHAIN, RECORD, UNDOES
from scaffold_cli.chain.view import ChainView, view
from scaffold_cli.model.chain import Attempt, ChainId, StepOutcome, StopReason
from scaffold_cli.model.errors import ExitCode, UsageError
from scaffold_cli.model.plain import Json
from scaffold_cli.vcs import pending
from scaffold_cli.vcs.elsewhere import remove_worktree
from scaffold_cli.vcs.git import decode, git
from scaffold_cli.vcs.lock import Lock, work_tree_lock
from scaffold_cli.vcs.recovering import Recovered, recover
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.step import LEFT_OVER

_KILLED = "The process was killed"


class CutOffError(UsageError):
    """A step of a killed run is neither as before nor done."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """What was put in order; all of it empty when nothing was left over. `chain` is the one that was killed.

    `request` is what that chain was asked; "" when it was closed.
    """

    step: Recovered | None = None
    chain: ChainView | None = None
    removed: tuple[Path, ...] = ()
    request: str = ""

    @property
    def nothing(self) -> bool:
        """True when there was nothing to do."""
        return self.step is None and self.chain is None and not self.removed


def resume(repo: Repository, *, go_on: bool = False) -> Resumed:
    """Put in order what a killed run or undo left in this worktree; may be called again, and may itself be killed.

    With `go_on` a chain that had not ended, and of which is known what it was asked, is left open for
    `runner.run_chain` to go on with; call again without to close it.
    Raises LockedError while a run is at work, UndecidedError when somebody else's git is in the way.
    """
    with work_tree_lock(repo, "resume") as lock:
        return tidy_up(repo, lock, go_on=go_on)


def tidy_up(repo: Repository, lock: Lock, *, go_on: bool = False) -> Resumed:
    """The same, for who holds the lock. Of a chain that is left open the lock keeps saying that it was cut off."""
    step = recover(repo)
    name = ChainId(lock.previous.chain if lock.previous else "")
    chain, request = None, ""
    if name in chains(repo):  # else killed before its first entry
        request = pending.kept(repo) if go_on else ""
        chain = _settled(repo, name, close=not request)
        request = "" if chain.reason else request
    if not request:
        lock.settled()
        pending.forget(repo)
    return Resumed(step, chain, _remove_temporary(repo), request)


def refuse_cut_off(repo: Repository) -> None:
    """Raise CutOffError when a step was cut off, for who holds the lock: nothing is built on half a step."""
    if repo.step_dir.exists():
        raise CutOffError("A step was cut off when its process was killed.", LEFT_OVER)


def _settled(repo: Repository, name: ChainId, *, close: bool) -> ChainView:
    """Write what became of a chain's last step and what was undone; with `close` also that it was killed."""
    (repo.common_dir / f"{PREFIX}{name}.lock").unlink(missing_ok=True)  # nobody else writes this history
    found = view(repo, name)
    ledger = reopened(repo, name)
    for attempt in found.attempts:
        if attempt.outcome is StepOutcome.ACCEPTED and not attempt.commit:
            commit = _commit_with(repo, RECORD, attempt.record)
            if commit or close:
                refused = "" if commit else f"{_KILLED} before the step was committed."
                ledger.append(EntryKind.COMMIT, {**_place(attempt), "commit": commit, "refused": refused})
    for attempt in found.accepted:
        undone = "" if found.undo_of(attempt.step) else _commit_with(repo, UNDOES, attempt.commit)
        if undone and _commit_with(repo, CHAIN, name, undone):
            ledger.append(EntryKind.UNDO, {"step": attempt.step, "commit": undone})
    if found.reason is None and close:
        body: dict[str, Json] = {"reason": StopReason.INTERRUPTED.value, "exit_code": int(ExitCode.INTERRUPTED)}
        head = ([attempt.commit for attempt in view(repo, name).accepted] or [found.start.baseline])[-1]
        ledger.append(EntryKind.STOP, {**body, "message": f"{_KILLED}; its record was closed later.", "head": head})
    return view(repo, name)


def _place(attempt: Attempt) -> dict[str, Json]:
    return {"step": attempt.step, "attempt": attempt.attempt}


def _commit_with(repo: Repository, trailer: str, value: str, *where: str) -> str:
    """The latest commit (on any branch, or `where` alone) that carries this trailer; "" when there is none."""
    scope = ("--no-walk", *where) if where else ("--branches", "HEAD")
    pattern = f"--grep=^{trailer}: {re.escape(value)}$"
    found = git("log", "-1", "--format=%H", "--extended-regexp", pattern, *scope, "--", cwd=repo.root)
    return decode(found).strip()


def _remove_temporary(repo: Repository) -> tuple[Path, ...]:
    """Remove the temporary folders of killed processes of ours, and the worktrees registered in them."""
    folders = owned.abandoned()
    if not folders:
        return ()
    for record in decode(git("worktree", "list", "--porcelain", "-z", cwd=repo.root, ok=(0, 129))).split("\0"):
        place = Path(record.removeprefix("worktree "))
        if record.startswith("worktree ") and place.parent in folders:
            remove_worktree(repo, place)
    for folder in folders:
        owned.remove(folder)
    return tuple(folders)
