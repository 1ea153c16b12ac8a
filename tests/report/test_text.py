"""The text of a verdict, exactly, at fixed widths."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.model.verdict import Decision, LayerName, LayerResult, Place, Verdict
from scaffold_cli.report.escape import uri, visible
from scaffold_cli.report.interface import Detail, Format, Options, render
from scaffold_cli.report.terminal import Terminal
from tests.report import samples

REJECTED = """\
REJECTED  1 violation blocks · 1 warning · 1 violation waived · 4 files · 0.40 s

layer    result   looked at                                  time
tests    skipped  no test command is configured
sast     pass     engine semgrep 1.2.3, new 1, cached False  0.21 s
budget   pass     1 violation                                0.00 s
anchors  fail     12 anchors compared                        0.04 s

blocks  anchors · guard-lost · high · CWE-22  anchors-ANCHOR
  what     The check `not path.is_relative_to(root)` stood before
           `path.read_text()` and is gone.
  before   notes/store.py:41-42 in Store.read
    - 41 │     if not path.is_relative_to(root):
    - 42 │         raise PermissionError(path)
  after    notes/store.py:41 in Store.read
    + 41 │     return path.read_text()
         │     ^^^^^^^^^^^^^^^^^^^^^^^
  why      A path from outside can leave the folder.
  keep     Put the check back before the file is read.
  because  hard because it dominates open()

warns  budget · budget-files  budget-BUDGET
  what     4 files changed; the limit is 3.

waived  sast · finding-new · critical · CWE-78  sast-FOUND
  what     shell=True is new.
  after    a b/\\xd0.py:3
    + 3 │ run(x, shell=True)
        │ ^^^^^^^^^^^^^^^^^^
  waived   only in the build script

  note     x.png is binary; its content was not judged.

  next     Mend the 1 violation that blocks, or let one pass knowingly: --waive
           anchors-ANCHOR --reason TEXT
"""


def expected(text: str) -> str:
    for word, violation in (("ANCHOR", samples.GUARD), ("BUDGET", samples.LINES), ("FOUND", samples.FOUND)):
        text = text.replace(word, violation.id.partition("-")[2])
    return text


def text_of(verdict: Verdict, **options: object) -> str:
    return render(verdict, Format.TEXT, replace(Options(width=80), **options))  # type: ignore[arg-type] # any option


def test_a_rejection_reads_like_this() -> None:
    assert text_of(samples.rejected()) == expected(REJECTED)


def test_quiet_is_one_line_and_verbose_adds_the_facts() -> None:
    verdict = samples.rejected()
    assert text_of(verdict, detail=Detail.QUIET) == REJECTED.split("\n", 1)[0] + "\n"
    anchors = LayerResult.judged(LayerName.ANCHORS, reason="looked", facts=[("kept", 3)])
    verdict = replace(verdict, layers=(anchors,), decision=Decision.ACCEPT)
    assert "looked; kept 3" in text_of(verdict, detail=Detail.VERBOSE)
    assert "kept 3" not in text_of(verdict)


def test_an_acceptance_an_open_question_and_an_empty_change() -> None:
    assert text_of(samples.accepted()) == (
        "ACCEPTED  1 file · 0.05 s\n\nlayer    result  looked at            time\n"
        "anchors  pass    12 anchors compared  0.04 s\n"
    )
    undecided = text_of(samples.undecided())
    assert undecided.startswith("UNDECIDED  1 question undecided · 1 file · 0.00 s\n")
    assert "Nothing was accepted" in undecided
    assert text_of(samples.empty()) == "ACCEPTED  nothing to judge: the change is empty\n"


@pytest.mark.parametrize("width", [40, 60, 120])
def test_no_line_is_wider_than_asked(width: int) -> None:
    assert max(len(row) for row in text_of(samples.rejected(), width=width).splitlines()) <= width


def test_colour_is_added_only_when_asked() -> None:
    assert "\x1b[" not in text_of(samples.rejected())
    assert "\x1b[1;31mREJECTED" in text_of(samples.rejected(), color=True)


def test_judged_text_cannot_steer_the_terminal_nor_the_layout() -> None:
    nasty = "x = '\x1b[2J\x1b]0;owned\x07' # [bold red]\u202eevil\u200b\r[/] :smile:"
    place = Place("a\n\x1b[31m.py", 1, 1, nasty, "f[red]")
    violation = replace(samples.GUARD, before=place, after=place, what=nasty, keep=nasty)
    verdict = replace(samples.rejected(), layers=(LayerResult.judged(LayerName.ANCHORS, [violation]),))
    text = text_of(verdict, width=120)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\x1b[2J\\x1b]0;owned\\x07' # [bold red]\\u202eevil\\u200b\\x0d[/] :smile:" in text
    assert "a\\x0a\\x1b[31m.py:1 in f[red]" in text


def test_long_places_are_cut_and_say_so() -> None:
    place = Place("a.py", 9, 28, "\n".join(f"line {number}" for number in range(9, 29)))
    violation = replace(samples.GUARD, before=place, after=None)
    text = text_of(replace(samples.rejected(), layers=(LayerResult.judged(LayerName.ANCHORS, [violation]),)))
    assert "    - 16 │ line 16\n         │ … 12 more lines\n" in text
    assert "    -  9 │ line 9\n" in text


@given(st.text())
def test_visible_text_is_printable_and_fits_one_line(text: str) -> None:
    shown = visible(text)
    assert all(char.isprintable() or char.isspace() for char in shown)
    assert len(shown.splitlines()) <= 1
    shown.encode()


@given(st.binary())
def test_any_file_name_becomes_an_ascii_uri(name: bytes) -> None:
    assert uri(name.decode("utf-8", "surrogateescape")).isascii()


@pytest.mark.parametrize(
    ("environ", "is_terminal", "no_color", "color", "live"),
    [
        ({}, True, False, True, True),
        ({}, False, False, False, False),
        ({"NO_COLOR": "1"}, True, False, False, True),
        ({"NO_COLOR": ""}, True, False, True, True),
        ({"FORCE_COLOR": "1"}, False, False, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False, False, False),
        ({"TERM": "dumb"}, True, False, False, False),
        ({}, True, True, False, True),
    ],
)
def test_the_environment_decides_on_colour(
    environ: dict[str, str], is_terminal: bool, no_color: bool, color: bool, live: bool
) -> None:
    terminal = Terminal.of(environ, is_terminal=is_terminal, no_color=no_color)
    assert (terminal.color, terminal.live) == (color, live)


@pytest.mark.parametrize(
    ("environ", "columns", "width"),
    [({}, 0, 100), ({}, 90, 90), ({"COLUMNS": "70"}, 90, 70), ({"COLUMNS": "x"}, 90, 90), ({}, 10, 40), ({}, 500, 120)],
)
def test_the_width_is_kept_within_reason(environ: dict[str, str], columns: int, width: int) -> None:
    assert Terminal.of(environ, is_terminal=True, columns=columns).width == width
