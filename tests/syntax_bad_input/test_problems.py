"""What does not parse is found without lowering it, and told in the words of the outline."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline, problem
from tests.syntax_bad_input.sources import GUARDED, notebook

WHOLE = {**GUARDED, "a.ipynb": notebook(("code", GUARDED["a.py"])), "notes.txt": "words\n"}
FRAGMENTS = {
    "b.py": "    def load(self):\n        return 1\n",
    "B.java": "void load() { open(); }",
    "b.js": "load() { return 1 }",
    "flow.js": "function load(a: string) { return a; }",
}


@pytest.mark.parametrize("path", [*WHOLE, *FRAGMENTS])
def test_good_text_has_no_problem(path: str) -> None:
    version = FileVersion(path, {**WHOLE, **FRAGMENTS}[path].encode())
    assert problem(version) is outline(version).problem is None


@pytest.mark.parametrize("path", ["a.py", "A.java", "a.js", "a.ts", "a.go"])
def test_a_broken_text_has_the_same_problem_as_its_outline(path: str) -> None:
    version = FileVersion(path, GUARDED[path].replace("(", "((", 1).encode())
    told = problem(version)
    assert told
    assert told == outline(version).problem == problem(version)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(GUARDED)), st.integers(0, 120), st.text("(){}[]:;'\"\\ \n\0é=<a", max_size=3))
def test_a_damaged_text_has_the_same_problem_as_its_outline(path: str, place: int, damage: str) -> None:
    text = GUARDED[path]
    version = FileVersion(path, (text[:place] + damage + text[place:]).encode())
    assert problem(version) == outline(version).problem
