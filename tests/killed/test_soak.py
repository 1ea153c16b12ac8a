"""A chain of many steps leaves nothing behind on its way; `python -m benchmarks.soak` runs a long one."""

from __future__ import annotations

from benchmarks.soak import grown, soak


def test_twelve_steps_open_no_files_keep_no_temporary_ones_and_cost_git_the_same_each() -> None:
    samples = soak(12, 2)
    assert grown(samples) == []
    assert {sample.temporary for sample in samples} == {0}
    assert len({sample.open_files for sample in samples}) == 1
