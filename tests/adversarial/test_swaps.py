"""One-line swaps that keep the shape of a check are rejected; honest changes that look like them are accepted.

`swaps/*.txt` hold the cases: a line ``#### attack PATH NAME`` or ``#### honest PATH NAME``, the text before, a line of
four dashes, the text after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

FOLDER = Path(__file__).with_name("swaps")
Swap = tuple[str, str, str, str]
"""Word (attack, honest), path, text before, text after."""


def swaps() -> Iterator[tuple[str, Swap]]:
    """Every case with its name: the kind and what is done."""
    for source in sorted(FOLDER.glob("*.txt")):
        for text in re.split(r"(?m)^#### ", source.read_text(encoding="utf-8"))[1:]:
            head, _, body = text.partition("\n")
            word, path, name = head.split(" ", 2)
            before, dashes, after = body.partition("\n----\n")
            assert word in ("attack", "honest"), head
            assert dashes, head
            yield f"{source.stem}: {name}", (word, path, f"{before}\n", after)


SWAPS = list(swaps())


ATTACKS = {name: swap for name, swap in SWAPS if swap[0] == "attack"}
HONEST = {name: swap for name, swap in SWAPS if swap[0] == "honest"}
assert len(ATTACKS) + len(HONEST) == len(SWAPS), "two cases have one name"


@pytest.mark.parametrize("swap", ATTACKS.values(), ids=ATTACKS)
def test_swap_is_stopped(swap: Swap) -> None:
    _, path, before, after = swap
    assert judge(before, after, path).status is LayerStatus.FAIL


@pytest.mark.parametrize("swap", HONEST.values(), ids=HONEST)
def test_harmless_change_that_looks_like_a_swap_is_accepted(swap: Swap) -> None:
    _, path, before, after = swap
    result = judge(before, after, path)
    assert result.status is LayerStatus.PASS, [violation.what for violation in result.violations]


ONE_WAY = {
    "switches: env switch early",
    "switches: rate key fresh",
    "undone: unescape around escape",
    "undone: unescape later",
    "fail_open: or master",
    "marks: require_POST",
    "partial: skip condition literal",
    "partial: while to if",
    "wider: admins grow",
    "wider: role (Java)",
    "checked_form: split on the checked value only",
    "checked_form: checked part (Java)",
    "undone: unescape around (Java)",
    "dynamic: check returns early",
    "one_time: other recorded",
    "order: in condition",
    "routes: permission classes",
    "wider: isalnum to isprintable",
    "wider: else branch",
    "wider: anyRequest permitAll",
}
"""Attacks whose text reads as a protection of its own, so that taking it away again is told, too."""
UNDONE = {name: swap for name, swap in ATTACKS.items() if name not in ONE_WAY}


@pytest.mark.parametrize("swap", UNDONE.values(), ids=UNDONE)
def test_harmless_undoing_of_a_swap_is_accepted(swap: Swap) -> None:
    _, path, before, after = swap
    result = judge(after, before, path)
    assert result.status is LayerStatus.PASS, [violation.what for violation in result.violations]
