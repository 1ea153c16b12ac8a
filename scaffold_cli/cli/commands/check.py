"""`scaffold check`: judge one change."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.approval import approved
from scaffold_cli.cli.dialect import ExitDialect
from scaffold_cli.cli.early import hook_index
from scaffold_cli.cli.errors import guarded
from scaffold_cli.cli.place import Place
from scaffold_cli.cli.selection import Selection, open_comparison
from scaffold_cli.cli.settings import layer_names, overrides, waivers
from scaffold_cli.cli.streams import tell, terminal
from scaffold_cli.model.verdict import LayerName
from scaffold_cli.report.interface import Format, Options, Source, exit_code, render, renderer
from scaffold_cli.report.summary import summary

if TYPE_CHECKING:
    from scaffold_cli.gate.session import SessionOptions
    from scaffold_cli.model.verdict import Verdict
    from scaffold_cli.vcs.repository import Repository


def check(
    paths: Annotated[list[Path] | None, typer.Argument(metavar="[PATHS]...", help="Only what changed here.")] = None,
    *,
    staged: Annotated[bool, typer.Option("--staged", help="What is staged: the blobs of the index.")] = False,
    base: Annotated[
        str | None, typer.Option("--base", metavar="REV", help="All since the merge base with REV.")
    ] = None,
    head: Annotated[str | None, typer.Option("--head", metavar="REV", help="With --base: up to REV, not HEAD.")] = None,
    patch: Annotated[
        Path | None, typer.Option("--patch", metavar="FILE", help="The patch in FILE (- for stdin).")
    ] = None,
    before: Annotated[
        Path | None, typer.Option("--before", metavar="PATH", help="A file or folder as it was; needs --after.")
    ] = None,
    after: Annotated[Path | None, typer.Option("--after", metavar="PATH", help="The file or folder as it is.")] = None,
    sarif_before: Annotated[
        Path | None,
        typer.Option(
            "--sarif-before", metavar="FILE", help="What a scanner found before, as SARIF; needs --sarif-after."
        ),
    ] = None,
    sarif_after: Annotated[
        Path | None, typer.Option("--sarif-after", metavar="FILE", help="What it finds after the change, as SARIF.")
    ] = None,
    layers: options.Layers = None,
    form: Annotated[Format, typer.Option("--format", help="How the verdict is written.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option("--output", metavar="FILE", help="Write the verdict to FILE.")] = None,
    waive: options.Waive = None,
    reason: options.Reason = None,
    config: options.Config = None,
    test_command: options.TestCommand = None,
    isolation: options.Isolation = None,
    require_sandbox: options.RequireSandbox = False,
    dialect: Annotated[ExitDialect, typer.Option("--exit-dialect", help="Whose exit codes to speak.")] = (
        ExitDialect.SCAFFOLD
    ),
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> int:
    """Judge one change: the working tree, or what the options name.

    Without options the working tree is held against HEAD. Nothing is written to your files.
    Exit code 0 accepted, 1 rejected, 3 undecided.
    """

    def judged() -> int:
        from scaffold_cli.cli.reports import read_reports, refuse_unread
        from scaffold_cli.gate.session import SessionOptions

        session = SessionOptions(
            layers=layer_names(layers),
            waivers=waivers(waive or (), reason or ()),
            overrides=overrides(
                config,
                tests__command=test_command,
                sandbox__required=require_sandbox or None,
                anchors__witness_seconds=_in_a_hook(staged),
            ),
            isolation=isolation,
            reports=read_reports(sarif_before, sarif_after),
        )
        refuse_unread(session)
        selection = Selection(paths or (), staged, base, head, patch, before, after)
        verdict, source = _judge(selection, session, quiet, no_color, form)
        place = Place.of(verdict, form, output, dialect)
        here = terminal(place.stream, no_color=no_color)
        color = here.color and output is None
        text = render(verdict, form, Options(source, here.width, color, options.detail(quiet, verbose)))
        place.deliver(text, "" if quiet else summary(verdict))
        return exit_code(verdict.decision)

    return dialect.speak(guarded(judged, sys.argv[1:]))


def _in_a_hook(staged: bool) -> float | None:
    """No search for witnesses where a commit waits for the answer."""
    return 0.0 if staged and hook_index() is not None else None


def _warn_of_left_over(repo: Repository | None) -> None:
    from scaffold_cli.vcs.lock import left_over

    if repo is not None and left_over(repo):
        tell("warning: a step was cut off when its process was killed; `scaffold resume` puts it in order.")


def _judge(
    selection: Selection, session: SessionOptions, quiet: bool, no_color: bool, form: Format
) -> tuple[Verdict, Source]:
    from scaffold_cli.cli.progress import progress_for_check
    from scaffold_cli.cli.reports import refuse_idle
    from scaffold_cli.gate.session import judge_comparison

    if session.layers is None or LayerName.SAST in session.layers:
        Thread(target=_scanner_ahead, daemon=True).start()
    comparison, policy = open_comparison(selection, session.overrides)
    with comparison:
        refuse_idle(session, comparison.change)
        _warn_of_left_over(comparison.repository)
        policy = approved(policy, comparison.repository, comparison.before, session.overrides)
        cache = comparison.repository.scaffold_dir / "cache" if comparison.repository else None
        session = replace(session, policy=policy, cache=cache)
        if not comparison.change.is_empty:
            Thread(target=_read_ahead, args=(form,), daemon=True).start()
        with progress_for_check(quiet, no_color) as progress:
            verdict = judge_comparison(comparison, session, progress=progress)
        return verdict, Source.of(comparison.change)


def _scanner_ahead() -> None:
    """Import what starts the scanner while git looks for the change: everything else can wait for it."""
    from scaffold_cli import processes

    processes.wait_for_one(1.0)
    from scaffold_cli.gate.layers import sast  # noqa: F401
    from scaffold_cli.sast.rules import read_ahead

    read_ahead()


def _read_ahead(form: Format) -> None:
    """Import what writes the verdict while a program of a layer runs."""
    from scaffold_cli import processes

    processes.wait_for_one(1.0)
    renderer(form)
