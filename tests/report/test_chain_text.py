"""The log, one step, and the lines of a running chain, exactly, at a fixed width."""

from __future__ import annotations

from dataclasses import replace

from scaffold_cli.chain.metrics import measure
from scaffold_cli.chain.view import ChainView, Undone
from scaffold_cli.model.chain import Attempt, ChainId, ChainResult, ChainStart, StepOutcome, StopReason
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.report.chain_text import (
    render_attempt,
    render_chains,
    render_end,
    render_log,
    render_start,
    render_step,
)
from scaffold_cli.report.interface import Detail, Options
from tests.report import samples

WIDE = Options(width=80)
QUIET = replace(WIDE, detail=Detail.QUIET)
VERBOSE = replace(WIDE, detail=Detail.VERBOSE)
START = ChainStart(
    chain=ChainId("20260314-091500-1f2e3d"),
    goal="tidy [bold]up[/]",
    paths=("notes", "a.py"),
    proposer="rules",
    baseline="0123456789abcdef",
    tree="t0",
    branch="main",
    steps=2,
    retries=3,
    wall_time=60.0,
    lines=100,
    anchors=12,
)
BAD = Attempt(
    1, 1, StepOutcome.REJECTED, "drop \x1b[2J it", "A guard is lost.", verdict=samples.rejected(), seconds=1.2
)
GOOD = Attempt(
    1, 2, StepOutcome.ACCEPTED, "rename it", commit="fedcba9876543210", verdict=samples.accepted(), seconds=0.5
)
DONE = Attempt(2, 1, StepOutcome.NO_CHANGE, "nothing is left", "nothing is left")
VIEW = ChainView(
    START,
    "2026-03-14T09:15:00+00:00",
    (BAD, GOOD, DONE),
    ("", "", ""),
    StopReason.GOAL_REACHED,
    "The proposer is done.",
    0,
)
DIFF = b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old \xff\n+new " + b"long " * 30 + b"\n"

ABOUT = """\
  chain    20260314-091500-1f2e3d
  goal     tidy [bold]up[/]
  paths    notes, a.py
  from     0123456789 on main, by rules
  holds    12 anchors
"""
LOG = """
step  result     what                               commit      time
1.1   rejected   drop \\x1b[2J it: A guard is lost.              1.2 s
1.2   accepted   rename it                          fedcba9876  0.5 s
2.1   no-change  nothing is left                                0.0 s

  ended    goal-reached: The proposer is done.
"""


def test_the_log_of_a_chain() -> None:
    metrics = measure(START, VIEW.attempts)
    assert render_log(VIEW, metrics, WIDE) == ABOUT + LOG
    assert "measures" in render_log(VIEW, metrics, VERBOSE)


def test_an_undone_step_and_a_chain_without_an_end() -> None:
    undone = replace(VIEW, undone=(Undone(1, "abcdef0123456789"),), reason=None, message="")
    text = render_log(undone, measure(START, VIEW.attempts), WIDE)
    assert "1.2   undone     rename it" in text
    assert "1.1   rejected" in text
    assert "  ended    it still runs, or could not say how it ended\n  undone   step 1 by abcdef0123\n" in text


def test_the_list_of_chains() -> None:
    assert render_chains([VIEW], WIDE) == (
        "chain                   accepted  goal              ended\n"
        "20260314-091500-1f2e3d  1 step    tidy [bold]up[/]  goal-reached\n"
    )


def test_one_step_with_its_evidence_and_diff() -> None:
    text = render_step(VIEW, [(BAD, DIFF), (GOOD, b"")], WIDE)
    assert text.startswith("chain 20260314-091500-1f2e3d  tidy [bold]up[/]\n\nstep 1.1  rejected  drop \\x1b[2J it\n")
    assert "A guard is lost." not in text
    assert "REJECTED  1 violation blocks" in text
    assert "\n  -old \\xff\n  +new long long" in text
    assert "long " * 29 in text
    assert "\nstep 1.2  accepted  rename it  fedcba9876\n  commit   fedcba9876543210\n" in text
    assert len(render_step(VIEW, [(BAD, DIFF), (GOOD, b"")], QUIET).splitlines()) == 3
    assert "tree" in render_step(VIEW, [(replace(GOOD, tree="t1"), b"")], VERBOSE)


def test_the_lines_of_a_running_chain() -> None:
    assert render_start(START, WIDE) == ABOUT + "\n"
    assert render_attempt(GOOD, WIDE) == "step 1.2  accepted  rename it  fedcba9876\n"
    assert render_attempt(DONE, WIDE) == "step 2.1  no-change  nothing is left\n"
    told = render_attempt(BAD, WIDE)
    assert told.startswith("step 1.1  rejected  drop \\x1b[2J it\n\nlayer ")
    assert told.endswith("judged.\n\n")
    assert render_attempt(BAD, QUIET) == "step 1.1  rejected  drop \\x1b[2J it\n"
    assert "12 anchors compared" in render_attempt(GOOD, VERBOSE)
    conflict = replace(BAD, outcome=StepOutcome.CONFLICT, verdict=None, reason="Your work is in the way.")
    assert render_attempt(conflict, WIDE).endswith("  reason   Your work is in the way.\n")


def test_the_end_of_a_running_chain() -> None:
    result = ChainResult(START, StopReason.GOAL_REACHED, ExitCode.ACCEPTED, VIEW.attempts, "The proposer is done.")
    assert render_end(result, WIDE) == "\ngoal-reached  1 step accepted, 1 thrown away\nThe proposer is done.\n"
