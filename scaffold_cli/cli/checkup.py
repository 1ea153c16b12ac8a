"""What `scaffold doctor` looks at: each check is a function that gives findings."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.cli.hook import PRE_COMMIT_CONFIG, Hook, hooks
from scaffold_cli.model.errors import ScaffoldError
from scaffold_cli.processes import Completed, run
from scaffold_cli.vcs.git import clean_environment
from scaffold_cli.vcs.repository import Repository


class State(StrEnum):
    """How a thing is. `bad` means that changes cannot be judged or a promise is broken."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and what to do."""

    name: str
    state: State
    text: str
    hint: str = ""


def git_program() -> Finding:
    """git and its version."""
    try:
        told = run(["git", "--version"], env=clean_environment()).stdout.decode().strip()
    except ScaffoldError as error:
        return Finding("git", State.BAD, error.message, error.hint)
    return Finding("git", State.OK, told)


def scanner(engine: str) -> Finding:
    """The scanner as the sast layer would start it; it is not started, which would cost seconds."""
    from scaffold_cli.sast.engine import locate

    try:
        return Finding("sast engine", State.OK, str(locate(engine).program))
    except ScaffoldError as error:
        return Finding("sast engine", State.BAD, error.message, error.hint)


def isolation(folder: Path) -> Iterator[Finding]:
    """The ways to isolate a candidate, best first."""
    from scaffold_cli.sandbox.workspaces import availabilities

    found = availabilities(folder)
    works = [item for item in found if item.works]
    for item in found:
        text = ("used" if item is works[0] else "works") if item.works else f"does not work: {item.because}"
        yield Finding(f"isolation {item.kind.value}", State.OK if item.works else State.WARN, text)
    if not works:
        yield Finding("isolation", State.BAD, "No way works here: tests cannot be run, chains cannot start.")


def settings(repo: Repository) -> Iterator[Finding]:
    """The settings, and what they say about the scanner and the tests."""
    from scaffold_cli.config.explain import explain
    from scaffold_cli.config.folder import FolderTree
    from scaffold_cli.testing.detect import detect_command

    try:
        found = {item.name: item for item in explain(FolderTree(repo.root))}
    except ScaffoldError as error:
        yield Finding("settings", State.BAD, error.message, error.hint)
        return
    yield scanner(str(found["sast.engine"].value))
    command = found["tests.command"]
    if command.value:
        yield _test_command(repo, str(command.value), command.origin)
        return
    detected = detect_command(repo.root)
    hint = f"`scaffold init` would set: {detected}" if detected else "Set tests.command in scaffold.toml."
    yield Finding("test command", State.WARN, "none is configured: the tests layer is skipped", hint)


def _test_command(repo: Repository, command: str, origin: str) -> Finding:
    from scaffold_cli.config.trust import Approvals, Command

    told = f"{command} ({origin})"
    if Approvals.read(repo.scaffold_dir, os.environ).allow(Command("tests.command", "", command)):
        return Finding("test command", State.OK, told)
    return Finding(
        "test command", State.WARN, f"{told}, not approved on this machine", "Read it, then `scaffold trust`."
    )


def hook(repo: Repository) -> Iterator[Finding]:
    """Whether the hooks are there, and whether the first one stops a bad commit in fact."""
    for item in hooks(repo):
        name = f"{item.name} hook"
        if not item.exists:
            yield Finding(name, State.WARN, "not installed", "Install it with `scaffold init --hook`.")
        elif not item.calls_scaffold(repo):
            yield Finding(name, State.WARN, f"{item.path} does not call scaffold", "`scaffold init --hook` keeps it.")
        elif item.name == "pre-commit":
            yield prove(item, repo)
        else:
            yield Finding(name, State.OK, f"installed at {item.path}")


_GUARDED = """\
def read(path, root):
    if not path.resolve().is_relative_to(root):
        raise PermissionError(path)
    return open(path).read()
"""
_HARMLESS = _GUARDED.replace("path, root", "path, root, /")
_BAD = """\
def read(path, root, /):
    return open(path).read()
"""


def prove(item: Hook, repo: Repository) -> Finding:
    """Commit a harmless change and one that drops a guard in a scratch repository that has this very hook.

    A hook that is not ours may need more than a scratch repository has: then nothing is proven.
    """
    name = f"{item.name} hook"
    with tempfile.TemporaryDirectory(prefix=owned.prefix("doctor-")) as folder:
        scratch = Path(folder)
        file = scratch / "reader.py"
        _prepare(scratch, item, repo, file)
        file.write_text(_HARMLESS, encoding="utf-8")
        harmless = _commit(scratch)
        if not harmless.ok and item.ours:
            return Finding(name, State.BAD, f"refuses even a harmless commit: {_reason(harmless)}")
        if not harmless.ok:
            return Finding(name, State.WARN, f"cannot be tried in a scratch repository: {_reason(harmless)}")
        file.write_text(_BAD, encoding="utf-8")
        if _commit(scratch).ok:
            return Finding(name, State.BAD, "let a commit through that drops a guard", "`scaffold init --hook`")
    return Finding(name, State.OK, "proven: stops a commit that drops a guard, lets a harmless one pass")


def _prepare(scratch: Path, item: Hook, repo: Repository, file: Path) -> None:
    _git(scratch, "init", "--quiet")
    file.write_text(_GUARDED, encoding="utf-8")
    config = repo.root / PRE_COMMIT_CONFIG
    if config.is_file():
        (scratch / PRE_COMMIT_CONFIG).write_bytes(config.read_bytes())
    _commit(scratch, "--no-verify")
    copy = scratch / ".git" / "hooks" / item.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(item.path.read_bytes())
    copy.chmod(item.path.stat().st_mode)


def _commit(folder: Path, *options: str) -> Completed:
    _git(folder, "add", "--all")
    identity = ("-c", "user.name=scaffold doctor", "-c", "user.email=doctor@scaffold.invalid", "-c", "commit.gpgSign=0")
    return _git(folder, *identity, "commit", "--quiet", "-m", "scratch", *options)


def _git(folder: Path, *args: str) -> Completed:
    # Not through vcs.git, which turns hooks off: here they are what is looked at.
    return run(["git", *args], cwd=folder, env=clean_environment(), timeout=60)


def _reason(result: Completed) -> str:
    """The first line that names an error, else the last line it wrote."""
    lines = [line for line in result.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith(("error:", "fatal:"))]
    return (errors or lines[-1:] or [f"git ended with code {result.code}"])[0]
