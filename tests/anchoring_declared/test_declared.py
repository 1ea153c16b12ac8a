"""Protections that are declared in files of deployment, build, CI, templates and settings."""

from __future__ import annotations

import pytest

from scaffold_cli.anchoring.declared.looking import declared
from scaffold_cli.model.change import Change, FileChange, FileVersion
from tests.anchoring_declared.cases import KEPT, LOST


def codes(path: str, before: str, after: str) -> set[str]:
    sides = FileVersion(path, before.encode()), FileVersion(path, after.encode())
    return {found.code for found in declared(Change.of([FileChange(*sides)]))}


@pytest.mark.parametrize("name", LOST)
def test_what_is_lost_is_named_and_its_return_is_welcome(name: str) -> None:
    path, before, after, code = LOST[name]
    assert before != after
    assert code in codes(path, before, after)
    assert codes(path, after, before) <= {"submodule-moved-away"}


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_is_not_complained_about(name: str) -> None:
    path, before, after = KEPT[name]
    assert before != after
    assert codes(path, before, after) == set()
