"""Chains for people: the log, one step with its evidence, and the lines a running chain prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rich.console import RenderableType
from rich.text import Text

from scaffold_cli.chain.metrics import ChainMetrics
from scaffold_cli.chain.view import ChainView
from scaffold_cli.model.chain import Attempt, ChainResult, ChainStart, StepOutcome
from scaffold_cli.report.interface import Detail, Options
from scaffold_cli.report.page import labelled, line, show, table, unbroken
from scaffold_cli.report.summary import counted, summary
from scaffold_cli.report.text import evidence

OUTCOME_STYLE = {
    StepOutcome.ACCEPTED: "green",
    StepOutcome.REJECTED: "bold red",
    StepOutcome.UNDECIDED: "bold yellow",
    StepOutcome.NO_CHANGE: "dim",
    StepOutcome.REPEATED: "yellow",
    StepOutcome.CONFLICT: "bold yellow",
    StepOutcome.FAILED: "yellow",
}
UNDONE = "undone"
SHORT_ID = 10
"""Digits of a commit's name that are shown."""


def render_log(found: ChainView, metrics: ChainMetrics, options: Options) -> str:
    """One chain: what it was for, every attempt, how it ended, its measures."""
    parts: list[RenderableType] = [_about(found.start), ""]
    if found.attempts:
        rows = [_row(attempt, found.undo_of(attempt.step) is not None) for attempt in found.attempts]
        parts += [table(("step", "result", "what", "commit", "time"), rows, wrap=2), ""]
    ended = found.message if found.reason is not None else "it still runs, or could not say how it ended"
    facts = [("ended", f"{found.reason.value}: {ended}" if found.reason else ended)]
    facts += [("undone", f"step {undone.step} by {undone.commit[:SHORT_ID]}") for undone in found.undone]
    if options.detail is Detail.VERBOSE:
        facts.append(("measures", _measures(metrics)))
    return show([*parts, labelled(facts, indent=0)], options.width, options.color)


def render_chains(views: Iterable[ChainView], options: Options) -> str:
    """One line for each chain."""
    rows = [
        (
            found.chain,
            counted(len(found.accepted), "step", "steps"),
            found.start.goal,
            found.reason.value if found.reason else "no end recorded",
        )
        for found in views
    ]
    return show([table(("chain", "accepted", "goal", "ended"), rows, wrap=2)], options.width, options.color)


def render_step(found: ChainView, attempts: Sequence[tuple[Attempt, bytes]], options: Options) -> str:
    """The attempts at one step, each with its verdict and its diff (bytes of a unified diff)."""
    parts: list[RenderableType] = [line((f"chain {found.chain}", "bold"), (f"  {found.start.goal}", ""))]
    for attempt, diff in attempts:
        is_undone = found.undo_of(attempt.step) is not None
        if options.detail is Detail.QUIET:
            parts += _attempt(attempt, is_undone)[:1]
            continue
        # The evidence says all that the reason sums up.
        told = replace(attempt, reason="") if attempt.verdict else attempt
        facts = [("commit", attempt.commit), ("tree", attempt.tree), ("record", attempt.record)]
        shown = facts if options.detail is Detail.VERBOSE else facts[:1]
        parts += ["", *_attempt(told, is_undone), labelled(shown)]
        if attempt.verdict is not None:
            parts += ["", line((summary(attempt.verdict), "bold")), *evidence(attempt.verdict, options.detail)]
        parts += ["", *_diff(diff)] if diff else []
    return show(parts, options.width, options.color)


def render_start(start: ChainStart, options: Options) -> str:
    """What a running chain says first."""
    return show([_about(start), ""], options.width, options.color) + "\n"


def render_attempt(attempt: Attempt, options: Options) -> str:
    """What a running chain says about an attempt: one line, and the evidence when it was not accepted."""
    if options.detail is Detail.QUIET:
        return show(_attempt(attempt, undone=False)[:1], options.width, options.color)
    is_accepted = attempt.outcome is StepOutcome.ACCEPTED
    if attempt.verdict is None or (is_accepted and options.detail is not Detail.VERBOSE):
        return show(_attempt(attempt, undone=False), options.width, options.color)
    # The evidence says all that the reason sums up.
    told = _attempt(replace(attempt, reason=""), undone=False)
    return show([*told, *evidence(attempt.verdict, options.detail)], options.width, options.color) + "\n"


def render_end(result: ChainResult, options: Options) -> str:
    """What a running chain says last."""
    turned_down = [attempt for attempt in result.attempts if attempt.was_judged and attempt not in result.accepted]
    counts = f"{counted(len(result.accepted), 'step', 'steps')} accepted, {len(turned_down)} thrown away"
    ended = line((result.reason.value, "bold"), (f"  {counts}", ""))
    return "\n" + show([ended, line((result.message, ""))], options.width, options.color)


def _about(start: ChainStart) -> RenderableType:
    return labelled(
        [
            ("chain", start.chain),
            ("goal", start.goal),
            ("paths", ", ".join(start.paths)),
            ("from", f"{start.baseline[:SHORT_ID]} on {start.branch}, by {start.proposer}"),
            ("holds", counted(start.anchors, "anchor", "anchors")),
        ],
        indent=0,
    )


def _row(attempt: Attempt, undone: bool) -> tuple[str | Text, ...]:
    reason = attempt.reason if attempt.outcome is not StepOutcome.ACCEPTED else ""
    what = ": ".join(dict.fromkeys(part for part in (attempt.summary, reason) if part))
    return (
        f"{attempt.step}.{attempt.attempt}",
        _outcome(attempt, undone),
        what,
        attempt.commit[:SHORT_ID],
        f"{attempt.seconds:.1f} s",
    )


def _outcome(attempt: Attempt, undone: bool) -> Text:
    if undone and attempt.commit:
        return Text(UNDONE, "dim")
    return Text(attempt.outcome.value, OUTCOME_STYLE[attempt.outcome])


def _attempt(attempt: Attempt, undone: bool) -> list[RenderableType]:
    outcome = _outcome(attempt, undone)
    head = line(
        (f"step {attempt.step}.{attempt.attempt}  ", "bold"),
        (outcome.plain, str(outcome.style)),
        (f"  {attempt.summary}", ""),
        (f"  {attempt.commit[:SHORT_ID]}" if attempt.commit else "", "cyan"),
    )
    is_news = attempt.outcome is not StepOutcome.ACCEPTED and attempt.reason != attempt.summary
    reason = attempt.reason if is_news else ""
    return [head, labelled([("detail", attempt.detail), ("reason", reason)])]


def _measures(metrics: ChainMetrics) -> str:
    shown = (
        ("SMR", metrics.smr, "{:.2f}"),
        ("findings", metrics.delta_v, "{:+d}"),
        ("CEV", metrics.cev, "{:.3f}"),
        ("fix success", metrics.fix_success, "{:.0%}"),
    )
    return ", ".join(f"{name} {form.format(value)}" for name, value, form in shown if value is not None)


def _diff(diff: bytes) -> list[Text]:
    styles = {"+": "green", "-": "red", "@": "cyan"}
    rows = diff.decode("utf-8", "surrogateescape").split("\n")
    while rows and not rows[-1]:
        rows.pop()
    return [unbroken(f"  {row}", styles.get(row[:1], "")) for row in rows]
