"""Text that macros keep a grammar from reading: what parses counts, what does not is kept as text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax import c
from scaffold_cli.syntax.frontends import has_front_end, language_of, outline
from scaffold_cli.syntax.outline import Function, Language, StmtKind, walk
from tests.support.spelling import spell_block
from tests.syntax_c.reading import read

_GOOD = "int {name}(int n)\n{{\n  if (n > MAX)\n    return -1;\n  return g(n);\n}}\n"


def _others(function: Function) -> list[str]:
    return [one.text for one in walk(function.body) if one.kind is StmtKind.OTHER]


@pytest.mark.parametrize(
    "broken",
    [
        "int bad(int n)\n{\n  FOREACH(x, list {\n    use(x);\n  }\n  return 0;\n}\n",
        "int bad(int n)\n{\n#ifdef A\n  if (n) {\n#else\n  if (!n) {\n#endif\n    use(n);\n  }\n  return 0;\n}\n",
        "int bad(int n)\n{\n  x = = 2;\n  return 0;\n}\n",
    ],
)
def test_an_error_in_one_function_leaves_the_others_whole(broken: str) -> None:
    found = read(_GOOD.format(name="first") + broken + _GOOD.format(name="last"))
    by_name = {one.name: one for one in found.functions}
    assert {"first", "last"} <= set(by_name)
    for name in ("first", "last"):
        assert spell_block(by_name[name].body)[:2] == ["if compare:>(name:n, name:MAX)", "  raise number:-1"]
        assert not _others(by_name[name])


def test_lines_stay_right_when_a_file_is_read_piece_by_piece() -> None:
    broken = "int bad(int n)\n{\n#ifdef A\n  if (n) {\n#else\n  if (!n) {\n#endif\n    use(n);\n  }\n}\n"
    found = read(broken + _GOOD.format(name="last"))
    last = next(one for one in found.functions if one.name == "last")
    assert (last.line, last.end_line, last.body[0].line) == (11, 16, 13)


def test_a_function_with_errors_is_not_read_as_loose_statements() -> None:
    source = "f(struct a *b, struct c *d)\n{\n  int n = 1;\n  if (n > MAX)\n    goto fail;\n"
    found = read(source + "  list_for_each(x, &d->list, head) {\n    use(x);\n  }\nfail:\n  return -1;\n}\n")
    assert [one.name for one in found.functions] == ["f"]
    assert spell_block(found.functions[0].body)[1:3] == ["if compare:>(name:n, name:MAX)", "  raise number:-1"]


def test_the_text_of_an_error_is_kept_and_what_parses_in_it_counts() -> None:
    found = read("int f(int n)\n{\n  if (n > MAX)\n    return -1;\n  x = @ 2;\n  return 0;\n}\n")
    assert any("@" in text for text in (*_others(found.functions[0]), str(found.functions[0].body)))
    assert spell_block(found.functions[0].body)[:2] == ["if compare:>(name:n, name:MAX)", "  raise number:-1"]


@pytest.mark.parametrize("source", ["<html><body>@@@ ??? </body>", "\0\1\2)))]]]}}}", "{" * 50 + "@"])
def test_a_file_that_fails_for_the_most_part_has_a_problem(source: str) -> None:
    found = c.lower("a.c", source.encode())
    assert found.problem is not None
    assert found.problem.startswith("line ")


def test_an_empty_file_has_no_problem() -> None:
    assert read("").functions == ()


@pytest.mark.parametrize(
    ("path", "language"), [("a.c", Language.C), ("a.h", Language.C), ("a.cpp", Language.CPP), ("a.hpp", Language.CPP)]
)
def test_the_front_end_is_chosen_by_suffix(path: str, language: Language) -> None:
    assert language_of(path) is language
    assert has_front_end(language)
    assert outline(FileVersion(path, b"int f(void) { return 0; }")).functions[0].name == "f"


_FRAGMENTS = st.lists(
    st.sampled_from(
        [
            *("int f(int a) {", "}", "if (a)", "else", "return -1;", "goto x;", "x:", "(", ")", ";", "switch (a) {"),
            *("case 1:", "#if A\n", "#else\n", "#endif\n", "#define M 1\n", "class A {", "public:", "template <", "> "),
            *("a::b", "&a", "=", "for (", "do", "while (a)", "struct s {", "[", "]", "new T(", "throw", "try {"),
            *("catch (", "'", '"', "\\", "sizeof", "operator()", "~A()", ", ", "...", "[&](", "->", "/*", "*/", "\n"),
            *("char *p", "enum {", "@", "namespace {", "u8R", "->*", "static_cast<", "asm(", "co_await", "typedef"),
        ]
    ),
    max_size=40,
)


@settings(max_examples=150, deadline=None)
@given(_FRAGMENTS, st.sampled_from(["a.c", "a.cpp"]))
def test_no_text_makes_it_raise(fragments: list[str], path: str) -> None:
    c.lower(path, " ".join(fragments).encode())


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    c.lower("a.c", data)
