"""The pure parts: stop rules, exit codes, metrics, messages, plain JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.chain.entry import DIFF_FILE, ENTRY_FILE, VERDICT_FILE
from scaffold_cli.chain.message import TRAILERS, step_message
from scaffold_cli.chain.metrics import code_evolution, fix_success, measure, safety_monotonicity
from scaffold_cli.chain.options import Limits
from scaffold_cli.chain.stop import before_attempt, next_place
from scaffold_cli.chain.waiving import waive
from scaffold_cli.model.chain import Attempt, ChainId, ChainStart, StepOutcome, StopReason, open_step
from scaffold_cli.model.errors import ExitCode
from scaffold_cli.model.plain import Json, PlainError, canonical, from_plain, to_plain
from scaffold_cli.model.verdict import (
    Decision,
    Effect,
    LayerName,
    LayerResult,
    Place,
    Severity,
    Verdict,
    Violation,
    Waiver,
)
from scaffold_cli.proposers.table import FORMS

ACCEPTED, REJECTED, REPEATED = StepOutcome.ACCEPTED, StepOutcome.REJECTED, StepOutcome.REPEATED
LIMITS = Limits(steps=2, retries=1, wall_time=60.0, proposal=10.0)
START = ChainStart(ChainId("c"), "goal", ("a.py",), "rules", "c" * 40, "d" * 40, "main", 4, 3, 60.0, lines=200)


def attempt(step: int, number: int, outcome: StepOutcome, **more: Any) -> Attempt:
    return Attempt(step, number, outcome, "summary", **more)


def judged(step: int, number: int, outcome: StepOutcome, *, changed: int = 0, rise: int = 0) -> Attempt:
    layers = (
        LayerResult.judged(LayerName.SAST, facts=[("findings before", 5), ("findings after", 5 + rise)]),
        LayerResult.judged(LayerName.BUDGET, facts=[("changed lines", changed)]),
    )
    decision = Decision.ACCEPT if outcome is ACCEPTED else Decision.REJECT
    return attempt(step, number, outcome, verdict=Verdict(decision, layers, "digest", 1))


# -- when a chain ends ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attempts", "elapsed", "reason"),
    [
        ([], 0, None),
        ([], 60, StopReason.WALL_TIME),
        ([(1, 1, ACCEPTED)], 0, None),
        ([(1, 1, ACCEPTED), (2, 1, ACCEPTED)], 99, StopReason.STEPS),
        ([(1, 1, REJECTED)], 0, None),
        ([(1, 1, REJECTED), (1, 2, REJECTED)], 0, StopReason.RETRIES),
        ([(1, 1, REJECTED), (1, 2, REPEATED)], 0, StopReason.REPEATED),
        ([(1, 1, REJECTED), (1, 2, StepOutcome.FAILED)], 0, StopReason.RETRIES),
        ([(1, 1, REJECTED), (1, 2, ACCEPTED), (2, 1, REJECTED)], 0, None),
    ],
)
def test_the_stop_rules(
    attempts: list[tuple[int, int, StepOutcome]], elapsed: float, reason: StopReason | None
) -> None:
    stop = before_attempt(tuple(attempt(*item) for item in attempts), LIMITS, elapsed)
    assert (stop.reason if stop else None) is reason


def test_the_next_candidate_is_for_the_next_step_or_the_next_attempt() -> None:
    assert next_place(()) == (1, 1)
    assert next_place((attempt(1, 1, REJECTED),)) == (1, 2)
    assert next_place((attempt(1, 2, ACCEPTED),)) == (2, 1)


@pytest.mark.parametrize("reason", list(StopReason))
@pytest.mark.parametrize("outcome", [None, *StepOutcome])
def test_every_end_has_an_exit_code(reason: StopReason, outcome: StepOutcome | None) -> None:
    assert reason.exit_code(outcome) in ExitCode


def test_the_exit_codes_of_a_chain() -> None:
    codes = {
        (StopReason.STEPS, None): 0,
        (StopReason.GOAL_REACHED, None): 0,
        (StopReason.NO_CHANGE, None): 0,
        (StopReason.GOAL_REACHED, REJECTED): 1,
        (StopReason.RETRIES, REJECTED): 1,
        (StopReason.REPEATED, REPEATED): 1,
        (StopReason.RETRIES, StepOutcome.CONFLICT): 2,
        (StopReason.CONFLICT, None): 2,
        (StopReason.RETRIES, StepOutcome.UNDECIDED): 3,
        (StopReason.RETRIES, StepOutcome.FAILED): 3,
        (StopReason.WALL_TIME, None): 5,
        (StopReason.INTERRUPTED, None): 130,
    }
    assert {key: int(reason.exit_code(outcome)) for key, (reason, outcome) in zip(codes, codes, strict=True)} == codes


def test_a_step_is_open_until_it_is_accepted() -> None:
    nothing = attempt(2, 1, StepOutcome.NO_CHANGE)
    assert open_step(()) is None
    assert open_step((attempt(1, 1, ACCEPTED), nothing)) is None
    assert open_step((attempt(1, 1, REJECTED), nothing)) is REJECTED
    assert open_step((attempt(1, 1, REJECTED), attempt(1, 2, ACCEPTED))) is None


# -- metrics (the fact sheet's checks) -----------------------------------------------------------------------


def test_code_evolution_volume() -> None:
    assert code_evolution([30, 12, 0, 58], 200) == 0.50  # SC-11
    assert code_evolution([], 200) == 0
    assert code_evolution([3], 0) is None


def test_safety_monotonicity_rate() -> None:
    assert safety_monotonicity([0, -1, 1, 0]) == 0.75
    assert safety_monotonicity([]) is None


def test_fix_success() -> None:
    mended = [judged(1, 1, REJECTED), judged(1, 2, ACCEPTED)]
    given_up = [judged(2, 1, REJECTED), judged(2, 2, REJECTED)]
    at_once = [judged(3, 1, ACCEPTED)]
    assert fix_success([mended, given_up, at_once]) == 0.5  # SC-13
    assert fix_success([at_once]) is None


def test_the_measures_of_a_chain() -> None:
    attempts = [
        judged(1, 1, ACCEPTED, changed=30, rise=-1),
        judged(2, 1, REJECTED, changed=99, rise=4),
        judged(2, 2, ACCEPTED, changed=12),
        judged(3, 1, ACCEPTED, changed=58, rise=-1),
        judged(4, 1, REJECTED, changed=10, rise=2),
        attempt(4, 2, StepOutcome.NO_CHANGE),
    ]
    found = measure(START, attempts)
    assert (found.steps, found.accepted, found.rejected) == (4, 3, 2)
    assert found.smr == 1.0
    assert found.delta_v == -2
    assert found.cev == 0.5
    assert found.fix_success == 0.5
    assert found.complete is False


def test_what_no_layer_counted_is_not_known() -> None:
    verdict = Verdict(Decision.ACCEPT, (LayerResult.skipped(LayerName.SAST, "not asked"),), "digest", 1)
    found = measure(START, [attempt(1, 1, ACCEPTED, verdict=verdict)])
    assert (found.smr, found.delta_v, found.cev) == (None, None, None)


def test_facts_of_several_folders_add_up() -> None:
    layer = LayerResult.judged(LayerName.SAST, facts=[("new", 1), ("new (api)", 2), ("newer", 9), ("engine", "x")])
    one = attempt(1, 1, ACCEPTED, verdict=Verdict(Decision.ACCEPT, (layer,), "digest", 1))
    assert one.fact(LayerName.SAST, "new") == 3
    assert one.fact(LayerName.ANCHORS, "kept") is None


# -- waivers, messages ---------------------------------------------------------------------------------------


def test_a_waiver_turns_a_rejection_only_where_it_names_all() -> None:
    first, second = (Violation(LayerName.ANCHORS, "guard-lost", Effect.BLOCKS, what) for what in ("one", "two"))
    verdict = Verdict(Decision.REJECT, (LayerResult.judged(LayerName.ANCHORS, [first, second]),), "digest", 1)
    waivers = [Waiver(item.id, "agreed") for item in (first, second)]
    assert waive(verdict, waivers[:1]).decision is Decision.REJECT
    accepted = waive(verdict, [*waivers, Waiver("anchors-elsewhere", "not here")])
    assert accepted.decision is Decision.ACCEPT
    assert accepted.waivers == tuple(waivers)
    assert {violation.effect for violation in accepted.violations} == {Effect.WAIVED}
    assert waive(verdict, []) is verdict


def test_a_long_summary_is_told_in_full_below_the_subject() -> None:
    summary = "a summary that goes on " * 6
    verdict = Verdict(Decision.ACCEPT, (), "digest", 1)
    message = step_message(START, Attempt(1, 1, ACCEPTED, summary, verdict=verdict, record="f" * 64))
    subject, blank, *rest = message.split("\n")
    assert len(subject) == 72
    assert subject.endswith("…")
    assert blank == ""
    assert " ".join(summary.split()) in " ".join(" ".join(rest).split())
    assert all(len(line) <= 72 or line.startswith("Scaffold-") for line in message.splitlines())


@pytest.mark.parametrize("forged", ["x\n\nScaffold-Step: 9", "x\rScaffold-Step: 9", "x\u2028Scaffold-Step: 9"])
def test_text_from_outside_stays_on_its_line(forged: str) -> None:
    verdict = Verdict(Decision.ACCEPT, (), "digest", 1, waivers=(Waiver("anchors-1", forged),))
    one = Attempt(1, 1, ACCEPTED, forged, detail=forged, verdict=verdict, record="f" * 64)
    message = step_message(replace(START, goal=forged), one)
    assert not any(line.startswith("Scaffold-Step: 9") for line in message.splitlines())
    assert message.rstrip().split("\n\n")[-1].splitlines()[1] == "Scaffold-Step: 1"


# -- plain JSON ----------------------------------------------------------------------------------------------

texts = st.text(max_size=20) | st.sampled_from(["caf\udce9.py", "a\nb", '"', "\x1b[31m"])
places = st.builds(Place, texts, st.integers(1, 9), st.integers(1, 9), texts, texts)
violations = st.builds(
    Violation,
    layer=st.sampled_from(LayerName),
    code=texts,
    effect=st.sampled_from(Effect),
    what=texts,
    cwe=st.lists(texts, max_size=2).map(tuple),
    severity=st.none() | st.sampled_from(Severity),
    before=st.none() | places,
    after=st.none() | places,
    waiver=st.none() | texts,
)
facts = st.tuples(texts, texts | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False))
layers = st.builds(
    lambda name, found, told, seconds: LayerResult.judged(name, found, facts=told, seconds=seconds),
    st.sampled_from(LayerName),
    st.lists(violations, max_size=2),
    st.lists(facts, max_size=3),
    st.floats(0, 1e6),
)
verdicts = st.builds(
    Verdict,
    st.sampled_from(Decision),
    st.lists(layers, max_size=2).map(tuple),
    texts,
    st.integers(0, 9),
    waivers=st.lists(st.builds(Waiver, texts, texts), max_size=2).map(tuple),
    seconds=st.floats(0, 1e6),
)


@settings(deadline=None)
@given(verdicts)
def test_a_verdict_survives_its_plain_form(verdict: Verdict) -> None:
    data = canonical(to_plain(verdict))
    assert data.isascii()
    assert from_plain(Verdict, json.loads(data)) == verdict


@settings(deadline=None)
@given(st.builds(attempt, st.integers(1, 9), st.integers(1, 9), st.sampled_from(StepOutcome), reason=texts))
def test_an_attempt_survives_its_plain_form(one: Attempt) -> None:
    assert from_plain(Attempt, to_plain(one)) == one


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"step": "1"}, "expected int"),
        ({"outcome": "great"}, "none of accepted"),
        ({"files": "a.py"}, "expected a list"),
        ({"extra": 1}, "unknown field 'extra'"),
        ({"seconds": None}, "expected float"),
        ({"step": True}, "expected int"),
    ],
)
def test_another_shape_is_refused(change: dict[str, Json], said: str) -> None:
    plain = to_plain(attempt(1, 1, ACCEPTED))
    assert isinstance(plain, dict)
    with pytest.raises(PlainError, match=said):
        from_plain(Attempt, plain | change)


def test_a_missing_field_and_what_is_no_fact_are_refused() -> None:
    with pytest.raises(PlainError, match="'step' is missing"):
        from_plain(Attempt, {"attempt": 1, "outcome": "accepted", "summary": ""})
    with pytest.raises(PlainError, match="bytes is not a plain fact"):
        to_plain((b"raw",))


# -- the manual ----------------------------------------------------------------------------------------------


def test_the_manual_names_every_reason_file_and_trailer() -> None:
    manual = (Path(__file__).resolve().parents[2] / "docs" / "chains.md").read_text()
    for reason in StopReason:
        assert f"| `{reason.value}` |" in manual
    for name in (ENTRY_FILE, VERDICT_FILE, DIFF_FILE, *TRAILERS):
        assert f"`{name}`" in manual
    for form in FORMS:
        assert f"`{form}`" in manual
