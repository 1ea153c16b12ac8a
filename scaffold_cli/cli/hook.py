"""The git hook that refuses a commit the gate refuses: installed beside what is there, never over it."""

from __future__ import annotations

import shlex
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.errors import UsageError
from scaffold_cli.vcs.hooks import hooks_folder
from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.writing import keep

HOOKS = ("pre-commit", "pre-merge-commit")
"""Git runs the second, not the first, when a merge without conflicts commits by itself."""
MARK = "# scaffold: judge what is staged"
PRE_COMMIT_CONFIG = ".pre-commit-config.yaml"
KEPT = "before-scaffold"
"""What the name of a hook found in place gets appended; ours runs it first."""


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook of a repository. `ours` says that it was installed by us."""

    name: str
    path: Path

    @property
    def exists(self) -> bool:
        """True when a hook of this name is in place."""
        return self.path.exists() or self.path.is_symlink()

    @property
    def ours(self) -> bool:
        """True when it is the one we install."""
        return self.path.is_file() and MARK in self.path.read_text(encoding="utf-8", errors="replace")

    def calls_scaffold(self, repo: Repository) -> bool:
        """True when it is ours, mentions us, or is that of the pre-commit program whose configuration does."""
        if self.ours:
            return True
        script = self.path.read_bytes() if self.path.is_file() else b""
        config = repo.root / PRE_COMMIT_CONFIG
        listed = b"pre-commit" in script and config.is_file() and b"scaffold-check" in config.read_bytes()
        return listed or b"scaffold" in script


def hooks(repo: Repository) -> tuple[Hook, ...]:
    """The hooks we care for, where git looks for them."""
    folder = hooks_folder(repo)
    return tuple(Hook(name, folder / name) for name in HOOKS)


def install(repo: Repository) -> list[str]:
    """Install the hooks and return a line on each.

    A hook in place is kept under another name and run first. Raises UsageError when hooks are kept outside the
    repository's own folder, where they would concern other repositories or be part of the project.
    """
    folder = hooks_folder(repo)
    if repo.common_dir.resolve() not in folder.resolve().parents:
        raise UsageError(
            f"git takes its hooks from {folder} (core.hooksPath), which is not this repository's own folder.",
            "Add the line `scaffold check --staged` to the pre-commit hook there.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    return [_install(hook) for hook in hooks(repo)]


def _install(hook: Hook) -> str:
    if hook.ours:
        _write(hook)
        return f"The {hook.name} hook was there already and is up to date."
    if hook.path.is_dir():
        raise UsageError(f"A folder is in the way of the hook {hook.path}.", "Move it away, then try again.")
    if not hook.exists:
        _write(hook)
        return f"Installed the {hook.name} hook: {hook.path}"
    kept = hook.path.with_name(f"{hook.name}.{KEPT}")
    if kept.exists() or kept.is_symlink():
        raise UsageError(f"{kept} is in the way.", "It is an older hook kept aside: move it, then try again.")
    keep(hook.path, kept)  # there is a hook in place at every moment
    _write(hook)
    return f"Installed the {hook.name} hook; the one that was there is kept as {kept.name} and runs first."


def _write(hook: Hook) -> None:
    draft = hook.path.with_name(f".{hook.name}.scaffold")
    draft.write_text(_script(hook.name), encoding="utf-8")
    draft.chmod(draft.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    draft.replace(hook.path)


def _script(name: str) -> str:
    """The hook: what was there before, then the check with this Python, or with a `scaffold` on PATH."""
    return f"""\
#!/bin/sh
{MARK}; written by `scaffold init --hook`, remove this file to be rid of it.
earlier="$0.{KEPT}"
if [ -x "$earlier" ]; then
    "$earlier" "$@" || exit $?
fi
python={shlex.quote(sys.executable)}
if [ -x "$python" ]; then
    exec "$python" -m scaffold_cli check --staged
fi
exec scaffold check --staged
"""
