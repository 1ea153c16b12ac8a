"""Chains of a proposer that degrades: what each way of gating lets through, and the measures over them."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.chains.__main__ import programs
from benchmarks.chains.figures import summed_up
from benchmarks.chains.modes import MODES
from benchmarks.chains.running import Chain, run

_SOUND = Chain("p", 0, "full", 3, 3, True, 1, 0, 3, 3, (1, 1, 1, 0), True, True, False, 0.5, 1, 1, 1.0)


def test_the_measures_are_those_of_the_paper() -> None:
    latent = replace(_SOUND, secure=False, findings=(1, 1), handler_lost=True, complete=False, mended_steps=0)
    seen = replace(latent, findings=(0, 2, 1), cev=1.0)
    found = summed_up([_SOUND, latent, seen, _SOUND])
    assert (found["DR"], found["SSDR"], found["RDR"]) == (25.0, 25.0, 50.0)
    assert found["attack succeeds at the end"] == 50.0
    assert found["SMR"] == 88.9  # of nine steps one found more than the step before
    assert found["delta V"] == -0.25
    assert (found["CEV"], found["task completion"], found["fix success"]) == (0.625, 50.0, 50.0)
    assert (found["degrading steps accepted"], found["preserving steps accepted"]) == ("0 of 4", "12 of 12")
    assert summed_up([])["DR"] is None


def test_a_protection_only_the_anchors_see_is_lost_without_them_and_kept_with_them() -> None:
    (program,) = programs(("755",))
    modes = {mode.name: mode for mode in MODES}
    without, with_them = (run(program, 0, modes[name], steps=2, retries=1) for name in ("sast", "anchors"))
    assert without.degrading_accepted == 1
    assert (without.secure, without.handler_lost, without.findings[-1]) == (False, True, 0)
    assert with_them.degrading_proposed >= 1
    assert (with_them.degrading_accepted, with_them.secure, with_them.handler_lost) == (0, True, False)
