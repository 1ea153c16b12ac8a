"""Where a repository is and what its HEAD says."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.vcs.git import decode, git, run

_IN_PROGRESS = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}


@dataclass(frozen=True, slots=True)
class Repository:
    """A non-bare repository or one of its linked worktrees; all paths are absolute.

    `root` is the top of the working tree, `git_dir` belongs to this worktree (HEAD, index), `common_dir`
    to all of them (objects, refs).
    """

    root: Path
    git_dir: Path
    common_dir: Path

    @staticmethod
    def discover(start: Path) -> Repository:
        """The repository that holds the file or folder `start`.

        Raises UsageError when `start` is missing, lies in no repository, or in a bare one.
        """
        if not os.path.lexists(start):
            raise UsageError(f"There is no file or folder {start}.")
        folder = start if start.is_dir() else start.absolute().parent
        result = run(
            "rev-parse",
            "--path-format=absolute",
            "--is-inside-work-tree",
            "--git-dir",
            "--git-common-dir",
            "--show-toplevel",
            cwd=folder,
        )
        lines = decode(result.stdout).splitlines()
        if not result.ok:
            raise _not_usable(folder, lines, decode(result.stderr))
        if len(lines) != 4:
            raise UsageError(f"The folder {folder} has a line break in its path, which git cannot report.")
        _, git_dir, common_dir, root = (Path(os.fsdecode(line.encode("utf-8", "surrogateescape"))) for line in lines)
        return Repository(root, git_dir, common_dir)

    def operation_in_progress(self) -> str | None:
        """The git operation that is not finished here ("merge", "rebase"), or None."""
        return next((name for file, name in _IN_PROGRESS.items() if (self.git_dir / file).exists()), None)

    @property
    def scaffold_dir(self) -> Path:
        """Our own folder inside the repository, shared by its worktrees; it may not exist yet."""
        return self.common_dir / "scaffold"

    @property
    def own_dir(self) -> Path:
        """Our own folder that belongs to this worktree alone; it may not exist yet."""
        return self.git_dir / "scaffold"

    @property
    def step_dir(self) -> Path:
        """There while a step is being written to this worktree, and after a kill in that time."""
        return self.own_dir / "step"

    def head(self) -> str | None:
        """The commit HEAD names, or None before the first commit. Raises UndecidedError when HEAD is damaged."""
        oid = git("rev-parse", "--quiet", "--verify", "HEAD", cwd=self.root, ok=(0, 1)).decode().strip()
        if oid:
            return oid
        name = self.head_ref(damaged=True)
        if name is None or (self.common_dir / name).exists():
            raise UndecidedError("HEAD names no commit that git can read.", "Run `git fsck` to see what is damaged.")
        return None

    def branch(self) -> str | None:
        """The short name of the current branch (also before its first commit), or None when detached."""
        name = self.head_ref()
        return None if name is None else name.removeprefix("refs/heads/")

    def relative(self, path: Path) -> str:
        """`path` (absolute, or relative to the current folder) as POSIX relative to the root; UsageError outside it.

        The last part is not resolved, so a symlink names itself.
        """
        absolute = path.parent.resolve() / path.name if path.name not in ("", "..") else path.resolve()
        try:
            return absolute.relative_to(self.root.resolve()).as_posix()
        except ValueError as error:
            raise UsageError(f"{path} is outside the repository {self.root}.") from error

    def is_shallow(self) -> bool:
        """True when history was cut off by a shallow clone or fetch."""
        return (self.common_dir / "shallow").exists()

    def head_ref(self, *, damaged: bool = False) -> str | None:
        """The full name of the current branch, or None when HEAD is detached."""
        codes = (0, 1, 128) if damaged else (0, 1)
        return decode(git("symbolic-ref", "--quiet", "HEAD", cwd=self.root, ok=codes)).rstrip("\n") or None


def _not_usable(folder: Path, lines: list[str], reason: str) -> UsageError:
    if "dubious ownership" in reason:
        return UsageError(
            f"git does not trust the repository at {folder}, because another user owns it.",
            f"Run `git config --global --add safe.directory {folder}` if you trust it.",
        )
    if lines[:1] == ["false"]:
        return UsageError(
            f"{folder} is a bare repository or inside a .git folder, so there is no working tree.",
            "Run this in a checkout: `git clone` the repository, or add a worktree.",
        )
    return UsageError(
        f"{folder} is not inside a git repository.",
        "Run `git init` first, or compare two folders with --before and --after.",
    )
