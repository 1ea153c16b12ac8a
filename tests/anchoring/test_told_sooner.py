"""What is skipped because it cannot matter would have come out the same."""

from __future__ import annotations

import inspect
import smtplib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.anchoring.facts import units_of
from scaffold_cli.anchoring.forms import Forms
from scaffold_cli.anchoring.library import library_of
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.reading import read
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.strength import _RUNTIME, asks_runtime
from scaffold_cli.anchoring.values.pasting import _QUERY_WORD, _speaks_of_queries
from scaffold_cli.syntax import python
from scaffold_cli.syntax.outline import Expr

_BODY = """
LIMIT = 4096
def check(name, size):
    place = name.strip()
    return size < LIMIT and place
def use(name, size):
    if not check(size=size, name=name) or size > LIMIT:
        raise ValueError(name)
"""
_SOURCES = (inspect.getsource(smtplib).encode(), _BODY.encode())


def _bodies() -> Iterator[tuple[Forms, Normaliser, Normaliser, list[Expr]]]:
    """The forms of each body, those two that may be shared made apart, and its expressions."""
    for source in _SOURCES:
        outline = python.lower("a.py", source)
        library = library_of(outline)
        for unit in units_of(outline):
            reading = read(unit.block)
            scope = Scope(unit.function.params if unit.function is not None else (), reading)
            bare = Normaliser(scope, shape=True, inline=False)
            yield Forms(scope, library, reading), bare, Normaliser(scope, library=library), list(reading.nodes)


def test_forms_that_are_one_read_as_two_would() -> None:
    shared = 0
    for forms, bare, full, nodes in _bodies():
        shared += (forms.bare is forms.shape) + (forms.full is forms.exact)
        for node in nodes:
            assert forms.bare.render(node) == bare.render(node)
            assert forms.full.condition(node, True) == full.condition(node, True)
            assert forms.full.condition(node, False) == full.condition(node, False)
    assert shared > 20


def test_what_a_file_says_of_a_name_is_followed() -> None:
    outline = python.lower("a.py", _BODY.encode())
    library = library_of(outline)
    unit = next(unit for unit in units_of(outline) if unit.symbol == "use")
    forms = Forms(Scope.of((), unit.block), library, read(unit.block))
    test = unit.block[0].exprs[0]
    assert "4096" in str(forms.full.condition(test, True))
    assert "4096" not in str(forms.exact.condition(test, True))


_WORDS = st.lists(
    st.sampled_from(
        ["java", "Python", "VERSION", "version", "_", "Info", "hexversion", "sys.", "SELECT", "where", " ", "\n"]
    )
).map("".join)


@given(_WORDS)
def test_versions_are_recognised_as_by_their_words(literal: str) -> None:
    assert asks_runtime([literal]) == (_RUNTIME.find(literal) is not None)


@given(_WORDS)
def test_queries_are_recognised_as_by_their_pattern(text: str) -> None:
    assert _speaks_of_queries(text) == (_QUERY_WORD.search(text) is not None)


@pytest.mark.parametrize("text", ["Select * from t", "x = 'UPDATE t'", "elsewhere", "order\tby"])
def test_queries_in_any_letters(text: str) -> None:
    assert _speaks_of_queries(text) == (_QUERY_WORD.search(text) is not None)
