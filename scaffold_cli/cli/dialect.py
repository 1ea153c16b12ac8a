"""Exit codes in the words of the program that called us."""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never

from scaffold_cli.model.errors import ExitCode


class ExitDialect(StrEnum):
    """Whose exit codes to speak."""

    SCAFFOLD = "scaffold"
    CLAUDE_CODE = "claude-code"
    """That host treats 2 alone as blocking, and shows what was written to stderr."""

    def speak(self, code: int) -> int:
        """The code this host understands."""
        match self:
            case ExitDialect.SCAFFOLD:
                return code
            case ExitDialect.CLAUDE_CODE:
                return ExitCode.USAGE if code in (ExitCode.REJECTED, ExitCode.UNDECIDED) else code
        assert_never(self)
