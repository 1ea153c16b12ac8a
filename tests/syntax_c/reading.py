"""Read C and C++ for the tests of this folder."""

from __future__ import annotations

from scaffold_cli.syntax import c
from scaffold_cli.syntax.outline import Function, Outline
from tests.support.spelling import spell, spell_block


def read(source: str, path: str = "a.c") -> Outline:
    """The outline of text that has no problem."""
    found = c.lower(path, source.encode())
    assert found.problem is None, found.problem
    return found


def function(source: str, path: str = "a.c") -> Function:
    """The first function of a text."""
    return read(source, path).functions[0]


def statements(source: str, path: str = "a.c") -> list[str]:
    """A function body, spelled."""
    return spell_block(function(f"int f(int n) {{\n{source}\n}}\n", path).body)


def expression(source: str, path: str = "a.c") -> str:
    """What is given to a variable, spelled."""
    return spell(function(f"int f(void) {{ v = {source}; }}", path).body[0].exprs[0])
