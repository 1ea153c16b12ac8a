"""The quickest answer to the commonest question of a hook: is anything staged at all?"""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.vcs.git import clean_environment, run


def nothing_staged(start: Path, index_file: Path | None = None) -> bool:
    """True when the index of the repository around `start` surely equals HEAD: one process, nothing written.

    False also when git cannot tell (no repository, no commit yet), so that the thorough path finds the words.
    """
    env = clean_environment()
    if index_file is not None:
        env["GIT_INDEX_FILE"] = str(index_file)
    folder = start if start.is_dir() else start.parent
    if not folder.is_dir():
        return False
    return run("diff-index", "--cached", "--quiet", "--ignore-submodules=none", "HEAD", "--", cwd=folder, env=env).ok
