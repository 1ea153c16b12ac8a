"""Normal forms: equal meaning, equal form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.syntax.outline import Expr
from scaffold_cli.syntax.python import lower


def expression(source: str) -> Expr:
    return lower("x.py", f"x = ({source})\n".encode()).body[0].exprs[0]


def refusals(source: str) -> frozenset[frozenset[str]]:
    return frozenset(Normaliser(Scope.of((), ())).refusals(expression(source)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("not (a and b)", "not a or not b"),
        ("not (a or b)", "not a and not b"),
        ("not a < b", "b <= a"),
        ("a > b", "b < a"),
        ("not a == b", "a != b"),
        ("x is None", "None == x"),
        ("a in (1, 2)", "a == 1 or 2 == a"),
        ("a not in [1, 2]", "a != 1 and a != 2"),
        ("len(a) == 0", "not a"),
        ("a < b < c", "a < b and b < c"),
        ("any(p(x) for x in xs)", "any([p(y) for y in xs][0:]) or p(x)"),
        ("a == 2 ** 10", "a == 1024"),
        ("f'{a} is bad'", "'%s is worse' % a"),
        ("'{}!'.format(a)", "'' + a + '!'"),
        ("self.x == 1", "x == 1"),
        ("a in (1, 2, 3, 4, 5) and b in (1, 2, 3, 4, 5)", "b in (1, 2, 3, 4, 5) and a in [1, 2, 3, 4, 5]"),
    ],
)
def test_equal_conditions_have_equal_forms(one: str, other: str) -> None:
    if one.startswith("any"):
        assert refusals(one) <= refusals(other)
    else:
        assert refusals(one) == refusals(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a < b", "a <= b"),
        ("a", "not a"),
        ("a and b", "a or b"),
        ("a.b", "a.c"),
        ("a in (1, 2, 3, 4, 5) and b in (1, 2, 3, 4, 5)", "a in (1, 2, 3, 4, 5) and b in (1, 2, 3, 4, 6)"),
    ],
)
def test_different_conditions_have_different_forms(one: str, other: str) -> None:
    assert refusals(one) != refusals(other)


NAMES = ("a", "b", "c")
conditions = st.recursive(
    st.sampled_from(NAMES),
    lambda inner: st.one_of(
        inner.map(lambda text: f"not ({text})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
    ),
    max_leaves=6,
)


@given(conditions, st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_the_normal_form_holds_exactly_when_the_condition_does(source: str, values: tuple[bool, bool, bool]) -> None:
    world = dict(zip(NAMES, values, strict=True))
    expected = bool(eval(source, {}, world))
    form = any(all(_literal(literal, world) for literal in term) for term in refusals(source))
    assert form is expected


def _literal(text: str, world: dict[str, bool]) -> bool:
    return not world[text[1:]] if text.startswith("!") else world[text]
