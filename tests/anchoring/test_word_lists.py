"""Word lists: each finds the names it should, passes over the others, and is one the rules use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import scaffold_cli.anchoring
from scaffold_cli.anchoring.word_lists import Listed, WordList, word_lists
from scaffold_cli.model.errors import InternalFaultError

LISTS = list(word_lists().values())


@pytest.mark.parametrize("listed", LISTS, ids=lambda listed: listed.id)
def test_a_list_finds_its_examples(listed: Listed) -> None:
    words = WordList(listed.id)
    assert listed.title.endswith(".")
    assert listed.found
    assert listed.passed
    assert [name for name in listed.found if words.find(name) is None] == []
    assert [name for name in listed.passed if words.find(name) is not None] == []


def test_the_rules_use_every_list_and_no_other() -> None:
    sources = Path(scaffold_cli.anchoring.__file__).parent.rglob("*.py")
    used = {name for path in sources for name in re.findall(r'WordList\("([^"]*)"\)', path.read_text("utf-8"))}
    assert used == {listed.id for listed in LISTS}


def test_a_list_that_is_not_there_is_a_fault_of_the_installation() -> None:
    with pytest.raises(InternalFaultError):
        WordList("nowhere").find("name")
