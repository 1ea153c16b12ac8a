"""`scaffold run`: drive a chain of steps."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.approval import approved
from scaffold_cli.cli.settings import layer_names, overrides, waivers
from scaffold_cli.cli.streams import tell, terminal
from scaffold_cli.report.interface import Options

if TYPE_CHECKING:
    from scaffold_cli.vcs.repository import Repository


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
    from scaffold_cli.chain.options import ChainOptions
    from scaffold_cli.chain.runner import run_chain
    from scaffold_cli.cli.chain_progress import progress_for_run
    from scaffold_cli.cli.model_choice import ModelChoice, learning
    from scaffold_cli.cli.selection import repository
    from scaffold_cli.proposers.table import proposer

    repo = repository()
    given = overrides(
        config,
        tests__command=test_command,
        run__network=allow_network or None,
        sandbox__required=require_sandbox or None,
    )
    spec = with_ or _configured(repo, given)
    chosen = ChainOptions(
        steps=steps,
        retries=retries,
        wall_time=wall_time,
        branch=branch,
        layers=layer_names(layers),
        waivers=waivers(waive or (), reason or ()),
        overrides=given,
        isolation=isolation,
        dry_run=dry_run,
        verify=not no_verify,
        approve=lambda policy: approved(policy, repo, None, given),
    )
    names = tuple(repo.relative(path) for path in paths)
    here = terminal(sys.stdout, no_color=no_color)
    shown = Options(width=here.width, color=here.color, detail=options.detail(quiet, verbose))
    asked = ModelChoice(max_tokens, max_money, price, answer_tokens, reflection_rounds, record_prompts, not dry_run)
    with progress_for_run(shown, no_color) as progress, learning(remember and not dry_run) as (learner, retriever):
        aids = asked.aids(retriever, progress.note)
        maker = proposer(spec, folder=Path.cwd(), cache=repo.scaffold_dir / "cache", aids=aids)
        result = run_chain(repo, goal, names, maker, chosen, progress, learner=learner)
    for name in result.unused_waivers:
        tell(f"warning: there was no violation {name!r} to waive.")
    return result.exit_code


def _configured(repo: Repository, given: Mapping[str, object]) -> str:
    """The proposer of the committed settings."""
    from scaffold_cli.config.loading import load_policy
    from scaffold_cli.config.trust import require
    from scaffold_cli.vcs.index import head_tree
    from scaffold_cli.vcs.store import ObjectStore

    with ObjectStore.of(repo) as store:
        policy = approved(load_policy(head_tree(store, repo.head()), [], given), repo, None, given)
    spec = policy.root.run.proposer
    require(policy, "run.proposer", "", spec)
    return spec
