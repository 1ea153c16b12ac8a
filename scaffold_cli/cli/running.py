"""Drives a chain as it was asked for on the command line; what was asked can be kept, and gone on with after a kill."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli.cli import options
from scaffold_cli.cli.approval import approved
from scaffold_cli.cli.settings import layer_names, overrides, waivers
from scaffold_cli.cli.streams import tell, terminal
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import PlainError, canonical, from_plain, to_plain
from scaffold_cli.report.interface import Options
from scaffold_cli.sandbox.interface import IsolationKind

if TYPE_CHECKING:
    from scaffold_cli.chain.options import ChainOptions
    from scaffold_cli.chain.view import ChainView
    from scaffold_cli.cli.model_choice import ModelChoice
    from scaffold_cli.vcs.repository import Repository


@dataclass(frozen=True, slots=True)
class Shown:
    """How much is said, and how."""

    quiet: bool = False
    verbose: bool = False
    no_color: bool = False


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The options of `run`, as they were given.

    `folder` is the absolute one it was called in, `paths` are relative to the repository's root, `config` is absolute.
    """

    folder: str
    paths: tuple[str, ...]
    goal: str
    proposer: str | None = None
    steps: int | None = None
    retries: int | None = None
    wall_time: float | None = None
    branch: str | None = None
    dry_run: bool = False
    max_tokens: int | None = None
    max_money: float | None = None
    price: str | None = None
    answer_tokens: int = 4096
    reflection_rounds: int = 1
    record_prompts: bool = False
    remember: bool = True
    allow_network: bool = False
    no_verify: bool = False
    layers: str | None = None
    waive: tuple[str, ...] = ()
    reason: tuple[str, ...] = ()
    config: str | None = None
    test_command: str | None = None
    isolation: IsolationKind | None = None
    require_sandbox: bool = False

    @property
    def text(self) -> str:
        """The request as one line of JSON."""
        return canonical(to_plain(self)).decode()

    @staticmethod
    def of(text: str) -> RunRequest:
        """The request of `text`. Raises UsageError for one of another version."""
        try:
            return from_plain(RunRequest, json.loads(text))
        except (ValueError, PlainError) as error:
            raise UsageError(
                "What the chain was asked was written by another version of scaffold.", "Start a new chain."
            ) from error


def drive(repo: Repository, asked: RunRequest, shown: Shown, killed: ChainView | None = None) -> int:
    """Run a chain to its end, or go on with the one that was `killed`; returns the exit code.

    Raises UsageError for what cannot be meant, and what the chain raises before anything has started.
    """
    from scaffold_cli.chain.runner import go_on, run_chain
    from scaffold_cli.cli.chain_progress import progress_for_run
    from scaffold_cli.cli.model_choice import learning
    from scaffold_cli.proposers.table import proposer

    given = overrides(
        Path(asked.config) if asked.config is not None else None,
        tests__command=asked.test_command,
        run__network=asked.allow_network or None,
        sandbox__required=asked.require_sandbox or None,
    )
    spec = asked.proposer or _configured(repo, given)
    chosen = _options(repo, asked, given)
    here = terminal(sys.stdout, no_color=shown.no_color)
    written = Options(width=here.width, color=here.color, detail=options.detail(shown.quiet, shown.verbose))
    model = _model(repo, asked, killed)
    with (
        progress_for_run(written, shown.no_color) as progress,
        learning(asked.remember and not asked.dry_run) as (learner, retriever),
        ExitStack() as started,
    ):
        maker = proposer(
            spec,
            folder=Path(asked.folder),
            cache=repo.scaffold_dir / "cache",
            aids=model.aids(retriever, progress.note, started),
            asked=len(killed.attempts) if killed else 0,
        )
        if killed is not None:
            result = go_on(repo, killed.chain, maker, chosen, progress, learner=learner)
        else:
            result = run_chain(repo, asked.goal, asked.paths, maker, chosen, progress, learner=learner)
    for name in result.unused_waivers:
        tell(f"warning: there was no violation {name!r} to waive.")
    return result.exit_code


def _options(repo: Repository, asked: RunRequest, given: Mapping[str, object]) -> ChainOptions:
    from scaffold_cli.chain.options import ChainOptions

    return ChainOptions(
        steps=asked.steps,
        retries=asked.retries,
        wall_time=asked.wall_time,
        branch=asked.branch,
        layers=layer_names(asked.layers),
        waivers=waivers(asked.waive, asked.reason),
        overrides=given,
        isolation=asked.isolation,
        dry_run=asked.dry_run,
        verify=not asked.no_verify,
        request=asked.text,
        approve=lambda policy: approved(policy, repo, None, given),
    )


def _model(repo: Repository, asked: RunRequest, killed: ChainView | None) -> ModelChoice:
    """What a model may use: less what the killed process is known to have used."""
    from scaffold_cli.cli.model_choice import ModelChoice

    choice = ModelChoice(
        asked.max_tokens,
        asked.max_money,
        asked.price,
        asked.answer_tokens,
        asked.reflection_rounds,
        asked.record_prompts,
        not asked.dry_run,
    )
    if killed is None or (asked.max_tokens is None and asked.max_money is None):
        return choice
    from scaffold_cli.chain.going_on import tokens_and_money

    tokens, money = tokens_and_money(repo, killed.chain)
    return replace(
        choice,
        max_tokens=None if asked.max_tokens is None else max(0, asked.max_tokens - tokens),
        max_money=None if asked.max_money is None else max(0.0, asked.max_money - money),
    )


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
