"""The rule: what passed in every run of the base is there and passes after."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.config.schema import TestReader
from scaffold_cli.testing.baseline import Baseline
from scaffold_cli.testing.outcomes import Case, Outcome, TestRun
from scaffold_cli.testing.regressions import RegressionKind, regressions

IDS = st.sampled_from([f"{file}.py::{name}" for file in "ab" for name in "xyz"])
UNCOLLECTED = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c.py"]), st.sampled_from([Outcome.FAILED, Outcome.SKIPPED]).map(Case)
)


def run(cases: dict[str, Case], uncollected: dict[str, Case] | None = None) -> TestRun:
    return TestRun(cases, reader=TestReader.PYTEST, uncollected=uncollected or {})


RUNS = st.dictionaries(IDS, st.sampled_from(Outcome).map(Case)).map(run)


def passing(*ids: str) -> dict[str, Case]:
    return dict.fromkeys(ids, Case(Outcome.PASSED))


@given(st.lists(RUNS, min_size=1, max_size=3), RUNS, UNCOLLECTED)
def test_nothing_is_lost_exactly_when_all_that_held_still_holds(
    runs: list[TestRun], after: TestRun, uncollected: dict[str, Case]
) -> None:
    baseline = Baseline(tuple(runs))
    held = set.intersection(*({id_ for id_, case in each.cases.items() if case.outcome.vouches} for each in runs))
    holds = {id_ for id_, case in after.cases.items() if case.outcome.vouches}
    lost = regressions(baseline, run(dict(after.cases), uncollected))
    assert (lost == ()) is (held <= holds)
    assert sum(item.tests for item in lost) == len(held - holds)


@given(st.lists(RUNS, min_size=1, max_size=3), RUNS)
def test_a_flaky_id_is_never_lost(runs: list[TestRun], after: TestRun) -> None:
    baseline = Baseline(tuple(runs))
    named = {item.id for item in regressions(baseline, after)}
    assert named.isdisjoint(baseline.flaky)


@given(st.lists(RUNS, min_size=1, max_size=3))
def test_the_same_run_again_loses_nothing(runs: list[TestRun]) -> None:
    assert regressions(Baseline(tuple(runs)), runs[-1]) == ()


def test_an_id_counts_under_its_new_name_and_under_the_old_one() -> None:
    baseline = Baseline((run(passing("a.py::x")),))

    def renamed(id_: str) -> str:
        return id_.replace("a.py", "b.py")

    assert regressions(baseline, run(passing("b.py::x")), renamed) == ()
    assert regressions(baseline, run(passing("a.py::x")), renamed) == ()
    (lost,) = regressions(baseline, run(passing("c.py::x")), renamed)
    assert (lost.kind, lost.id) == (RegressionKind.MISSING, "a.py::x")


def test_a_runner_that_is_no_longer_recognised_has_reported_nothing() -> None:
    baseline = Baseline((run(passing("a.py::x", "a.py::y")),))
    after = TestRun(passing("make test"), reader=TestReader.EXIT_CODE)
    (lost,) = regressions(baseline, after)
    assert (lost.kind, lost.tests) == (RegressionKind.NOTHING_RAN, 2)
