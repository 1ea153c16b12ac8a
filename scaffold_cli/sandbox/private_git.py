"""A `.git` of its own for a checkout: the repository's history can be read there, and nothing is written to it.

A linked worktree would share refs and objects, so a test that commits would commit to the user's repository.
"""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from scaffold_cli.vcs.repository import Repository
from scaffold_cli.vcs.tree import GitTree

_CONFIG = "[core]\n\trepositoryformatversion = {version}\n\tbare = false\n{extension}"
_SHA256 = "[extensions]\n\tobjectformat = sha256\n"


def make(tree: GitTree, repository: Repository, checkout: Path, history: Path) -> Path:
    """Make `checkout/.git` with the repository's HEAD and refs; returns it.

    Its objects are those of the tree and those in `history`, where commands will find the repository's.
    """
    own = checkout / ".git"
    objects = own / "objects"
    (objects / "info").mkdir(parents=True)
    sources = [history, tree.store.objects]
    (objects / "info" / "alternates").write_text("".join(f"{source}\n" for source in sources))
    long = len(tree.id) == 64
    (own / "config").write_text(_CONFIG.format(version=int(long), extension=_SHA256 if long else ""))
    shutil.copy2(repository.git_dir / "HEAD", own / "HEAD")
    shutil.copytree(repository.common_dir / "refs", own / "refs", symlinks=True)
    for name in ("packed-refs", "shallow", "info/exclude"):
        (own / name).parent.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(repository.common_dir / name, own / name)
    return own
