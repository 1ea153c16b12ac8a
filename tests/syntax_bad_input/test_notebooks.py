"""Notebooks: code cells are judged, everything else in the file is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.verdict import LayerStatus
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Outline
from tests.anchoring.judged import judge
from tests.support.spelling import spell_block
from tests.syntax_bad_input.sources import GUARDED, notebook, unguarded

PATH = "a.ipynb"
GUARD = GUARDED["a.py"]


def read(source: str) -> Outline:
    return outline(FileVersion(PATH, source.encode()))


def test_a_lost_guard_in_a_cell_is_found_on_its_line_of_the_file() -> None:
    before = notebook(("markdown", "# Title"), ("code", "import os"), ("code", GUARD))
    after = notebook(("markdown", "# Title"), ("code", "import os"), ("code", unguarded("a.py")))
    result = judge({PATH: before}, {PATH: after})
    assert result.status is LayerStatus.FAIL
    place = result.violations[0].before
    assert place is not None
    assert "'..' in p" in before.split("\n")[place.line - 1]


def test_outputs_prose_and_cell_order_are_not_judged() -> None:
    before = json.loads(notebook(("code", GUARD), ("markdown", "if a:\n    raise b\n"), ("code", "x = 1")))
    after = json.loads(json.dumps(before))
    after["cells"][0]["outputs"] = []
    after["cells"][1]["source"] = ["other prose\n"]
    after["cells"].reverse()
    result = judge({PATH: json.dumps(before, indent=1)}, {PATH: json.dumps(after, indent=2)})
    assert (result.status, result.violations) == (LayerStatus.PASS, ())


def test_cells_keep_their_numbers() -> None:
    for indent in (1, None):
        found = read(notebook(("markdown", "a"), ("code", GUARD), ("code", "x = 1"), indent=indent))
        assert [line for line in found.text if line.startswith("# cell")] == ["# cell 2", "# cell 3"]
        assert found.functions[0].name == "load"


def test_what_a_cell_defines_is_no_public_signature() -> None:
    assert [one.is_public for one in read(notebook(("code", GUARD))).functions] == [False]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("%matplotlib inline\nx = 1", ["pass", "assign = number:1; name:x"]),
        ("!pip install a", ["pass"]),
        ("help?\nos.path??", ["pass", "pass"]),
        ("x = !ls\ny = %time f()", ["assign = constant:null; name:x", "assign = constant:null; name:y"]),
        ("if a:\n    !ls\nb = 2", ["if name:a", "  pass", "--", "assign = number:2; name:b"]),
        ("%%bash\nrm -rf x", []),
        ("%%time\nx = 1", ["pass", "assign = number:1; name:x"]),
        ('x = """\n%s\n!\n"""', ["assign = string:\n%s\n!\n; name:x"]),
        ("await f()", ["expr unary:await(call(name:f))"]),
    ],
)
def test_lines_that_speak_to_the_notebook_are_tolerated(cell: str, expected: list[str]) -> None:
    found = read(notebook(("code", cell)))
    assert found.problem is None, found.problem
    assert spell_block(found.body) == [line for line in "\n".join(expected).split("\n") if line] or expected


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("not json", "is no notebook in JSON"),
        ("[1, 2]", "is no notebook in JSON"),
        ('{"cells": 3}', "is no notebook in JSON"),
        ("[" * 100_000, "is no notebook in JSON"),
        (notebook(("code", "x <- 1"), language="R"), "its cells are r, not Python"),
        (notebook(("code", "print 'a'")), "line "),
    ],
)
def test_what_cannot_be_read_is_undecided_with_the_reason(source: str, reason: str) -> None:
    good = notebook(("code", GUARD))
    for before, after in ((good, source), (source, good)):
        result = judge({PATH: before}, {PATH: after})
        assert result.status is LayerStatus.UNDECIDED
        assert reason in result.violations[0].what


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["code", "markdown"]), st.text(max_size=40)), max_size=4), st.booleans())
def test_no_notebook_makes_it_raise(cells: list[tuple[str, str]], is_compact: bool) -> None:
    read(notebook(*cells, indent=None if is_compact else 1))
