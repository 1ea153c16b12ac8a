"""Answers that give functions where the whole file was asked for."""

from __future__ import annotations

import json

import pytest

from scaffold_cli.reflection.edits import apply, read_edits

PYTHON = '''"""Notes."""

import os

LIMIT = 10


@cache
def first(name):
    return name


# about the second
def second(name):
    return os.path.join("/notes", name)


def third():
    return LIMIT
'''
C = """#include <stdlib.h>

static int size;

int one(void)
{
    return size;
}

int two(void)
{
    abort();
}
"""


def made(path: str, old: str, answer: str) -> str:
    edits = read_edits(f"FILE: {path}\n```\n{answer}```\n")
    return apply(edits, {path: old}.get, lambda name: name == path)[path]


def test_functions_alone_take_the_place_of_those_in_the_file() -> None:
    answer = "def third():\n    return LIMIT + 1\n\n\n@lru_cache(4)\ndef first(name):\n    return name or None\n"
    expected = PYTHON.replace("@cache", "@lru_cache(4)").replace("return name\n", "return name or None\n")
    assert made("notes.py", PYTHON, answer) == expected.replace("return LIMIT", "return LIMIT + 1")


def test_a_function_in_another_language() -> None:
    answer = json.dumps({"edits": [{"path": "a.c", "content": "int two(void)\n{\n    return 2;\n}"}]})
    edited = apply(read_edits(answer), {"a.c": C}.get, lambda name: name == "a.c")
    assert edited == {"a.c": C.replace("abort()", "return 2")}


@pytest.mark.parametrize(
    "answer",
    [
        "import os\n\n\ndef second(name):\n    return name\n",
        "def second(name):\n    return name\n\n\ndef fourth():\n    return 4\n",
        "def second(name):\n    return name\n\n\nsecond('a')\n",
        "def second(name):\n    return name\n\n\ndef second(name):\n    return ''\n",
        "class Notes:\n    def second(self):\n        return ''\n",
        "def second(name:\n",
        "# nothing is left\n",
    ],
)
def test_anything_else_is_the_whole_file(answer: str) -> None:
    assert made("notes.py", PYTHON, answer) == answer


def test_a_file_of_functions_alone_may_lose_some() -> None:
    two = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
    assert made("numbers.py", two, "def one():\n    return 1\n") == "def one():\n    return 1\n"
    overloaded = f"import os\n{two}{two}"
    assert made("numbers.py", overloaded, two) == two
    assert made("notes.txt", PYTHON, "def second(name):\n    return name\n") == "def second(name):\n    return name\n"
