"""Which answer is kept: a repair is no worse than what it mends, and stands on its own feet."""

from __future__ import annotations

import pytest

from scaffold_cli.reflection.mending import worse
from scaffold_cli.reflection.undefined import undefined_names

OLD = "import os\n\n\ndef size(path):\n    ...\n"
FLAGGED = "import os\n\n\ndef size(path):\n    return os.stat(path).st_size\n"


@pytest.mark.parametrize(
    ("mended", "complaints", "said"),
    [
        (FLAGGED.replace("return", "if not path:\n        raise ValueError(path)\n    return"), (1, 0), ""),
        (FLAGGED, (1, 2), "less safe"),
        (OLD, (1, 0), "takes the step back"),
        ("import os\n\n\ndef length(path):\n    return os.stat(path).st_size\n", (1, 0), "lacks 'size'"),
        (FLAGGED.replace("os.stat(path).st_size", "len(pathlib.Path(path).read_bytes())"), (1, 0), "reads 'pathlib'"),
    ],
)
def test_repair_is_taken_only_when_it_is_none_the_worse(mended: str, complaints: tuple[int, int], said: str) -> None:
    why_not = worse({"a.py": OLD}, {"a.py": FLAGGED}, {"a.py": mended}, complaints)
    assert (said in why_not) if said else not why_not


def test_name_the_flagged_answer_did_not_define_either_is_no_reason() -> None:
    flagged, mended = "def size(a):\n    return stat(a)\n", "def size(a):\n    assert a\n    return stat(a)\n"
    assert worse({}, {"a.py": flagged}, {"a.py": mended}, (1, 0)) == ""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(a, *b, c=1, **d):\n    return a, b, c, d, len(a), __name__\n", set()),
        ("try:\n    import tomllib as t\nexcept ImportError as error:\n    t = print(error)\nt\n", set()),
        ("import os.path\nos.path\n", set()),
        (
            "match 1:\n    case [x, *y]:\n        print(x, y)\n    case {'a': z, **rest}:\n        print(z, rest)\n",
            set(),
        ),
        ("def f():\n    global made\n    made = 1\n\n\ndef g():\n    return made\n", set()),
        ("print([i for i in (1, 2)], (j := 3), j, lambda k: k)\n", set()),
        ("class A:\n    @property\n    def b(self):\n        return __class__\n\n\nA\n", set()),
        ("def f(p):\n    return shutil.copy(p, Path(p))\n", {"shutil", "Path"}),
        ("from os import *\nstat('a')\n", set()),
        ("def f(:\n", set()),
    ],
)
def test_names_that_nothing_defines(text: str, names: set[str]) -> None:
    assert undefined_names("a.py", text) == names


def test_other_languages_are_not_looked_at() -> None:
    assert undefined_names("a.c", "int f(void) { return g(); }") == set()
