"""The rewards of ReflexiCoder, in the form of the authors' code and in the paper's (our choices RC-1 and RC-8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli.model.errors import UsageError


class Form(StrEnum):
    """Which form of P, R_traj and E, all three together."""

    CODE = "code"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Constants:
    """Fact sheet 2.7; `n0` belongs to the paper form, `free` and `offset` to that of the code."""

    alpha: float = 0.1
    beta: float = 2.0
    gamma: float = 0.05
    delta: float = 0.1
    lambda_: float = 0.2
    scale: float = 0.1
    eps: float = 1e-4
    h_pos: float = 0.05
    h_neg: float = 1.0
    r_max: float = 1.0
    eta: float = 0.5
    epsilon: float = 1e-6
    tau_q: float = 1.0
    """The paper's quality threshold (our choice RC-2)."""
    xi: float = 1.0
    phi: float = 0.5
    psi: float = 1.0
    free: int = 5
    offset: int = 3
    n0: int = 3


@dataclass(frozen=True, slots=True)
class Reward:
    """The parts and their sum.

    `final` is the score of the last answer: the reward alone misleads as a quality score.
    """

    form: Form
    format: float
    cycle: float
    trajectory: float
    efficiency: float
    total: float
    final: float


def reward(valid: bool, scores: Sequence[float], form: Form = Form.CODE, constants: Constants | None = None) -> Reward:
    """R = ξ·F + φ·P·R_traj + ψ·P·E for the scores r_0..r_n of the n+1 answers, each in [0, 1].

    An invalid trajectory, or one without a reflection, has zero terms. Raises UsageError for a score outside [0, 1].
    """
    c = constants or Constants()
    if any(not 0.0 <= score <= 1.0 for score in scores):
        raise UsageError("A score lies between 0 and 1.")
    gate = 1.0 if valid else 0.0
    n = len(scores) - 1
    if not valid or n < 1:
        return Reward(form, gate, 0.0, 0.0, 0.0, c.xi * gate, scores[-1] if scores else 0.0)
    p, r_traj, e = cycle(n, form, c), trajectory(scores, form, c), efficiency(scores, form, c)
    return Reward(form, gate, p, r_traj, e, c.xi * gate + c.phi * p * r_traj + c.psi * p * e, scores[-1])


def cycle(n: int, form: Form = Form.CODE, constants: Constants | None = None) -> float:
    """Cycle regulation P(n) of n reflections."""
    c = constants or Constants()
    if form is Form.PAPER:
        return 1.0 if n <= c.n0 else _damping(n - c.n0, c)
    if n == 0:
        return 0.0
    return 1.0 if n <= c.free else _damping(n - c.offset, c)


def _damping(k: int, c: Constants) -> float:
    """f(k) = 1/(1 + α·k^β) · exp(−γ·k) · [1 − δ·sin(π/2·k)]."""
    return (
        1.0 / (1.0 + c.alpha * math.pow(k, c.beta)) * math.exp(-c.gamma * k) * (1 - c.delta * math.sin(math.pi / 2 * k))
    )


def trajectory(scores: Sequence[float], form: Form = Form.CODE, constants: Constants | None = None) -> float:
    """Iterative quality R_traj = first + η·Σ w_t·m_t.

    First is r_n in the code form, 1[r_n = r_max] in that of the paper.
    """
    c = constants or Constants()
    n = len(scores) - 1
    weights = [math.exp(c.lambda_ * t) for t in range(1, n + 1)]
    steps = [_step(scores[t - 1], scores[t], c) for t in range(1, n + 1)]
    quality: float = sum(weight * step for weight, step in zip(weights, steps, strict=True)) / sum(weights)
    last = scores[-1]
    first = last if form is Form.CODE else float(abs(last - c.r_max) <= c.eps)
    return first + c.eta * quality


def _step(before: float, after: float, c: Constants) -> float:
    """m_t: how good one reflection was."""
    difference = after - before
    if abs(difference) > c.eps:
        return math.tanh(difference / c.scale)
    return c.h_pos if abs(before - c.r_max) <= c.eps else -c.h_neg


def efficiency(scores: Sequence[float], form: Form = Form.CODE, constants: Constants | None = None) -> float:
    """E(n) = first + (r_n − r_0)/(max(1, n − 1) + ε).

    First is r_n/n in the code form, 1[r_n ≥ τ_q]/n in that of the paper.
    """
    c = constants or Constants()
    n = len(scores) - 1
    last = scores[-1]
    first = (last if form is Form.CODE else float(last >= c.tau_q)) / n
    return first + (last - scores[0]) / (max(1, n - 1) + c.epsilon)
