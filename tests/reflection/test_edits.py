"""What a model's answer may look like, and what is made of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.reflection.edits import EditError, apply, read_edits

OLD = {"a.py": "one\ntwo\nthree\n", "b.py": "x\nx\n"}


def made(answer: str, only: str = "") -> dict[str, str]:
    return dict(apply(read_edits(answer, only), OLD.get, lambda path: path in OLD))


def pair(search: str, replace: str, path: str = "a.py") -> str:
    return f"FILE: {path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def test_a_part_is_replaced() -> None:
    assert made("I change two.\n" + pair("two\n", "2\n")) == {"a.py": "one\n2\nthree\n"}


def test_several_parts_of_several_files() -> None:
    answer = pair("one\n", "1\n") + "<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n" + "FILE: b.py\n```\ny\n```\n"
    assert made(answer) == {"a.py": "1\ntwo\n3\n", "b.py": "y\n"}


def test_a_whole_file_with_or_without_its_name() -> None:
    assert made("FILE: `a.py`\n```python\nnew\n```\n") == {"a.py": "new\n"}
    assert made("Here you are:\n```python\nnew\n```\n", only="a.py") == {"a.py": "new\n"}


def test_a_file_given_back_in_the_form_the_prompt_shows_it_is_read_too() -> None:
    shown = "BEGIN DATA a.py\nnew\nEND DATA a.py\n"
    assert made(shown) == {"a.py": "new\n"}
    assert made("Here:\n" + shown + "BEGIN DATA b.py\ny\nEND DATA b.py") == {"a.py": "new\n", "b.py": "y\n"}
    assert made(shown + shown) == {"a.py": "new\n"}
    assert made("FILE: a.py\nBEGIN DATA the file\nnew\nEND DATA the file\n") == {"a.py": "new\n"}
    other = "BEGIN DATA a.py\nother\nEND DATA a.py\n"
    for unclear in (
        shown + other,
        f"FILE: a.py\n{shown}{other}",
        "BEGIN DATA a.py\nnew\n",
        "BEGIN DATA a.py\nnew\nEND DATA b.py\n",
    ):
        with pytest.raises(EditError):
            made(unclear)
    with pytest.raises(EditError, match="not about"):
        made("BEGIN DATA c.py\nnew\nEND DATA c.py\n")


@pytest.mark.parametrize("fence", ["", "```json\n"])
def test_json_is_read_too(fence: str) -> None:
    edits = [{"path": "a.py", "search": "two", "replace": "2"}, {"path": "b.py", "content": "y\n"}]
    answer = fence + json.dumps({"edits": edits}) + ("\n```" if fence else "")
    assert made(answer) == {"a.py": "one\n2\nthree\n", "b.py": "y\n"}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "no edit"),
        ("Ich kann das nicht.", "no edit"),
        (pair("four\n", "4\n"), "is not in"),
        (pair("x\n", "y\n", "b.py"), "2 times"),
        (pair("", "y\n"), "for nothing"),
        (pair("x\n", "y\n", "c.py"), "which the goal is not about"),
        (pair("x\n", "y\n", "../a.py"), "no path inside"),
        (pair("x\n", "y\n", "/etc/passwd"), "no path inside"),
        ("```python\nnew\n```\n", "which file"),
        ("FILE: a.py\n```\nnew\n```\nor\n```\nother\n```\n", "2 code blocks"),
        ("FILE: a.py\n```\nthe whole text\n```\n", "repeats the example"),
        (pair("one\n", "lines as they shall be\n"), "repeats the example"),
        ('{"edits": [{"path": "a.py"}]}', "neither search and replace nor content"),
    ],
)
def test_what_cannot_be_applied_says_why(answer: str, said: str) -> None:
    with pytest.raises(EditError, match=said):
        made(answer)


def test_a_block_that_is_repeated_is_one() -> None:
    assert made("a.py\n```\nnew\n```\n\na.py\n```\nnew\n```\n", only="a.py") == {"a.py": "new\n"}


def test_what_stands_around_a_file_is_no_part_of_a_file() -> None:
    assert made("```\nBEGIN DATA a.py\nnew\nEND DATA a.py\n```\n", only="a.py") == {"a.py": "new\n"}
    assert made("```text\n```python\n# a.py\nnew\n```\n", only="a.py") == {"a.py": "new\n"}
    assert made("```\nnew\nEND DATA a.py\n```\n", only="a.py") == {"a.py": "new\n"}
    assert made("```\nnew\n# BEGIN DATA\nlast\n```\n", only="a.py") == {"a.py": "new\n# BEGIN DATA\nlast\n"}


def test_two_blocks_without_a_name_are_not_guessed_at() -> None:
    with pytest.raises(EditError, match="2 code blocks"):
        made("```\nnew\n```\nor\n```\nother\n```\n", only="a.py")


@given(st.text(alphabet=st.sampled_from("FILE: a.py`<>=SEARCHRPLC\n{}[]\"'\\x"), max_size=300))
def test_no_answer_is_a_crash(answer: str) -> None:
    try:
        result = made(answer, only="a.py")
    except EditError:
        return
    assert set(result) <= set(OLD)


@pytest.mark.parametrize(
    "answer",
    [
        pair("two\n", "2\n") + "<<<<<<< SEARCH\nthree\n=======\n3\n",
        "FILE: a.py\n```\nnew\n```python\nx\n```\nthe rest\n```\n",
        "FILE: a.py\n```\nnew\n",
    ],
)
def test_an_answer_with_half_a_block_is_not_applied_in_part(answer: str) -> None:
    with pytest.raises(EditError, match="no beginning or no end"):
        made(answer)


def test_a_longer_fence_holds_text_with_fences() -> None:
    assert made("FILE: a.py\n````\nnew\n```\nx\n```\n````\n") == {"a.py": "new\n```\nx\n```\n"}


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(EditError, match="half a character"):
        made('{"edits": [{"path": "a.py", "content": "\\ud800"}]}')


def test_a_model_that_repeats_itself_does_not_keep_us_busy() -> None:
    with pytest.raises(EditError):  # hours, if every way to end each of the blocks were tried
        made("FILE: a.py\n" + "<<<<<<< SEARCH\nx\n=======\ny\n" * 2000)


def test_line_ends_of_the_answer_or_the_file_do_not_matter() -> None:
    answer = pair("two\nthree\n", "2\n3\n")
    wanted = {"a.py": "one\n2\n3\n"}
    assert made(answer.replace("\n", "\r\n")) == wanted
    old = {"a.py": "one\r\ntwo\r\nthree\r\n"}
    assert apply(read_edits(answer), old.get, old.__contains__) == wanted
