"""The commit itself, made by git with the user's hooks and identity from an index of our own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaffold_cli import processes
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.git import decode, git, no_room
from scaffold_cli.vcs.interrupts import Held
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.step import CommitRefusedError, Step, locked

_THE_USERS = re.compile(r"GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)")
"""Variables that say who commits and where the settings are; all others come from hooks and lead astray."""
_MAX_OUTPUT = 2000
"""Characters of a hook's output worth showing; the end says what went wrong."""
_NOTED = """\
if [ -r "/proc/$$/stat" ]; then cat "/proc/$$/stat" >"$1"; else echo $$ >"$1"; fi &&
    kill -0 "$2" && shift 2 && exec "$@"
"""
"""Note who we are before becoming git, and do not begin when whoever wanted the commit is gone: then no one would
know of it. `vcs.recovering` reads the note."""


class CommitFailedError(UndecidedError):
    """git or a hook did not let the commit pass. Files, index and branch are as before."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to commit: onto `head`, giving exactly `tree`."""

    head: str | None
    tree: str
    verify: bool


def refuse_locks(repo: Repository, ref: str) -> None:
    """Raise CommitRefusedError while another git program holds the index, HEAD or the branch."""
    for lock in (repo.git_dir / "index.lock", *ref_locks(repo, ref)):
        if lock.exists():
            raise locked(lock)


def ref_locks(repo: Repository, ref: str) -> list[Path]:
    """Where git's locks on HEAD and on the branch `ref` ("" for none) are."""
    return [repo.git_dir / "HEAD.lock", *([repo.common_dir / f"{ref}.lock"] if ref else [])]


def commit_prepared(repo: Repository, step: Step, order: Order, held: Held) -> str:
    """Commit the step's index with the user's hooks and identity; returns the commit's id.

    Raises CommitFailedError when git refuses or a hook changed the content, UsageError when git does not know who
    commits; `take_back` then puts the branch back.
    """
    options = ("--quiet", "--cleanup=whitespace", "--no-edit", f"--file={step.message}")
    verify = () if order.verify else ("--no-verify",)
    # A split index would leave its other half in the repository.
    _run(repo, step, held, "-c", "core.splitIndex=false", "commit", *options, *verify)
    held.pass_on()
    return _checked(repo, order)


def _run(repo: Repository, step: Step, held: Held, *args: str) -> None:
    """Run git through GitPython in a session of its own; Ctrl-C ends it and all its hooks."""
    from git import Git

    # GitPython's Repo would find its way by GIT_DIR and its like, and its commands inherit them: a hook's variables.
    foreign = [name for name in os.environ if name.startswith("GIT_") and not _THE_USERS.fullmatch(name)]
    unset = [word for name in foreign for word in ("-u", name)]
    noted = ["sh", "-c", _NOTED, "sh", str(step.running), str(os.getpid())]
    command = [*noted, "env", *unset, f"GIT_INDEX_FILE={step.commit_index}", "git", *args]
    env = {"LC_ALL": "C.UTF-8", "GIT_EDITOR": ":", "GIT_TERMINAL_PROMPT": "0"}
    process: Any = Git(repo.root).execute(command, as_process=True, env=env, start_new_session=True)
    try:
        with held.open():
            _, stderr = process.communicate()
    except BaseException:
        with contextlib.suppress(ProcessLookupError):  # it may have ended by itself just now
            os.killpg(process.pid, signal.SIGTERM)  # git removes its lock files
        process.proc.wait()
        processes.end_group(process.proc)
        raise
    if process.returncode:
        raise _failure(decode(stderr))


def _failure(output: str) -> UndecidedError | UsageError:
    said = output.strip()[-_MAX_OUTPUT:] or "git commit ended without a word"
    if "tell me who you are" in output or "ident name" in output:
        return CommitRefusedError(
            "git does not know who commits, so the step was not committed.",
            "Set it with `git config user.name NAME` and `git config user.email ADDRESS`.",
        )
    hint = no_room(output)
    if "failed to sign" in output:
        hint = "Mend the signing key, or turn `commit.gpgSign` off."
    elif not hint and ".lock'" in output:
        hint = "Another git program is working in this repository; wait for it to end."
    return CommitFailedError(f"The step was not committed and everything was put back: {said}", hint)


def _checked(repo: Repository, order: Order) -> str:
    """The new commit, when it holds exactly what was judged."""
    new = tip_of(repo, "HEAD")
    tree = decode(git("rev-parse", f"{new}^{{tree}}", cwd=repo.root)).strip()
    if new is None or parents_of(repo, new) != ([order.head] if order.head else []):
        raise CommitFailedError("HEAD moved while the step was being committed, so it was taken back.")
    if tree != order.tree:
        changed = git("diff-tree", "-r", "-z", "--name-only", tree, order.tree, cwd=repo.root, ok=(0, 128))
        names = ", ".join(decode(name) for name in changed.split(b"\0") if name) or "the content"
        raise CommitFailedError(
            f"A commit hook changed {names}, which was not judged, so the commit was taken back.",
            "Let the hook only check, or run its formatter before the chain starts.",
        )
    return new


def take_back(repo: Repository, head: str | None) -> None:
    """Put the branch back to `head` when our commit is on it; a commit of somebody else stays."""
    now = tip_of(repo, "HEAD")
    if now is None or now == head:
        return
    if parents_of(repo, now) != ([head] if head else []):
        raise UndecidedError(
            f"HEAD moved to {now} while the step was being committed.",
            "Look at `git log`; if the step's commit is in the way, undo it with `git revert`.",
        )
    note = ("-m", "scaffold: take back a commit")
    change = ("HEAD", head, now) if head else ("-d", "HEAD", now)
    git("update-ref", *note, *change, cwd=repo.root, essential=True)


def tip_of(repo: Repository, ref: str) -> str | None:
    """The commit a ref names, or None when it names none."""
    found = git("rev-parse", "-q", "--verify", f"{ref}^{{commit}}", cwd=repo.root, ok=(0, 1, 128), essential=True)
    return decode(found).strip() or None


def parents_of(repo: Repository, commit: str) -> list[str]:
    """The parents of a commit."""
    return decode(git("rev-list", "--parents", "-n1", commit, cwd=repo.root, essential=True)).split()[1:]
