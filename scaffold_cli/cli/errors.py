"""The one place where errors become words and exit codes. No traceback ever reaches the user."""

from __future__ import annotations

import errno
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType
from typing import NoReturn

from scaffold_cli.cli.streams import silence, tell
from scaffold_cli.model.errors import ExitCode, ScaffoldError

# The machine's troubles: nothing can be said about the change, and no fault of ours.
_TROUBLES = {
    errno.ENOSPC: "The disk is full",
    errno.EDQUOT: "The disk quota is used up",
    errno.EROFS: "The file system is read-only",
    errno.EACCES: "Permission was denied",
    errno.EPERM: "The operation is not permitted",
    errno.EMFILE: "Too many files are open",
    errno.ENFILE: "Too many files are open on this machine",
    errno.ENOMEM: "There is not enough memory",
}
NOTHING_ACCEPTED = "Nothing was accepted."


def guarded(work: Callable[[], int], argv: Sequence[str]) -> int:
    """Run `work` and return its exit code, or that of the error that ended it, told on stderr.

    Ending the process by SIGTERM cleans up as Ctrl-C does.
    """
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        return work()
    except KeyboardInterrupt:
        tell("Interrupted.")
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        silence(sys.stdout)
        return ExitCode.INTERRUPTED
    except Exception as error:
        return _explained(error, argv)
    finally:
        signal.signal(signal.SIGTERM, before)


def _explained(error: Exception, argv: Sequence[str]) -> ExitCode:
    match error:
        case ScaffoldError() if error.exit_code is not ExitCode.INTERNAL:
            return _say(error.message, error.hint, error.exit_code)
        case MemoryError():
            return _say("There is not enough memory to judge this change.", NOTHING_ACCEPTED, ExitCode.UNDECIDED)
        case RecursionError():
            return _say("The code is nested too deeply to be judged.", NOTHING_ACCEPTED, ExitCode.UNDECIDED)
        case OSError() if error.errno in _TROUBLES:
            where = f" at {error.filename}" if error.filename is not None else ""
            return _say(f"{_TROUBLES[error.errno]}{where}.", NOTHING_ACCEPTED, ExitCode.UNDECIDED)
        case _:
            return _fault(error, argv)


def _terminated(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def _fault(error: Exception, argv: Sequence[str]) -> ExitCode:
    # Imported here: a run without a fault does not pay for it.
    from scaffold_cli.cli.fault_report import write_report

    path = write_report(error, argv)
    what = error.message if isinstance(error, ScaffoldError) else "scaffold has a fault; nothing was accepted."
    where = f"Please report it with {path} (read it first: it holds the command line)." if path else ""
    return _say(what, where, ExitCode.INTERNAL)


def _say(message: str, hint: str, code: ExitCode) -> ExitCode:
    from scaffold_cli.report.escape import visible

    tell(f"error: {visible(message)}")
    if hint:
        tell(f"hint:  {visible(hint)}")
    return code
