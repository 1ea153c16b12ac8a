"""What counts as a line of code."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.syntax.line_diff import code_diff, common_length
from scaffold_cli.syntax.lines import code_lines

PYTHON = '''\
"""What this module is for."""
import os

# Limits.
LIMIT = 10


def load(path, mode="r"):
    """Read it.

    In full.
    """
    if not path:  # nothing to do
        raise ValueError("no # path")
    sql = """
      select 1 -- # not a comment
    """
    return open(
        path,
        mode,
    ), sql, os
'''
JAVA = """\
/* Licence
 * text */
package a;

class A {
    // a remark
    String url = "http://example.org"; // where
    /** Doc. */
    int f(int x) {
        return x /* why */ + 1;
    }
    String block = \"\"\"
        one // two
        \"\"\";
}
"""


def diff(before: str | bytes | None, after: str | bytes | None, path: str = "a.py") -> tuple[int, int]:
    sides = [side.encode() if isinstance(side, str) else side for side in (before, after)]
    return code_diff(sides[0], sides[1], path)


def test_python_lines_are_counted_without_comments_docstrings_and_blank_lines() -> None:
    assert code_lines(PYTHON.encode(), "a.py") == 12


def test_java_lines_are_counted_without_comments_and_blank_lines() -> None:
    assert code_lines(JAVA.encode(), "A.java") == 10


@pytest.mark.parametrize(
    ("path", "text", "count"),
    [
        ("a.sh", "#!/bin/sh\n# remark\necho '# no remark'\n\n", 1),
        ("a.yml", "# remark\na:\n  - 1\n", 2),
        ("Dockerfile", "# remark\nFROM scratch\n", 1),
        ("a.sql", "-- remark\nselect 1\n", 1),
        ("notes.md", "# Title\n\ntext\n", 2),
        ("unknown", "# kept: nobody knows what this means here\n", 1),
        ("a.js", "x = y.replace(/\\/*$/, '');\nz(); // remark\n/* gone */\n", 2),
        ("a.go", "s := `raw // text\n/* too */`\n", 2),
        ("a.py", "", 0),
        ("a.py", '"""Only a docstring, no line end."""', 0),
        ("a.py", "x = '''never closed\n(((\n", 2),
        ("a.java", "class { /* never closed", 1),
    ],
)
def test_other_texts(path: str, text: str, count: int) -> None:
    assert code_lines(text.encode(), path) == count


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(PYTHON.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(PYTHON.replace("\n", "\r"), id="CR"),
        pytest.param("\ufeff" + PYTHON, id="byte-order mark"),
        pytest.param(PYTHON.rstrip("\n"), id="no newline at the end"),
        pytest.param(PYTHON.replace("# Limits.", "# Bounds.\n# More."), id="comments"),
        pytest.param(PYTHON.replace("In full.", "Or in part."), id="docstring"),
        pytest.param(PYTHON.replace("LIMIT = 10", "LIMIT   =  10\n\n"), id="spaces and blank lines"),
        pytest.param(PYTHON.replace('path, mode="r"', 'path,\n    mode="r"'), id="line breaks"),
        pytest.param(PYTHON.encode("utf-16"), id="UTF-16"),
    ],
)
def test_python_changes_that_are_not_code(after: str | bytes) -> None:
    assert diff(PYTHON, after) == (0, 0)
    assert diff(after, PYTHON) == (0, 0)


def test_in_python_the_depth_of_a_block_is_code_and_its_width_is_not() -> None:
    wide = "def f(x):\n    if x:\n        a()\n    b()\n"
    narrow = "def f(x):\n if x:\n\ta()\n b()\n"
    assert diff(wide, narrow) == (0, 0)
    assert diff(wide, wide.replace("    b()", "        b()")) == (1, 1)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(JAVA.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(JAVA.replace("    int f", "\tint f").replace("    }", "\t}"), id="tabs"),
        pytest.param(JAVA.replace("// a remark", "/* another\nremark */"), id="comments"),
        pytest.param(JAVA.replace("int f(int x) {", "int f(\n  int x)\n  {"), id="line breaks"),
        pytest.param(JAVA.replace("x /* why */ + 1", "x+1"), id="spaces"),
    ],
)
def test_java_changes_that_are_not_code(after: str) -> None:
    assert diff(JAVA, after, "A.java") == (0, 0)


def test_the_indentation_of_a_text_block_is_part_of_its_value() -> None:
    assert diff(JAVA, JAVA.replace("    one", "  one"), "A.java") == (1, 1)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a = 1\n", "a = 2\n", (1, 1)),
        ("a = 1\nb = 2\n", "b = 2\na = 1\n", (1, 1)),
        ("a = [\n1,\n2,\n3,\n]\n", "a = [\n1,\n3,\n]\n", (0, 1)),
        ("if x:\n    a()\n    b()\n", "if x:\n    a()\nb()\n", (1, 1)),
        ("s = '# a'\n", "s = '# b'\n", (1, 1)),
        ("s = '''a\n b'''\n", "s = '''a\n  b'''\n", (1, 1)),
        ('f"{x()}"\n', "", (0, 1)),
        ("a b = 1\n", "ab = 1\n", (1, 1)),
        (None, "a = 1\n\n# b\n", (1, 0)),
        ("a = 1\n", None, (0, 1)),
        (b"x = '\xe9'\n", b"x = '\xe8'\n", (1, 1)),
    ],
)
def test_changes_that_are_code(
    before: str | bytes | None, after: str | bytes | None, expected: tuple[int, int]
) -> None:
    assert diff(before, after) == expected


def test_a_statement_that_only_wraps_between_two_changes_counts_nothing() -> None:
    before = "a = 1\nf(b, c)\nd = 2\n"
    assert diff(before, "a = 3\nf(\n    b,\n    c)\nd = 4\n") == (2, 2)


def notebook(*cells: tuple[str, str | list[str]], output: str = "") -> str:
    return json.dumps({"cells": [{"cell_type": kind, "source": source, "outputs": [output]} for kind, source in cells]})


def test_of_a_notebook_the_code_counts() -> None:
    before = notebook(("markdown", "# Title"), ("code", ["import os\n", "# remark\n", "os.sep"]))
    after = notebook(("markdown", "Other"), ("code", "import os\nos.sep"), ("code", "x = 1"), output="1\n2\n3")
    assert code_lines(before.encode(), "a.ipynb") == 2
    assert diff(before, after, "a.ipynb") == (1, 0)
    assert code_lines(b'{"cells": 1}', "a.ipynb") == code_lines(b"no json", "a.ipynb") == 1


def test_a_renamed_file_is_read_as_what_it_was() -> None:
    assert code_diff(b"# a\nx = 1\n", b"# a\nx = 1\n\n", "new.txt", "old.py") == (1, 0)


def test_a_large_rewritten_file_is_counted() -> None:
    before = "".join(f"a{i % 700} = {i % 13}\n" for i in range(20_000))
    after = "".join(f"a{i % 600} = {i % 11}\n" for i in range(20_000))
    added, deleted = diff(before, after)
    assert 0 < added == deleted <= 20_000


WORDS = st.lists(st.sampled_from("abcd"), max_size=30)


def quadratic(first: list[str], second: list[str]) -> int:
    """The textbook table."""
    row = [0] * (len(second) + 1)
    for left in first:
        above = row[:]
        for at, right in enumerate(second):
            row[at + 1] = above[at] + 1 if left == right else max(above[at + 1], row[at])
    return row[-1]


@given(WORDS, WORDS)
def test_the_common_subsequence_is_the_longest(first: list[str], second: list[str]) -> None:
    assert common_length(first, second) == quadratic(first, second)


@given(WORDS, WORDS)
def test_counts_add_up_and_never_beat_the_best_diff(first: list[str], second: list[str]) -> None:
    before, after = ("".join(f"{word}\n" for word in words).encode() for words in (first, second))
    added, deleted = code_diff(before, after, "a.txt")
    assert added - deleted == len(second) - len(first)
    best = quadratic(first, second)
    assert len(second) - best <= added <= len(second)
    assert len(first) - best <= deleted <= len(first)


@given(st.text(max_size=200), st.sampled_from(["a.py", "a.java", "a.js", "a.sh", "a.txt", "a.ipynb"]))
def test_any_text_can_be_counted_and_equals_itself(text: str, path: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    count = code_lines(data, path)
    assert code_diff(data, data + b"\n", path) == (0, 0)
    assert code_diff(None, data, path) == (count, 0)
    assert code_diff(data, None, path) == (0, count)


@given(st.binary(max_size=200))
def test_any_bytes_can_be_counted(data: bytes) -> None:
    assert code_diff(data, data, "a.py") == (0, 0)
    assert code_lines(data, "a.py") >= 0
