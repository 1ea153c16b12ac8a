"""`git commit --only` through GitPython, taken back as a whole when anything about it is not as promised."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaffold_cli import processes
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.git import decode, encode, git, no_room, on_disk
from scaffold_cli.vcs.index import IndexSnapshot
from scaffold_cli.vcs.interrupts import Held
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.writing import is_folder

_THE_USERS = re.compile(r"GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)")
"""Variables that say who commits and where the settings are; all others come from hooks and lead astray."""
_MAX_OUTPUT = 2000
"""Characters of a hook's output worth showing; the end says what went wrong."""


class CommitRefusedError(UsageError):
    """The commit was not even begun: it would touch the user's own work. Nothing was written."""


class CommitFailedError(UndecidedError):
    """git or a hook did not let the commit pass. Files, index and branch are as before."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to commit: the paths as they lie in the folder, onto `head`, giving exactly `tree`."""

    paths: tuple[str, ...]
    message: str
    head: str | None
    tree: str
    verify: bool
    keep: Path
    """A folder on the repository's file system for what may have to be put back."""


def refuse_lock(repo: Repository) -> None:
    """Raise CommitRefusedError while another git program holds the index."""
    lock = repo.git_dir / "index.lock"
    if lock.exists():
        raise CommitRefusedError(
            "Another git program is working in this repository.",
            f"Wait for it to end; if none is running, remove {lock}.",
        )


def commit_only(repo: Repository, order: Order, held: Held) -> str:
    """Commit the paths of `order` with the user's hooks and identity; returns the commit's id.

    Other index entries stay as they are. Raises CommitFailedError with HEAD and the index as before when git
    refuses or a hook changed the content, UsageError when git does not know who commits.
    """
    snapshot = IndexSnapshot.take(repo, order.keep)
    scratch = Path(tempfile.mkdtemp(prefix="scaffold-"))
    try:
        message = scratch / "message"
        message.write_bytes(encode(order.message))
        # A file that gave way to a folder goes out of the index when the folder's files come in.
        named = [path for path in order.paths if not is_folder(on_disk(repo.root, path))]
        present = [path for path in named if os.path.lexists(on_disk(repo.root, path))]
        if present:  # `commit --only` knows no untracked files; a mere intent to add makes them known
            _run(repo, held, "add", "--intent-to-add", "--force", *_pathspecs(scratch / "present", present))
        options = ("--quiet", "--only", "--cleanup=whitespace", "--no-edit", f"--file={message}")
        verify = () if order.verify else ("--no-verify",)
        _run(repo, held, "commit", *options, *verify, *_pathspecs(scratch / "named", named))
        held.pass_on()
        return _checked(repo, order)
    except BaseException:
        _take_back(repo, order)
        snapshot.restore()
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _pathspecs(file: Path, paths: list[str]) -> tuple[str, str]:
    """Options that name these paths and no others, whatever characters they hold."""
    file.write_bytes(b"".join(b":(top,literal)" + encode(path) + b"\0" for path in paths))
    return f"--pathspec-from-file={file}", "--pathspec-file-nul"


def _run(repo: Repository, held: Held, *args: str) -> None:
    """Run git through GitPython in a session of its own; Ctrl-C ends it and all its hooks."""
    from git import Git

    # GitPython's Repo would find its way by GIT_DIR and its like, and its commands inherit them: a hook's variables.
    foreign = [name for name in os.environ if name.startswith("GIT_") and not _THE_USERS.fullmatch(name)]
    command = ["env", *(word for name in foreign for word in ("-u", name)), "git", *args]
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
        raise _failure(args[0], decode(stderr))


def _failure(command: str, output: str) -> UndecidedError | UsageError:
    said = output.strip()[-_MAX_OUTPUT:] or f"git {command} ended without a word"
    if "tell me who you are" in output or "ident name" in output:
        return CommitRefusedError(
            "git does not know who commits, so the step was not committed.",
            "Set it with `git config user.name NAME` and `git config user.email ADDRESS`.",
        )
    hint = no_room(output)
    if "failed to sign" in output:
        hint = "Mend the signing key, or turn `commit.gpgSign` off."
    elif not hint and "index.lock" in output:
        hint = "Another git program is working in this repository; wait for it to end."
    return CommitFailedError(f"The step was not committed and everything was put back: {said}", hint)


def _checked(repo: Repository, order: Order) -> str:
    """The new commit, when it holds exactly what was judged."""
    new = _head(repo)
    tree = decode(git("rev-parse", f"{new}^{{tree}}", cwd=repo.root)).strip()
    parents = decode(git("rev-list", "--parents", "-n1", str(new), cwd=repo.root)).split()[1:]
    if new is None or parents != ([order.head] if order.head else []):
        raise CommitFailedError("HEAD moved while the step was being committed, so it was taken back.")
    if tree != order.tree:
        changed = git("diff-tree", "-r", "-z", "--name-only", tree, order.tree, cwd=repo.root, ok=(0, 128))
        names = ", ".join(decode(name) for name in changed.split(b"\0") if name) or "the content"
        raise CommitFailedError(
            f"A commit hook changed {names}, which was not judged, so the commit was taken back.",
            "Let the hook only check, or run its formatter before the chain starts.",
        )
    return new


def _take_back(repo: Repository, order: Order) -> None:
    """Put the branch back when our commit is on it; a commit of somebody else stays."""
    now = _head(repo)
    if now is None or now == order.head:
        return
    line = decode(git("rev-list", "--parents", "-n1", now, cwd=repo.root, essential=True)).split()
    if line[1:] != ([order.head] if order.head else []):
        raise UndecidedError(
            f"HEAD moved to {now} while the step was being committed.",
            "Look at `git log`; if the step's commit is in the way, undo it with `git revert`.",
        )
    note = ("-m", "scaffold: take back a commit")
    change = ("HEAD", order.head, now) if order.head else ("-d", "HEAD", now)
    git("update-ref", *note, *change, cwd=repo.root, essential=True)


def _head(repo: Repository) -> str | None:
    return decode(git("rev-parse", "-q", "--verify", "HEAD", cwd=repo.root, ok=(0, 1), essential=True)).strip() or None
