"""Exit codes and the tree of foreseen errors.

ScaffoldError                   one sentence, a hint, an exit code
├── UsageError            (2)   the call or the configuration is wrong
├── UndecidedError        (3)   nothing can be said about the change, so nothing is accepted
├── BudgetSpentError      (5)   steps, time, tokens or money ran out
└── InternalFaultError    (4)   our own fault; a report file is written

Anything else that reaches the command line is treated as an internal fault.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process ends with; the table users script against."""

    ACCEPTED = 0
    REJECTED = 1
    USAGE = 2
    UNDECIDED = 3
    INTERNAL = 4
    BUDGET_SPENT = 5
    INTERRUPTED = 130


class ScaffoldError(Exception):
    """A foreseen error: `message` is one sentence, `hint` says what to do next (may be empty)."""

    exit_code: ExitCode = ExitCode.INTERNAL

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(ScaffoldError):
    """The call or the configuration is wrong; the user can mend it."""

    exit_code = ExitCode.USAGE


class UndecidedError(ScaffoldError):
    """The change cannot be read or judged at all, so it fails closed."""

    exit_code = ExitCode.UNDECIDED


class BudgetSpentError(ScaffoldError):
    """A limit on steps, time, tokens or money was reached."""

    exit_code = ExitCode.BUDGET_SPENT


class InternalFaultError(ScaffoldError):
    """A promise we made ourselves does not hold."""

    exit_code = ExitCode.INTERNAL
