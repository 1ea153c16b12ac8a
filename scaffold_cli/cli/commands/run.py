"""`scaffold run`: drive a chain of steps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scaffold_cli.cli import options


def run(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders the goal is about.")],
    *,
    goal: Annotated[str, typer.Option("--goal", metavar="TEXT", help="What the steps are for.")],
    with_: Annotated[
        str | None,
        typer.Option("--with", metavar="PROPOSER", help="rules (the default) or another form, see below."),
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", min=1, help="Accepted steps at most.")] = None,
    retries: Annotated[int | None, typer.Option("--retries", min=0, help="Further candidates for each step.")] = None,
    wall_time: Annotated[float | None, typer.Option("--wall-time", metavar="SECONDS", help="For the chain.")] = None,
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="NAME", help="Commit there; your checkout is not touched.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Judge, but commit and record nothing.")] = False,
    max_tokens: Annotated[int | None, typer.Option("--max-tokens", min=1, help="Tokens of the chain at most.")] = None,
    max_money: Annotated[
        float | None, typer.Option("--max-money", min=0, help="Money for the chain at most; needs --price.")
    ] = None,
    price: Annotated[
        str | None, typer.Option("--price", metavar="IN,OUT", help="What a million tokens cost: prompt,answer.")
    ] = None,
    answer_tokens: Annotated[int, typer.Option("--answer-tokens", min=1, help="Tokens of one answer at most.")] = 4096,
    reflection_rounds: Annotated[
        int, typer.Option("--reflection-rounds", min=0, help="How often a draft found unsafe is reflected on.")
    ] = 1,
    record_prompts: Annotated[
        bool, typer.Option("--record-prompts", help="Record what a model is asked and answers, not only digests.")
    ] = False,
    remember: Annotated[
        bool, typer.Option("--memory/--no-memory", help="Use the repository's memory, and store accepted steps.")
    ] = True,
    allow_network: Annotated[
        bool, typer.Option("--allow-network", help="Let the proposer's command use the network.")
    ] = False,
    no_verify: Annotated[bool, typer.Option("--no-verify", help="Do not run the repository's commit hooks.")] = False,
    layers: options.Layers = None,
    waive: options.Waive = None,
    reason: options.Reason = None,
    config: options.Config = None,
    test_command: options.TestCommand = None,
    isolation: options.Isolation = None,
    require_sandbox: options.RequireSandbox = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    no_color: options.NoColor = False,
) -> int:
    """Drive a chain of small steps; only safe ones are committed.

    A proposer is asked for one small step after another; each is committed when no layer is worse than before.
    A step that is not accepted leaves nothing behind. Your uncommitted work in other files stays as it is.

    --with takes rules, command:"PROGRAM …", patches:FOLDER, model[:NAME], trajectory[:NAME], local:MODEL.gguf or
    trajectory-local:MODEL.gguf. A model's address and key come from SCAFFOLD_BASE_URL, SCAFFOLD_MODEL and
    SCAFFOLD_API_KEY (or the keyring), never from the repository. With --dry-run it is not asked: what would be sent
    is shown.
    """
    from scaffold_cli.cli.running import RunRequest, Shown, drive
    from scaffold_cli.cli.selection import repository

    repo = repository()
    asked = RunRequest(
        folder=str(Path.cwd()),
        paths=tuple(repo.relative(path) for path in paths),
        goal=goal,
        proposer=with_,
        steps=steps,
        retries=retries,
        wall_time=wall_time,
        branch=branch,
        dry_run=dry_run,
        max_tokens=max_tokens,
        max_money=max_money,
        price=price,
        answer_tokens=answer_tokens,
        reflection_rounds=reflection_rounds,
        record_prompts=record_prompts,
        remember=remember,
        allow_network=allow_network,
        no_verify=no_verify,
        layers=layers,
        waive=tuple(waive or ()),
        reason=tuple(reason or ()),
        config=None if config is None else str(config.absolute()),
        test_command=test_command,
        isolation=isolation,
        require_sandbox=require_sandbox,
    )
    return drive(repo, asked, Shown(quiet, verbose, no_color))
