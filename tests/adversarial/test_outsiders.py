"""What somebody tried who had not seen the code is stopped by `scaffold check`, and honest changes are not."""

from __future__ import annotations

import pytest

from tests.adversarial.arena import Arena
from tests.adversarial.outsiders import (
    accounts,
    attributes,
    carts,
    checks,
    code,
    forms,
    languages,
    letters,
    neighbours,
    notices,
    origins,
    policies,
    runners,
    unheeded,
    variants,
    wards,
)
from tests.support.repos import commit

_TABLES = (
    accounts,
    attributes,
    carts,
    checks,
    code,
    forms,
    languages,
    letters,
    neighbours,
    notices,
    origins,
    policies,
    runners,
    unheeded,
    variants,
    wards,
)
ATTEMPTS = {name: pair for table in _TABLES for name, pair in table.ATTEMPTS.items()}
HONEST = {name: pair for table in _TABLES for name, pair in getattr(table, "HONEST", {}).items()}


@pytest.mark.parametrize("name", ATTEMPTS)
def test_attempt_is_stopped(arena: Arena, name: str) -> None:
    base, candidate = ATTEMPTS[name]
    commit(arena.repo, base, "Base")
    result = arena.judge(candidate)
    assert result.stopped, result.text


@pytest.mark.parametrize("name", HONEST)
def test_harmless_change_is_accepted(arena: Arena, name: str) -> None:
    base, candidate = HONEST[name]
    commit(arena.repo, base, "Base")
    result = arena.judge(candidate)
    assert result.code == 0, result.codes
