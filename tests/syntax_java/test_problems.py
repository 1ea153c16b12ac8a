"""Java text that cannot be read, and text in every encoding and line end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax import java
from scaffold_cli.syntax.frontends import has_front_end, outline
from scaffold_cli.syntax.outline import Language
from tests.syntax_java.spelling import read, spell_outline

SOURCE = 'class A {\n  // caf\u00e9\n  String f() { return "caf\u00e9"; }\n}\n'


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("class A {\n  void f() {\n    int a = ;\n  }\n}\n", "line 3"),
        ("class A {\n  void f() {\n    int a = b\n  }\n}\n", "line 3: ';' is missing"),
        ("class A {\n  void f() {\n", "line "),
        ("public int f( {", "line 1"),
        ("<html></html>", "line 1"),
        ("class A {\n<<<<<<< HEAD\n int a;\n=======\n int b;\n>>>>>>> x\n}", "line 2"),
    ],
)
def test_bad_source_is_a_problem_with_its_line(source: str, problem: str) -> None:
    found = read(source)
    assert found.problem is not None
    assert found.problem.startswith(problem)
    assert found.functions == ()
    assert found.lines == source.count("\n") + 1


def test_nothing_at_all_is_an_empty_file() -> None:
    assert read("").problem is None
    assert read("// only a remark\n").functions == ()


@pytest.mark.parametrize(
    "data",
    [
        SOURCE.encode("utf-8"),
        SOURCE.encode("utf-8-sig"),
        SOURCE.encode("utf-16"),
        SOURCE.encode("latin-1"),
        SOURCE.replace("\n", "\r\n").encode(),
        SOURCE.replace("\n", "\r").encode(),
    ],
    ids=["UTF-8", "BOM", "UTF-16", "Latin-1", "CRLF", "CR"],
)
def test_encodings_and_line_ends_do_not_matter(data: bytes) -> None:
    found = read(data)
    assert spell_outline(found) == spell_outline(read(SOURCE))
    assert found.functions[0].line == 3


@pytest.mark.parametrize("reader", list(java.Reader))
@pytest.mark.parametrize(
    "source",
    [
        "class A { void f() { " + "if (a) { " * 2000 + "}" * 2000 + " } }",
        "class A { int a = " + "(" * 3000 + "1" + ")" * 3000 + "; }",
        "class A { int a = " + "f(" * 3000 + "1" + ")" * 3000 + "; }",
        "class A { Object a = b" + ".c()" * 3000 + "; }",
        "class A { int a = " + "1 + " * 3000 + "1; }",
    ],
    ids=["blocks", "parentheses", "calls", "chain", "sum"],
)
def test_deep_nesting_is_read_or_is_a_problem(source: str, reader: java.Reader) -> None:
    found = read(source, reader)
    assert found.problem is None or "deeply" in found.problem


def test_a_long_chain_of_else_if_is_read() -> None:
    source = "class A { void f() { " + " else ".join(f"if (a == {n}) g();" for n in range(1500)) + " } }"
    found = read(source)
    assert found.problem is None
    assert len(found.functions[0].body[0].exprs) == 1500


@given(st.binary(max_size=300), st.sampled_from(list(java.Reader)))
def test_no_bytes_make_it_fail(data: bytes, reader: java.Reader) -> None:
    assert java.lower("A.java", data, reader).language is Language.JAVA


TOKENS = """
class A { } ( ) ; , . = + - ! < > :: -> ? : [ ] @ int x 1 'c' "s" new this super if else for while do switch case
default try catch finally return throw yield record enum interface instanceof void import static public /* */ //
"""
PIECES = st.lists(st.sampled_from([*TOKENS.split(), '"""', "\n"]), max_size=60)


@given(PIECES, st.sampled_from(list(java.Reader)))
def test_no_run_of_tokens_makes_it_fail(pieces: list[str], reader: java.Reader) -> None:
    java.lower("A.java", f"class B {{ void f() {{ {' '.join(pieces)} }} }}".encode(), reader)
    java.lower("A.java", " ".join(pieces).encode(), reader)


def test_java_files_find_their_front_end() -> None:
    assert has_front_end(Language.JAVA)
    assert outline(FileVersion("a/A.java", b"class A { }")).classes[0].name == "A"
