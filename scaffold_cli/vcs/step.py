"""A step under way: its folder, the lock on the index, and the journal by which another process can finish it.

Everything is in ``.git/scaffold/step`` (of the worktree), written before the first thing a user could see. The folder
is there exactly as long as the step is neither as before nor done; `vcs.recovering` is what reads it after a kill.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import PlainError, canonical, from_plain, to_plain
from scaffold_cli.vcs.git import clean_environment, git
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.writing import Plan, keep

LEFT_OVER = "Run `scaffold resume` first: it finishes that step or takes it back."


@dataclass(frozen=True, slots=True)
class Journal:
    """What is about to happen: onto `head` (None before the first commit) of `ref` ("" when detached) comes `tree`.

    `made` says that the branch was made for this step; `worktree` is the temporary worktree it is committed in ("" for
    the user's own folder, and only then there is a `plan`). `hooks` says that hooks may write to the folder.
    """

    head: str | None
    ref: str
    tree: str
    plan: Plan | None = None
    made: bool = False
    worktree: str = ""
    hooks: bool = False


class CommitRefusedError(UsageError):
    """The commit was not even begun: it would touch the user's own work. Nothing was written."""


class Step:
    """The folder of the one step that may be under way in a worktree."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self.folder = repo.step_dir

    @property
    def name(self) -> str:
        """A name that no other step has."""
        return self._token.read_text().split()[-1]

    @staticmethod
    def begin(repo: Repository, message: bytes) -> Step:
        """Make the folder. Raises CommitRefusedError while one is there: another step is not over. Raises OSError."""
        step = Step(repo)
        repo.own_dir.mkdir(parents=True, exist_ok=True)
        try:
            step.folder.mkdir()
        except FileExistsError as error:
            raise CommitRefusedError("A step was cut off before it was done.", LEFT_OVER) from error
        try:
            step._token.write_text(f"scaffold {secrets.token_hex(16)}\n")
            step.message.write_bytes(message)
        except BaseException:
            step.close()
            raise
        return step

    @property
    def message(self) -> Path:
        """The commit's message as it was given to git."""
        return self.folder / "message"

    @property
    def commit_index(self) -> Path:
        """The index that git commits from."""
        return self.folder / "index-commit"

    @property
    def new_index(self) -> Path:
        """The user's index as it will be afterwards, until it is put in place."""
        return self.folder / "index-after"

    @property
    def old_index(self) -> Path:
        """The user's index as it was; missing when there was none."""
        return self.folder / "index-before"

    @property
    def running(self) -> Path:
        """Says which process is committing: a line of ``/proc/PID/stat``."""
        return self.folder / "running"

    @property
    def index(self) -> Path:
        """The user's index."""
        return self._repo.git_dir / "index"

    def lock_index(self) -> None:
        """Take git's own lock on the index. Raises CommitRefusedError while another program has it."""
        try:
            try:
                os.link(self._token, self._lock)
            except FileExistsError:
                raise
            except OSError:  # no hard links here
                descriptor = os.open(self._lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(self._token.read_bytes())
        except FileExistsError as error:
            raise locked(self._lock) from error

    def unlock_index(self) -> None:
        """Give the lock back, if it is ours."""
        with contextlib.suppress(FileNotFoundError):
            if self._lock.read_bytes() == self._token.read_bytes():
                self._lock.unlink()

    @property
    def index_is_as_before(self) -> bool:
        """True while nobody has put another index in place."""
        if not self.old_index.exists():
            return not self.index.exists()
        if not self.index.exists():
            return False
        old, now = self.old_index.stat(), self.index.stat()
        return old.st_ino == now.st_ino or (old.st_mtime_ns, old.st_size) == (now.st_mtime_ns, now.st_size)

    def install_index(self) -> None:
        """Put the new index in place, with the times of the files as they are now."""
        env = index_env(self.new_index)
        git("update-index", "-q", "--refresh", cwd=self._repo.root, env=env, ok=(0, 1, 128), essential=True)
        self.new_index.replace(self.index)

    def record(self, journal: Journal) -> None:
        """Write the journal: from now on the step can be finished or taken back by anybody. Raises OSError."""
        draft = self.folder / "journal.tmp"
        with draft.open("wb") as file:
            file.write(canonical(to_plain(journal)))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.folder / "journal.json")

    def journal(self) -> Journal | None:
        """What was written; None when nothing of the step can have been seen yet. Raises UsageError when damaged."""
        from json import loads

        try:
            return from_plain(Journal, loads((self.folder / "journal.json").read_bytes()))
        except FileNotFoundError:
            return None
        except (ValueError, PlainError) as error:
            raise UsageError(
                f"The journal in {self.folder} cannot be read.", "Look at `git status`, then remove that folder."
            ) from error

    def committer(self) -> tuple[int, bool]:
        """The process id of the git that commits, and whether it is still running; (0, False) when none was started."""
        try:
            fields = self.running.read_bytes().rpartition(b")")
        except OSError:
            return 0, False
        words = (fields[0] or fields[2]).split()
        if not words:
            return 0, False
        pid, after = int(words[0]), fields[2].split()
        started = owned.started_at(pid)
        return pid, started is not None and (len(after) < 20 or int(after[19]) == started)

    def close(self) -> None:
        """The step is as before, or done: unlock the index and forget the rest."""
        self.unlock_index()
        gone = self._repo.own_dir / f"gone-{secrets.token_hex(8)}"
        try:
            self.folder.rename(gone)  # one moment there, the next not: never half of it
        except OSError:
            gone = self.folder
        owned.remove(gone)

    def sweep(self) -> None:
        """Remove what a kill left of folders that were already given up."""
        for gone in self._repo.own_dir.glob("gone-*"):
            owned.remove(gone)

    @property
    def _lock(self) -> Path:
        return self._repo.git_dir / "index.lock"

    @property
    def _token(self) -> Path:
        return self.folder / "token"


def locked(lock: Path) -> CommitRefusedError:
    """The error for a lock that another git program holds."""
    return CommitRefusedError(
        "Another git program is working in this repository.", f"Wait for it to end; if none is running, remove {lock}."
    )


def index_env(index: Path) -> dict[str, str]:
    """The environment for a git that works on this index."""
    return {**clean_environment(), "GIT_INDEX_FILE": str(index)}


def prepare_indexes(repo: Repository, step: Step, tree: str, records: bytes) -> None:
    """Make the index to commit from (exactly `tree`), and the user's index as it will be: `records` laid over it.

    `records` are NUL-ended lines for ``update-index --index-info``, removals first.
    """
    git("read-tree", tree, cwd=repo.root, env=index_env(step.commit_index))
    if step.index.exists():
        keep(step.index, step.old_index)
        shutil.copy2(step.index, step.new_index)
    git("update-index", "-z", "--index-info", cwd=repo.root, env=index_env(step.new_index), stdin=records)
