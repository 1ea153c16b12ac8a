"""A short run of the fuzz targets; `make fuzz` makes the long one."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.targets import SLOW, TARGETS, mutated


@pytest.mark.parametrize("name", TARGETS)
def test_bad_input_gives_a_result_or_a_clear_error(name: str) -> None:
    target = TARGETS[name]

    @settings(max_examples=5 if name in SLOW else 60)
    @given(st.integers(min_value=0), st.binary(max_size=40))
    def attempt(seed: int, tail: bytes) -> None:
        with contextlib.suppress(*target.expected):
            target.run(mutated(target.samples, random.Random(seed)) + tail)

    attempt()
