"""`scaffold doctor`: is everything there, and does the hook block?"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.model.errors import ExitCode, ScaffoldError, UsageError

if TYPE_CHECKING:
    from scaffold_cli.cli.checkup import Finding


def doctor(*, no_color: options.NoColor = False) -> int:
    """Check the set-up, and prove that the commit hook blocks.

    Looks at git, the scanner, isolation, settings and hooks, and prints the versions a bug report needs.
    The hook is tried in a scratch repository. Exit code 3 when something is broken.
    """
    from rich.text import Text

    from scaffold_cli.cli.checkup import State
    from scaffold_cli.cli.fault_report import versions
    from scaffold_cli.report.page import show, table

    styles = {State.OK: "green", State.WARN: "yellow", State.BAD: "bold red"}
    found = list(_findings())
    rows = [
        (item.name, Text(item.state.value, styles[item.state]), " - ".join(filter(None, (item.text, item.hint))))
        for item in found
    ]
    here = terminal(sys.stdout, no_color=no_color)
    looked_at = table(("what", "state", "found"), rows, wrap=2)
    parts = (looked_at, "", table(("version", ""), versions(), wrap=1))
    write(show(parts, here.width, here.color), sys.stdout)
    return ExitCode.UNDECIDED if any(item.state is State.BAD for item in found) else ExitCode.ACCEPTED


def _findings() -> Iterator[Finding]:
    from scaffold_cli.cli import checkup
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.config.schema import SastSettings

    yield checkup.git_program()
    try:
        repo = repository()
    except ScaffoldError as error:
        state = checkup.State.WARN if isinstance(error, UsageError) else checkup.State.BAD
        yield checkup.Finding("repository", state, error.message)
        yield checkup.scanner(SastSettings().engine)
        yield from checkup.isolation(Path.cwd())
        return
    yield checkup.Finding("repository", checkup.State.OK, str(repo.root))
    yield from checkup.settings(repo)
    yield from checkup.isolation(repo.root)
    yield from checkup.hook(repo)
