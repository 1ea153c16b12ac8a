"""Every attack on the text of a change is stopped by `scaffold check`, and harmless changes are not."""

from __future__ import annotations

import pytest

from tests.adversarial.arena import Arena
from tests.adversarial.attacks import ATTACKS, HARMLESS


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_stopped(arena: Arena, name: str) -> None:
    result = arena.judge(ATTACKS[name])
    assert result.stopped, result.text
    assert result.codes or result.code == 3


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_change_is_accepted(arena: Arena, name: str) -> None:
    result = arena.judge(HARMLESS[name])
    assert result.code == 0, result.codes
