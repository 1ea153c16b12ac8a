"""A large import file with one broken line."""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.memory.case import Case, CaseKind
from scaffold_cli.memory.portable import dump, load
from tests.memory.stores import store


def test_of_a_hundred_thousand_rows_only_the_broken_one_is_left_out(tmp_path: Path) -> None:
    rows = list(dump(Case(CaseKind.REPAIR, f"case {number}", f"x{number}", verdict="v") for number in range(200)))
    lines = rows * 500
    lines[77_777] = b'{"kind": "repair"\n'
    with store(tmp_path) as opened:
        done = load(lines, opened)
        assert len(opened) == done.new == 200
    assert done.known == 100_000 - 200 - 1
    assert [number for number, _ in done.broken] == [77_778]
