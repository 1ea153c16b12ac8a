"""Java in short text."""

from __future__ import annotations

from scaffold_cli.syntax import java
from scaffold_cli.syntax.outline import Outline
from tests.support.spelling import spell, spell_block, spell_class, spell_function, spell_outline

__all__ = ["expression", "read", "spell", "spell_block", "spell_class", "spell_function", "spell_outline", "statements"]


def read(source: str | bytes, reader: java.Reader = java.Reader.TREE_SITTER) -> Outline:
    """The outline of Java source."""
    return java.lower("A.java", source.encode() if isinstance(source, str) else source, reader)


def statements(source: str) -> list[str]:
    """The body of a method with these statements."""
    found = read(f"class A {{ void f() {{ {source}\n }} }}")
    assert found.problem is None, found.problem
    return spell_block(next(function for function in found.functions if function.name == "A.f").body)


def expression(source: str) -> str:
    """One expression."""
    found = read(f"class A {{ void f() {{ x = {source}; }} }}")
    assert found.problem is None, found.problem
    statement = next(function for function in found.functions if function.name == "A.f").body[0]
    return spell(statement.exprs[0])
