"""A refusal before a loop that gathers one by one is not gone with it when all is gathered at once."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import Effect
from tests.anchoring.judged import assert_accepted, judge

LOOP = (
    "def pay(users, items):\n{}    out = []\n    for item in items:\n        out.append(item.price)\n    return out\n"
)
AT_ONCE = "def pay(users, items):\n{}    return [item.price for item in items]\n"
GUARDS = {
    "who may": "    if not users.allowed:\n        raise PermissionError('no')\n",
    "how many": "    if len(items) > 100:\n        raise ValueError('too many')\n",
    "none at all": "    if not items:\n        raise RuntimeError('nothing to pay')\n",
}
STREAM = (
    "class Bill {{ List<Price> pay(List<Item> items) {{ if (items.isEmpty()) {{ throw new NothingToPay(); }} {} }} }}\n"
)
ADDED = "List<Price> out = new ArrayList<>(); for (Item item : items) { out.add(item.price()); } return out;"


def blocking(before: str, after: str, path: str = "app.py") -> set[str]:
    return {item.code for item in judge(before, after, path).violations if item.effect is Effect.BLOCKS}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_a_refusal_is_lost_though_the_loop_behind_it_is_a_comprehension_now(guard: str) -> None:
    assert "guard-lost" in blocking(LOOP.format(guard), AT_ONCE.format(""))


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_a_loop_may_become_a_comprehension_and_back(guard: str) -> None:
    assert_accepted(LOOP.format(guard), AT_ONCE.format(guard))
    assert_accepted(AT_ONCE.format(guard), LOOP.format(guard))


def test_a_stream_gathers_at_once_in_java() -> None:
    stream = "return items.stream().map(Item::price).collect(Collectors.toList());"
    before, kept = STREAM.format(ADDED), STREAM.format(stream)
    bare = kept.replace("if (items.isEmpty()) { throw new NothingToPay(); }", "")
    assert_accepted(before, kept, "Bill.java")
    assert "guard-lost" in blocking(before, bare, "Bill.java")
