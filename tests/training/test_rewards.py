"""The worked values of the fact sheet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.errors import UsageError
from scaffold_cli.training.rewards import Constants, Form, cycle, reward

CODE = [
    ((1, 1), 1.0250, 1.0, 2.5125),
    ((0, 1), 1.5, 2.0, 3.75),
    ((1, 0), -0.5, -1.0, -0.25),
    ((0, 0), -0.5, 0.0, 0.75),
    ((0, 0, 1), 1.0498, 1.5, 3.0249),
    ((0, 1, 1), 1.2388, 1.5, 3.1194),
    ((1, 0, 1), 1.0498, 0.5, 2.0249),
    ((1, 1, 1), 1.0250, 0.5, 2.0125),
    ((1, 1, 0), -0.2637, -1.0, -0.1318),
    ((0, 0, 0, 1), 0.9018, 0.8333, 2.2842),
    ((0, 0, 0, 0, 1), 0.8292, 0.5833, 1.9979),
    ((0, 0, 0, 0, 0, 1), 0.7868, 0.4500, 1.8434),
    ((0, 0, 0, 0, 0, 0, 1), 0.7594, 0.3667, 1.3719),
    ((0.5, 1), 1.5, 1.5, 3.25),
    ((0.9, 1), 1.3808, 1.1, 2.7904),
    ((1, 0.9), 0.5192, 0.8, 2.0596),
    ((0.5, 0.5), 0.0, 0.5, 1.5),
    ((0.8, 0.9, 0.8), 0.7620, 0.4, 1.7810),
]
PAPER = [
    ((0, 0, 0, 0, 1), 0.8292, 0.5833, 1.7767),
    ((0.5, 1), 1.5, 1.5, 3.25),
    ((0.9, 1), 1.3808, 1.1, 2.7904),
    ((1, 0.9), -0.3808, -0.1, 0.7096),
    ((0.5, 0.5), -0.5, 0.0, 0.75),
    ((0.8, 0.9, 0.8), -0.0380, 0.0, 0.9810),
]


@pytest.mark.parametrize(
    ("form", "scores", "r_traj", "e", "total"),
    [(Form.CODE, *row) for row in CODE] + [(Form.PAPER, *row) for row in PAPER],
)
def test_worked_values(form: Form, scores: tuple[float, ...], r_traj: float, e: float, total: float) -> None:
    made = reward(True, scores, form)
    assert (made.trajectory, made.efficiency, made.total) == pytest.approx((r_traj, e, total), abs=6e-5)
    assert made.final == scores[-1]


@pytest.mark.parametrize(
    ("n", "p"), [(0, 0), (1, 1), (5, 1), (6, 0.4983), (7, 0.3149), (8, 0.2003), (9, 0.1610), (10, 0.1314)]
)
def test_cycle_regulation_of_the_code(n: int, p: float) -> None:
    assert cycle(n) == pytest.approx(p, abs=5e-5)


@pytest.mark.parametrize(("n", "p"), [(0, 1), (3, 1), (4, 0.7783), (5, 0.6463), (6, 0.4983)])
def test_cycle_regulation_of_the_paper(n: int, p: float) -> None:
    assert cycle(n, Form.PAPER, Constants(n0=3)) == pytest.approx(p, abs=5e-5)


@pytest.mark.parametrize("valid", [True, False])
@pytest.mark.parametrize("scores", [(), (1,)])
def test_without_a_reflection_only_the_format_counts(valid: bool, scores: tuple[float, ...]) -> None:
    assert reward(valid, scores).total == float(valid)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8), st.sampled_from(Form))
def test_an_invalid_trajectory_earns_nothing(scores: list[float], form: Form) -> None:
    assert reward(False, scores, form).total == 0.0


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=5))
def test_while_scores_are_binary_both_forms_agree_up_to_three_reflections(scores: list[float]) -> None:
    if len(scores) <= 4:
        assert reward(True, scores, Form.CODE).total == pytest.approx(reward(True, scores, Form.PAPER).total)


def test_a_score_outside_the_range_is_refused() -> None:
    with pytest.raises(UsageError):
        reward(True, (0.0, 1.5))
