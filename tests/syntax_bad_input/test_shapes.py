"""Shapes that wear readers out: deep nesting, very long files, generated code. No front-end raises on them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.units import mine_outline
from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Outline
from tests.syntax_bad_input.sources import GUARDED

DEPTH = 400
"""Beyond what any reader of ours follows, below what makes a parser itself slow."""
PATHS = sorted(GUARDED)
_HULLS = {
    "a.py": "def f(a):\n    x = {}\n",
    "A.java": "class A {{ void f() {{ x = {}; }} }}",
    "a.js": "function f() {{ x = {}; }}",
    "a.ts": "function f() {{ x = {}; }}",
    "a.go": "package p\nfunc f() {{ x = {} }}",
    "a.c": "int f() {{ x = {}; }}",
    "a.cpp": "int f() {{ x = {}; }}",
}
_NESTED = {
    "parentheses": "(" * DEPTH + "a" + ")" * DEPTH,
    "calls": "g(" * DEPTH + ")" * DEPTH,
    "members": "a" + ".b" * DEPTH,
    "chained calls": "a" + ".b()" * DEPTH,
    "subscripts": "a" + "[0]" * DEPTH,
    "signs": "- " * DEPTH + "a",
    "sum": "a" + " + b" * (5 * DEPTH),
    "comparisons": "a" + " == b" * DEPTH,
}
_BLOCKS = {
    "braces": ("{", "}"),
    "ifs": ("if (a) {", "}"),
    "else ifs": ("if (a) { } else ", "{ }"),
    "loops": ("for (;;) {", "}"),
    "switches": ("switch (a) { case 1: ", "}"),
}


def read(path: str, source: str | bytes) -> Outline:
    found = outline(FileVersion(path, source.encode() if isinstance(source, str) else source))
    for unit in mine_outline(found, load()):
        assert all(fact.form for fact in unit.facts)
    return found


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("shape", sorted(_NESTED))
def test_deep_expressions(path: str, shape: str) -> None:
    found = read(path, _HULLS[path].format(_NESTED[shape]))
    assert found.problem is not None or [one.short_name for one in found.functions] == ["f"]


@pytest.mark.parametrize("path", [path for path in PATHS if path != "a.py"])
@pytest.mark.parametrize("shape", sorted(_BLOCKS))
def test_deep_statements(path: str, shape: str) -> None:
    opening, closing = _BLOCKS[shape]
    if path == "a.go":
        opening = opening.replace("(a)", "a").replace("(;;)", ";;")
    closings = closing if shape == "else ifs" else closing * DEPTH
    found = read(path, _HULLS[path].format("1") + "\n" + _HULLS[path].format("1; " + opening * DEPTH + closings))
    assert found.problem is not None or found.functions


def test_deep_python_blocks() -> None:
    for depth in (90, 2 * DEPTH):
        found = read("a.py", "".join(" " * step + "if a:\n" for step in range(depth)) + " " * depth + "pass\n")
        assert (found.problem is None) == (depth < 100)


@pytest.mark.parametrize("path", PATHS)
def test_a_file_of_100_000_lines(path: str) -> None:
    comment = "#" if path == "a.py" else "//"
    found = read(path, GUARDED[path] + f"{comment} generated\n\n" * 50_000)
    assert found.problem is None
    assert found.lines > 100_000


@pytest.mark.parametrize("path", PATHS)
def test_generated_code(path: str) -> None:
    head, _, body = GUARDED[path].partition("package a\n") if path == "a.go" else ("", "", GUARDED[path])
    head = "package a\n" if path == "a.go" else head
    found = read(
        path, head + "\n".join(body.replace("load", f"load{n}").replace("A {", f"A{n} {{") for n in range(300))
    )
    assert found.problem is None
    assert len(found.functions) == 300


@pytest.mark.parametrize("path", ["a.c", "a.cpp"])
def test_a_text_that_leads_a_parser_astray_is_given_up(path: str) -> None:
    found = read(path, "int f() { x = " + "() => " * 800 + "1; }")
    assert found.problem is not None


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PATHS), st.data())
def test_mutated_sources(path: str, data: st.DataObject) -> None:
    source = GUARDED[path]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(source)))
        end = min(len(source), start + data.draw(st.integers(0, 12)))
        source = (
            source[:start]
            + data.draw(st.sampled_from(["", "\0", "(", "}", "'", '"', "\t", "\n", "\\", "é"]))
            + source[end:]
        )
    read(path, source)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([*PATHS, "a.tsx", "a.ipynb", "a.txt"]), st.binary(max_size=120))
def test_arbitrary_bytes(path: str, data: bytes) -> None:
    read(path, data)
