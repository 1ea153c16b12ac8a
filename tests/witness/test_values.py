"""Whatever a function says about its parameters, what is tried on it are expressions the driver can evaluate."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.witness import driver
from scaffold_cli.witness.cases import cases
from scaffold_cli.witness.hints import Hints, hints
from scaffold_cli.witness.target import Sign, Target
from scaffold_cli.witness.values import kinds, values

NAMES = {"Path": Path, "stand_in": driver.StandIn, "answer": driver.answer, "like": str}
ANNOTATIONS = st.sampled_from(["", "str", "bytes", "int | None", "dict[str, int]", "Path", "Request", "float", "list"])
WORDS = st.sets(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), max_size=3)
HINTS = st.builds(
    Hints,
    name=st.just("x"),
    annotation=ANNOTATIONS,
    attributes=WORDS,
    methods=WORDS,
    types=st.sets(st.sampled_from(["str", "int", "list", "dict"])),
    strings=st.lists(st.text(max_size=20), max_size=4).map(tuple),
    numbers=st.lists(st.integers().map(str), max_size=3).map(tuple),
)


@given(HINTS)
def test_every_value_can_be_evaluated(hint: Hints) -> None:
    found = values(hint)
    assert 0 < len(found) <= 80
    assert len(set(found)) == len(found)
    for expression in found:
        eval(expression, {**NAMES, "True": True})


def known(source: str) -> list[Hints]:
    read = outline(FileVersion("a.py", source.encode()))
    return hints(read.functions[-1], read)


def test_types_come_from_annotations_defaults_and_use() -> None:
    source = (
        "def f(a: str, b=0, c=None, *rest, d, **named):\n"
        "    if a and c.startswith('x') and d.is_admin and d.allows('y') and b > 3:\n        return a\n"
    )
    assert {hint.name: kinds(hint) for hint in known(source)} == {
        "a": ["str"],
        "b": ["int"],
        "c": ["str", "bytes"],
        "d": ["stand-in"],
    }


def test_constants_are_those_of_the_code_and_of_the_module_it_names() -> None:
    source = (
        "LIMIT = 41\nOTHER = 17\n"
        "class Box:\n    def put(self, size):\n        'Puts 99.'\n"
        "        if size > LIMIT or size == 'all':\n            raise ValueError('larger than 5')\n"
    )
    [size] = known(source)
    assert (size.name, size.strings, size.numbers) == ("size", ("all",), ("41",))


def test_the_same_sources_give_the_same_cases() -> None:
    read = outline(FileVersion("a.py", b"def f(a, b: int, *, c=''):\n    return a['k'], b < 7, c\n"))
    [function] = read.functions
    target = Target("v", read, read, function, function, Sign.ENDED, (1, 1), ())
    tried = cases(target)
    assert tried == cases(target)
    assert len(tried) == len(set(tried)) > 200
    assert {len(case) for case in tried} == {3}
    assert "8" in {str(eval(case[1])) for case in tried}
