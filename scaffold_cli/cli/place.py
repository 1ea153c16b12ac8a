"""Where a verdict is written."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from scaffold_cli.cli.dialect import ExitDialect
from scaffold_cli.cli.streams import tell, write, write_file
from scaffold_cli.model.verdict import Decision, Verdict
from scaffold_cli.report.interface import Format


@dataclass(frozen=True, slots=True)
class Place:
    """A file, or a stream; `summarised` says that people need one more line on stderr."""

    stream: TextIO
    file: Path | None = None
    summarised: bool = False

    @staticmethod
    def of(verdict: Verdict, form: Format, file: Path | None, dialect: ExitDialect) -> Place:
        """stdout, unless a file is named or a host reads the reasons for a refusal from stderr."""
        refused = verdict.decision is not Decision.ACCEPT
        to_stderr = dialect is ExitDialect.CLAUDE_CODE and refused and file is None
        return Place(sys.stderr if to_stderr else sys.stdout, file, form is not Format.TEXT or file is not None)

    def deliver(self, text: str, summary: str) -> None:
        """Write the result, then the summary where it is wanted; UsageError for a file that cannot be written."""
        if self.file is not None:
            write_file(self.file, text)
        else:
            write(text, self.stream)
        if self.summarised and summary:
            tell(summary)
