"""Waivers that stand in a configuration: their form, their last day, and the folders they come from."""

from __future__ import annotations

import pytest

from scaffold_cli.config.loading import load_policy
from scaffold_cli.config.waivers import standing
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import Waiver
from tests.config.trees import MemoryTree

TODAY = "2027-06-30"


def waivers(**files: str) -> tuple[Waiver, ...]:
    names = {name.replace("_", "/") + ".toml": text for name, text in files.items()}
    return standing(load_policy(MemoryTree(names), ["a/b.py"]), TODAY)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sast-1: it is a fixture", "it is a fixture"),
        ("sast-1 until 2027-06-30: until tonight", "until tonight"),
        ("  sast-1   until 2027-07-01 :  see https://x.test/1: later  ", "see https://x.test/1: later"),
    ],
)
def test_a_waiver_holds_to_the_end_of_its_last_day(text: str, reason: str) -> None:
    assert waivers(scaffold=f"waivers = ['{text}']") == (Waiver("sast-1", reason, standing=True),)


def test_an_expired_waiver_is_as_good_as_none() -> None:
    assert waivers(scaffold="waivers = ['sast-1 until 2027-06-29: too late']") == ()


def test_every_folder_may_have_its_own() -> None:
    found = waivers(scaffold="waivers = ['sast-1: one']", a_scaffold="waivers = ['sast-2: two']")
    assert {waiver.violation for waiver in found} == {"sast-1", "sast-2"}


@pytest.mark.parametrize("text", ["", "sast-1", "sast-1:", "sast-1 until: x", "sast-1 until 2027-02-30: x", "a b: x"])
def test_what_is_no_waiver_is_named(text: str) -> None:
    with pytest.raises(UsageError) as raised:
        waivers(scaffold=f"waivers = ['{text}']")
    assert repr(text) in raised.value.message
