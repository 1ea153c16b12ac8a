"""Starting a program in a folder of a workspace, and telling our own trouble from the program's."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import cache

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.processes import Completed, ProgramNotFoundError, run

NO_FOLDER = b"scaffold: no such folder in the workspace"
NO_PROGRAM = b"scaffold: no such program in the workspace"
_FAILED = 127
_TRIAL = 20.0
_START = f"""\
cd -- "$1" 2>/dev/null || {{ echo '{NO_FOLDER.decode()}' >&2; exit {_FAILED}; }}
shift
command -v "$1" >/dev/null 2>&1 || {{ echo '{NO_PROGRAM.decode()}' >&2; exit {_FAILED}; }}
exec "$@"
"""


def shell() -> str:
    """The POSIX shell. Raises ProgramNotFoundError when there is none."""
    found = shutil.which("sh")
    if found is None:
        raise ProgramNotFoundError("sh")
    return found


@cache
def ends_with_us() -> tuple[str, ...]:
    """The words in front of a program that end it when the thread that started it ends, even by SIGKILL."""
    found = shutil.which("setpriv")
    words = (found or "", "--pdeathsig", "KILL")
    return words if found and run([*words, shell(), "-c", "exit 0"], timeout=_TRIAL).ok else ()


def starter(folder: str, argv: Sequence[str]) -> list[str]:
    """The command that enters `folder` (absolute) and becomes `argv`, looked up from there."""
    return [shell(), "-c", _START, "sh", folder, *argv]


def checked(completed: Completed, argv: Sequence[str], folder: str) -> Completed:
    """`completed` as the result of `argv`.

    Raises ProgramNotFoundError or UndecidedError when the starter reported that it could not start it.
    """
    if completed.code == _FAILED and completed.stderr.rstrip().endswith(NO_PROGRAM):
        raise ProgramNotFoundError(argv[0])
    if completed.code == _FAILED and completed.stderr.rstrip().endswith(NO_FOLDER):
        raise UndecidedError(f"The folder {folder or '.'} is not in the tree that is judged.")
    return Completed(tuple(argv), completed.code, completed.stdout, completed.stderr, completed.timed_out)
