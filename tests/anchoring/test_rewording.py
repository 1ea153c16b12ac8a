"""A refusal in other words: kept where its text shows that it asks as much, weakened where nothing does."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import assert_accepted, assert_rejected, judge


def guard(test: str, helper: str = "", error: str = "ValueError('no')") -> str:
    """A function that refuses when `test` holds, behind a helper's definition."""
    return f"{helper}def go(user, doc, size, names):\n    if {test}:\n        raise {error}\n    return store(doc)\n"


AS_STRICT = {
    "a key in place of an attribute": ("user.mark != doc.mark", "user['mark'] != doc['mark']"),
    "a predicate of all that was compared": ("user.mark == doc.mark", "doc.repeats(user)"),
    "a list in place of another": ("user.kind not in OLD_KINDS", "user.kind not in KNOWN_KINDS"),
    "looked up in the same table": ("size not in WIDTHS", "not WIDTHS.get(count(doc))"),
    "one step more of the same": ("not opened(doc)", "not opened(doc).is_whole()"),
    "the same question by another method": ("not find(user).first()", "not find(user).remove()"),
    "with a margin": ("doc.end < now()", "doc.end < now() + 30"),
    "letters alike in what is forbidden": ("doc.kind in FORBIDDEN", "doc.kind.lower() in FORBIDDEN"),
    "what the catalogue ranks higher": ("doc.source.is_loopback", "doc.source.is_private"),
    "what turned round would be a weakening": ("doc.key != user.key[:len(doc.key)]", "doc.key != user.key"),
    "found anywhere, not at the start": ("doc.startswith(MARK)", "MARK in doc"),
}
WEAKER = {
    "what the catalogue ranks lower": ("doc.source.is_private", "doc.source.is_loopback"),
    "a part is compared": ("doc.key != user.key", "doc.key != user.key[:len(doc.key)]"),
    "another attribute of the same": ("not user.is_admin", "not user.is_active"),
    "one side is asked alone": ("user.name != doc.owner", "user.name == ''"),
    "of another thing": ("user.size > LARGEST", "doc.cost > LARGEST"),
    "the sides change places": ("size > LARGEST", "size < LARGEST"),
    "turned round": ("not fits(doc)", "fits(doc)"),
    "something else is asked": ("'..' in doc", "size > 9"),
    "another attribute of what is looked up": ("not load(doc).is_public", "not load(doc).is_large"),
    "no longer asks what the catalogue knows": ("not user.has_permission(doc)", "not user.has_picture(doc)"),
    "letters of one size only": ("doc.lower() == MARK", "doc == MARK"),
}


@pytest.mark.parametrize(("before", "after"), AS_STRICT.values(), ids=AS_STRICT)
def test_what_asks_as_much_passes(before: str, after: str) -> None:
    assert_accepted(guard(before), guard(after))


def test_values_named_in_one_line_are_read_as_themselves() -> None:
    named = (
        "def go(user, doc, size, names):\n    sent, kept = user.mark, doc.mark\n"
        "    if sent != kept:\n        raise ValueError('no')\n    return store(doc)\n"
    )
    assert_accepted(guard("user.mark != doc.mark"), named)
    assert_rejected(named, named.replace("sent != kept", "sent != sent"))


@pytest.mark.parametrize(("before", "after"), WEAKER.values(), ids=WEAKER)
def test_what_asks_something_else_fails(before: str, after: str) -> None:
    assert_rejected(guard(before), guard(after))


def test_a_new_predicate_counts_by_what_it_looks_at() -> None:
    before = guard("user.name != doc.owner")
    asking = "def owns(user, doc):\n    same = user.name == doc.owner\n    return same\n\n"
    idle = "def owns(user, doc):\n    same = True\n    return same\n\n"
    assert_accepted(before, guard("not owns(user, doc)", asking))
    assert_rejected(before, guard("not owns(user, doc)", idle))


def test_one_refusal_does_not_stand_in_for_another() -> None:
    two = (
        "def go(p):\n    if p.size > {}:\n        raise BadInput('size')\n"
        "    if p.cost < {}:\n        raise BadInput('cost')\n    store(p)\n"
    )
    constant = "NOTHING = 0\n\n"
    before = two.format("MOST", "0")
    assert_accepted(before, constant + two.format("MOST", "NOTHING"))
    lost = before.replace("raise BadInput('size')", "print('size')").replace("p.cost < 0", "p.cost < NOTHING")
    assert_rejected(before, constant + lost)


def test_a_branch_more_before_a_refusal_of_the_rest_passes_in_java() -> None:
    text = (
        "class A {{ Object go(Object a) throws Bad {{ if (a instanceof Long) {{ return one(a); }}"
        " if (a instanceof Short) {{ return two(a); }} {} throw new Bad(a); }} }}\n"
    )
    assert_accepted(text.format(""), text.format("if (a instanceof Date) { return three(a); }"), "A.java")


ONE_CHECK = "def go(request):\n    form = make(request.data)\n{}    form.save()\n    return form\n"
RAISES_ITSELF = ONE_CHECK.format("    form.is_valid(raise_exception=True)\n")


@pytest.mark.parametrize("ending", ["raise Invalid(form.errors)", "return Response(form.errors, status=400)"])
def test_a_check_that_raised_itself_may_be_asked_by_its_caller(ending: str) -> None:
    asked = ONE_CHECK.format(f"    if not form.is_valid():\n        {ending}\n")
    assert_accepted(RAISES_ITSELF, asked)


@pytest.mark.parametrize("instead", ["    form.is_valid()\n", "    if not form.is_valid():\n        print('bad')\n"])
def test_its_answer_must_be_heeded(instead: str) -> None:
    assert_rejected(RAISES_ITSELF, ONE_CHECK.format(instead))


def test_a_value_that_cannot_be_guessed_is_known_by_names_with_digits() -> None:
    before = "import uuid\n\ndef start(user):\n    user.mark = str(uuid.uuid4())\n    user.save()\n"
    assert_rejected(before, before.replace("uuid4", "uuid1"))
    assert judge(before.replace("uuid4", "uuid1"), before).status is LayerStatus.PASS
