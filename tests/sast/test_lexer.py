"""Normalised code: what formatting may change and what it may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.sast.lexer import PieceKind, pieces, tokens
from scaffold_cli.syntax.outline import Language

PYTHON, JAVA, SCRIPT, GO = Language.PYTHON, Language.JAVA, Language.JAVASCRIPT, Language.GO


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("run(a,b)", "run( a,  # first\n  b )"),
        ("run('a')", 'run("a")'),
        ("run(a)", "run(\n    a,\n)"),
        ("run(f'x{ a }y')", 'run(f"x{a}y")'),
        ("run(u'a')", "run('a')"),
    ],
)
def test_formatting_makes_no_difference(left: str, right: str) -> None:
    assert tokens(left, PYTHON) == tokens(right, PYTHON)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("run(a)", "run(b)"),
        ("run('a')", "run('b')"),
        ("run('a b')", "run('ab')"),
        ("run(b'a')", "run('a')"),
        ("run(f'{a}')", "run('{a}')"),
        ("run('# a')", "run('')"),
        ("a1", "a 1"),
    ],
)
def test_meaning_makes_a_difference(left: str, right: str) -> None:
    assert tokens(left, PYTHON) != tokens(right, PYTHON)


def test_java_characters_are_no_strings() -> None:
    assert tokens("f('a') // x", JAVA) == tokens("f( 'a' /* y */ )", JAVA)
    assert tokens("f('a')", JAVA) != tokens('f("a")', JAVA)


def test_comments_are_not_taken_from_strings() -> None:
    comments = [piece.text for piece in pieces('a = "# no"  # yes', PYTHON) if piece.kind is PieceKind.COMMENT]
    assert comments == ["# yes"]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        (SCRIPT, "const a = `// no ${b}\n// no`;  // yes"),
        (SCRIPT, "a.replace(/['\"]/g, '');  // yes"),
        (SCRIPT, 'const r = /[/"]\\//;  // yes'),
        (SCRIPT, "const half = (a + b) / 2;  // yes"),
        (SCRIPT, 'const it = "it\'s";  // yes'),
        (GO, "s := `// no \\`  // yes"),
        (GO, "r := '\"'  // yes"),
    ],
)
def test_comments_in_scripts_and_go_are_told_from_strings(language: Language, code: str) -> None:
    assert [piece.text for piece in pieces(code, language) if piece.kind is PieceKind.COMMENT] == ["// yes"]


@given(st.text(), st.sampled_from([PYTHON, JAVA, SCRIPT, Language.TYPESCRIPT, GO]))
def test_any_text_is_read_and_nothing_but_space_is_lost(text: str, language: Language) -> None:
    joined = "".join(piece.text for piece in pieces(text, language))
    assert "".join(joined.split()) == "".join(text.split())
    tokens(text, language)
