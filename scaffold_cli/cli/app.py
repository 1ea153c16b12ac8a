"""The typer app, built for the command that was named: the others are not even imported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

import typer

from scaffold_cli import __version__
from scaffold_cli.cli.streams import write
from scaffold_cli.model.errors import InternalFaultError, UsageError

COMMANDS: Mapping[str, str] = {
    "init": "Write a first scaffold.toml with the test command found.",
    "check": "Judge one change: the working tree, or what the options name.",
    "run": "Drive a chain of small steps; only safe ones are committed.",
    "log": "Show what a chain did, step by step.",
    "show": "Show one step: its attempts, verdicts, evidence and diffs.",
    "resume": "Finish, or take back, the step of a run that was killed, and go on.",
    "undo": "Take an accepted step back, unless anything would be lost.",
    "verify": "Recompute the record of a chain: hashes, order, commits.",
    "anchors": "List the protections found in files: what no change may lose.",
    "memory": "Look into what was learned: verified repairs and guidance.",
    "rules": "List, show or test the scanner's rules, yours among them.",
    "trajectory": "Hold a reply to the grammar of ReflexiCoder, and score it.",
    "trust": "Approve the commands that the repository's configuration names.",
    "config": "Show every setting in force and where it comes from.",
    "doctor": "Check the set-up, and prove that the commit hook blocks.",
    "schema": "Write a published JSON Schema: verdict, config or request.",
}
"""In the order of `--help`, with the first line of each one's docstring: help imports none of them. A command is a
function of its name in a module of its name under `commands`."""

DIRECT = ("check",)
"""Commands a commit or an editor waits for (see `direct`)."""
INNER: Mapping[str, Sequence[str]] = {
    "anchors": ("explain", "diff"),
    "memory": ("list", "show", "search", "add", "forget", "export", "import", "stats"),
}
"""Commands inside a command: ``scaffold anchors diff`` is `diff` in the module `anchors_diff`; where Python has that
name for itself it is `diff_`. A path called like one is given as ``./diff``."""

PROLOGUE = "Judge code changes and drive chains of them, so that no step leaves the code less safe than it was."
EPILOGUE = (
    "Exit codes: 0 accepted, 1 rejected, 2 usage or configuration, 3 undecided, 4 internal fault, "
    "5 budget spent, 130 interrupted."
)


def run(words: Sequence[str]) -> int:
    """Parse and run. Raises UsageError for a call that cannot be parsed, and what the command raises."""
    if not words:
        raise UsageError("Name a command.", f"One of: {', '.join(COMMANDS)}.")
    if words[0] in DIRECT and (plain := _read_directly(words[0], words[1:])) is not None:
        return plain
    first = next((word for word in words if word != "--"), "")
    named = first if first in COMMANDS else ""
    app = build(named, words[1] if named and len(words) > 1 else "")
    try:
        code = app(args=list(words), prog_name="scaffold", standalone_mode=False)
    except typer.TyperException as error:
        command = f" {named}" if named else ""
        if named and len(words) > 1 and words[1] in INNER.get(named, ()):
            command += f" {words[1]}"
        raise UsageError(error.format_message(), f"See `scaffold{command} --help`.") from error
    except typer.Abort:
        raise KeyboardInterrupt from None
    if not isinstance(code, int):  # never take a command that says nothing for one that accepts
        raise InternalFaultError("The command ended without an exit code.")
    return code


def _read_directly(named: str, words: Sequence[str]) -> int | None:
    """The exit code of a command whose words are plain; None, with nothing done, for others."""
    from scaffold_cli.cli.direct import arguments

    command: Callable[..., int] = getattr(import_module(f"scaffold_cli.cli.commands.{named}"), named)
    found = arguments(command, words)
    return None if found is None else command(**found)


def build(named: str, following: str = "") -> typer.Typer:
    """An app with the command that was named, or one that can tell what there is when none was.

    `following` is the word after the name: a command may have others inside it.
    """
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
    if following in INNER.get(named, ()):
        inner = typer.Typer(rich_markup_mode=None)
        inner.callback()(_listed)
        module = import_module(f"scaffold_cli.cli.commands.{named}_{following}")
        inner.command(name=following)(getattr(module, following, None) or getattr(module, f"{following}_"))
        app.add_typer(inner, name=named)
    elif named:
        module = import_module(f"scaffold_cli.cli.commands.{named}")
        app.command(name=named)(getattr(module, named))
    for name, text in COMMANDS.items() if not named else ():
        app.command(name=name, help=text)(_listed)
    return app


def _listed() -> None:
    """Stands for a command that is only listed."""


def _show_version(wanted: bool) -> None:
    if wanted:
        write(f"scaffold {__version__}\n", sys.stdout)
        raise typer.Exit


def _common(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    """Judge code changes and drive chains of them, so that no step leaves the code less safe than it was."""
