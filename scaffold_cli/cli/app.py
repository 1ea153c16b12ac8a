"""The typer app, built for the command that was named: the others are not even imported."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module

import typer

from scaffold_cli import __version__
from scaffold_cli.model.errors import UsageError

COMMANDS = ("init", "check", "run", "log", "show", "undo", "verify", "anchors", "config", "doctor", "schema")
"""In the order of `--help`; each is a function of its name in a module of its name under `commands`."""

PROLOGUE = "Judge code changes and drive chains of them, so that no step leaves the code less safe than it was."
EPILOGUE = (
    "Exit codes: 0 accepted, 1 rejected, 2 usage or configuration, 3 undecided, 4 internal fault, "
    "5 budget spent, 130 interrupted."
)


def run(words: Sequence[str]) -> int:
    """Parse and run. Raises UsageError for a call that cannot be parsed, and what the command raises."""
    if not words:
        raise UsageError("Name a command.", f"One of: {', '.join(COMMANDS)}.")
    named = [words[0]] if words[0] in COMMANDS else COMMANDS
    app = build(named)
    try:
        code = app(args=list(words), prog_name="scaffold", standalone_mode=False)
    except typer.TyperException as error:
        command = f" {named[0]}" if len(named) == 1 else ""
        raise UsageError(error.format_message(), f"See `scaffold{command} --help`.") from error
    except typer.Abort:
        raise KeyboardInterrupt from None
    return code if isinstance(code, int) else 0


def build(names: Iterable[str]) -> typer.Typer:
    """An app with these commands."""
    # Plain help, and no pretty tracebacks: rich is for verdicts, and errors are told in `errors.py`.
    app = typer.Typer(
        name="scaffold",
        help=PROLOGUE,
        epilog=EPILOGUE,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_common)
    for name in names:
        module = import_module(f"scaffold_cli.cli.commands.{name}")
        app.command(name=name)(getattr(module, name))
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"scaffold {__version__}\n")
        raise typer.Exit


def _common(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Judge code changes and drive chains of them, so that no step leaves the code less safe than it was."""
