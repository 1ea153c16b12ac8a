"""The grammar, strictly and as the authors read it: the table of the fact sheet."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.reflection.trajectory import Reason, Status, StopReason
from scaffold_cli.reflection.trajectory_parser import parse, parse_leniently

T = "<think>\nread the task\n</think>\n"
BARE = "<answer>\nno code at all\n</answer>\n"


def a(code: str = "x = 1", tag: str = "python") -> str:
    return f"<answer>\nthis is it\n```{tag}\n{code}\n```\n</answer>\n"


def r(status: str = "BUG_DETECTED", text: str = "off by one") -> str:
    return f"<reflection>\nSTATUS: {status}\n{text}\n</reflection>\n"


OPT = r("OPTIMIZATION_ONLY")
NO_STATUS = "<reflection>\nlooks fine\n</reflection>\n"
A, R = a(), r()

ROWS = [
    (T + A + R + A, (1, 1), 1),
    (T + A + R + A + "  \n\n", (1, 1), 1),
    (T + A, (0, 0), 0),
    (A + R + A, (0, 0), 0),
    (T + A + R + A + R, (0, 0), 0),
    (T + A + R + A + A, (0, 0), 0),
    (T + A + R + BARE, (0, 0), 0),
    (T + A + R + A + "that is all", (0, 0), 0),
    (T.replace("think", "THINK") + A + R + A, (0, 0), 0),
    (T + a(tag="cpp") + R + A, (0, 0), 0),
    ("Sure.\n" + T + A + R + A, (1, 1), 0),
    (T + A + "Now I reflect.\n" + R + A, (1, 1), 0),
    (T + A + NO_STATUS + A, (1, 1), 0),
    (T + R + A + R + A, (1, 1), 0),
    (T + A + A + R + A, (1, 1), 0),
    (T + A + R + R + A, (1, 1), 0),
    (T + T + A + R + A, (1, 1), 0),
    (T + BARE + R + A + R + A, (1, 1), 0),
    (T + A + R + BARE + R + A, (1, 1), 0),
    (T + A + (R + A) * 5, (1, 5), 0),
    (T + A + (R + A) * 7, (1, 7), 0),
    (T + A + OPT + A + R + A, (1, 2), 0),
    (T + a(tag="python3") + R + a(tag="python3"), (1, 1), 0),
]


@pytest.mark.parametrize(("text", "lenient", "strict"), ROWS)
def test_both_readings(text: str, lenient: tuple[int, int], strict: int) -> None:
    read = parse_leniently(text)
    assert (int(read.valid), read.n) == lenient
    assert len(read.answers) == (read.n + 1 if read.valid else 0)
    held = parse(text)
    assert int(held.valid) == strict
    assert held.valid == (not held.reasons)
    assert held.valid or (held.answers == () and held.n == 0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.THINK_MISSING),
        (T, Reason.ANSWER_MISSING),
        (T + A, Reason.REFLECTION_MISSING),
        (T + A + R, Reason.ANSWER_AFTER_REFLECTION_MISSING),
        (T + A + R + "<answer>\n```python\nx = 1\n```\n", Reason.BLOCK_NOT_CLOSED),
        ("Sure." + T + A + R + A, Reason.TEXT_BETWEEN_BLOCKS),
        (T + BARE + R + A, Reason.CODE_MISSING),
        (T + A + NO_STATUS + A, Reason.STATUS_MISSING),
        (T + A + r("FINE") + A, Reason.STATUS_UNKNOWN),
        (T + A + OPT + A + R + A, Reason.AFTER_OPTIMIZATION),
        (T + A + (R + A) * 5, Reason.TOO_MANY_ANSWERS),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: Reason) -> None:
    assert parse(text).reasons == (reason,)


@pytest.mark.parametrize(
    ("text", "stop"),
    [
        (T + A + OPT + A, StopReason.OPTIMIZED),
        (T + A + R + A + OPT + A, StopReason.OPTIMIZED),
        (T + A + (R + A) * 4, StopReason.ANSWER_CAP),
        (T + A + R + A, StopReason.UNCONFIRMED),
    ],
)
def test_how_it_ended(text: str, stop: StopReason) -> None:
    assert parse(text).stop is stop


def test_blocks_are_read_as_they_stand() -> None:
    read = parse(T + a("first = 1") + r(text="wrong name") + a("second = '</answer>'") + OPT + a("third = 3"))
    assert read.think == "read the task"
    assert read.answers == ("first = 1\n", "second = '</answer>'\n", "third = 3\n")
    assert [item.status for item in read.reflections] == [Status.BUG_DETECTED, Status.OPTIMIZATION_ONLY]
    assert read.reflections[0].text == "wrong name"


def test_another_language_is_a_parameter() -> None:
    text = T + a(tag="java") + OPT + a("int x;", tag="java")
    assert parse(text, "java").answers[-1] == "int x;\n"
    assert not parse(text).valid


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([T, A, R, OPT, BARE, NO_STATUS, "prose", "```", "<think>", "</answer>"]), max_size=12))
def test_what_is_valid_strictly_is_valid_leniently_with_the_same_answers(parts: list[str]) -> None:
    text = "".join(parts)
    held = parse(text)
    if held.valid:
        read = parse_leniently(text)
        assert read.valid
        assert read.answers == held.answers
        assert 2 <= len(held.answers) <= 5


def test_a_model_that_repeats_itself_does_not_keep_the_lenient_reading_busy() -> None:
    read = parse_leniently("<think>t</think><answer>" + "```python\nx\n```\n" * 2000)  # hours, if it tried every way
    assert not read.valid
