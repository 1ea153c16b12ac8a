"""The Python front-end lowers everything and refuses nothing but what is no Python 3."""

from __future__ import annotations

import re
import sysconfig
from pathlib import Path

import pytest

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import language_of, outline
from scaffold_cli.syntax.outline import ExprKind, Language, Stmt, StmtKind
from scaffold_cli.syntax.python import lower


def first(source: str) -> Stmt:
    return lower("a.py", source.encode()).body[0]


@pytest.mark.parametrize("path", sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::11], ids=lambda p: p.name)
def test_standard_library_lowers(path: Path) -> None:
    result = lower(str(path), path.read_bytes())
    assert result.problem is None
    assert all(1 <= item.line <= item.end_line <= result.lines for item in result.functions)
    assert all(1 <= item.line <= item.end_line <= result.lines for item in result.classes)


def test_functions_carry_dotted_names_visibility_and_parameters() -> None:
    method = "    @d(1)\n    async def f(self, a, *b, c=2, **k) -> int:\n        def g(): pass\n"
    result = lower("a.py", f"class A(B):\n{method}    def _h(self): pass\n".encode())
    names = {item.name: item for item in result.functions}
    assert set(names) == {"A.f", "A.f.g", "A._h"}
    assert [param.name for param in names["A.f"].params] == ["self", "a", "*b", "c", "**k"]
    assert names["A.f"].modifiers == {"async"}
    assert names["A.f"].owner == "A"
    assert names["A.f"].returns == "int"
    assert [names[name].is_public for name in ("A.f", "A.f.g", "A._h")] == [True, False, False]
    assert result.classes[0].bases[0].text == "B"


def test_else_if_is_one_statement() -> None:
    statement = first("if a:\n    pass\nelif b:\n    pass\nelse:\n    c()\n")
    assert statement.kind is StmtKind.IF
    assert [test.text for test in statement.exprs] == ["a", "b"]
    assert len(statement.blocks) == 3


def test_handlers_hold_types_and_name() -> None:
    (handler,) = first("try:\n    a()\nexcept (X, Y) as e:\n    raise\n").blocks[1]
    assert (handler.text, [item.text for item in handler.exprs]) == ("e", ["X", "Y"])


def test_chains_are_flat() -> None:
    value = first("x = a + b + c\n").exprs[0]
    assert (value.kind, len(value.parts)) == (ExprKind.BINARY, 3)
    both = first("x = a and b and c\n").exprs[0]
    assert (both.kind, len(both.parts)) == (ExprKind.AND, 3)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("a and f()", "if a:\n    f()"),
        ("a or f()", "if not a:\n    f()"),
        ("a and b and f()", "if a and b:\n    f()"),
        ("a or (b and f())", "if not a:\n    if b:\n        f()"),
        ("f() if a else g()", "if a:\n    f()\nelse:\n    g()"),
        ("f() if a else None", "if a:\n    f()"),
    ],
)
def test_a_choice_for_its_effect_is_an_if(short: str, long: str) -> None:
    assert shapes(short) == shapes(long)


def shapes(source: str) -> str:
    return re.sub(r"(end_)?line=\d+", "", repr(lower("x.py", f"{source}\n".encode()).body))


def test_match_statement_is_a_switch() -> None:
    statement = first("match x:\n    case 1 if y:\n        a()\n    case _:\n        b()\n")
    assert [(case.text, len(case.exprs)) for case in statement.blocks[0]] == [("guard", 2), ("", 0)]


def test_encodings() -> None:
    latin = "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1")
    assert lower("a.py", latin).body[0].exprs[0].text == "é"
    assert lower("a.py", b"\xef\xbb\xbfx = 1\n").problem is None


def test_problem_names_the_line() -> None:
    result = outline(FileVersion("a.py", b"x = 1\nprint 'x'\n"))
    assert result.problem is not None
    assert "line 2" in result.problem


def test_language_by_suffix_and_interpreter_line() -> None:
    assert language_of("a/b.py") is Language.PYTHON
    assert language_of("A.java") is Language.JAVA
    assert language_of("tool", b"#!/usr/bin/env python3\n") is Language.PYTHON
    assert language_of("notes.md") is Language.TEXT
