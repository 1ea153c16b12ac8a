"""What the anchors layer says of a loss: one violation for one loss, in the author's words, at the right place."""

from __future__ import annotations

import pytest

from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.anchors import AnchorsLayer
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Effect, LayerStatus, Violation

GUARDED = """\
class Files:
    def read(self, name):
        path = (self.root / name).resolve()
        if not path.is_relative_to(self.root.resolve()):
            raise Forbidden("outside")
        return path.read_bytes()
"""
BARE = """\
class Files:
    def read(self, name):
        path = self.root / name
        return path.read_bytes()
"""


def judged(before: str, after: str) -> list[Violation]:
    pair = FileChange(FileVersion("files.py", before.encode()), FileVersion("files.py", after.encode()))
    result = AnchorsLayer().judge(Change.of([pair]), JudgeContext())
    return [violation for violation in result.violations if violation.effect is Effect.BLOCKS]


def test_a_guard_and_the_calls_in_it_are_one_loss() -> None:
    found = judged(GUARDED, BARE)
    assert [violation.code for violation in found] == ["guard-lost"]
    assert "`resolve()`" in found[0].what


def test_a_call_that_goes_alone_is_a_loss_of_its_own() -> None:
    without = GUARDED.replace("(self.root / name).resolve()", "self.root / name")
    assert any(violation.code.startswith("call-") for violation in judged(GUARDED, without))


def test_the_sentence_quotes_the_author() -> None:
    (found,) = judged(GUARDED, BARE)
    assert "`if not path.is_relative_to(self.root.resolve())` (raise Forbidden)" in found.what
    assert "`Forbidden()`" not in found.what


def test_the_reader_is_sent_to_the_line_the_guard_stood_before() -> None:
    (found,) = judged(GUARDED, BARE)
    assert found.before is not None
    assert found.after is not None
    assert (found.before.line, found.after.line) == (4, 4)
    assert found.after.text.strip() == "return path.read_bytes()"


def test_lines_above_do_not_change_the_id() -> None:
    (here,) = judged(GUARDED, BARE)
    (there,) = judged("# moved\n\n" + GUARDED, "# moved\n\n" + BARE)
    assert here.id == there.id


@pytest.mark.parametrize("path", ["Files.java", "files.py", "files.js", "files.go"])
def test_a_nul_byte_does_not_make_source_pass_unread(path: str) -> None:
    pair = FileChange(FileVersion(path, b"x"), FileVersion(path, b"x // \0"))
    result = AnchorsLayer().judge(Change.of([pair]), JudgeContext())
    assert result.status is LayerStatus.UNDECIDED
    assert path in result.violations[0].what
