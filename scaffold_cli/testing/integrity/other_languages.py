# ruff: noqa: E501 - patterns read better on one line
"""Tests in languages whose test libraries have no reader of their own here: found by their words, block by block."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material


@dataclass(frozen=True, slots=True)
class _Words:
    """How a language writes a test (group 1 is its name), what demands, what skips, what ends the run."""

    head: re.Pattern[str]
    demands: re.Pattern[str]
    skips: re.Pattern[str]
    ends: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    name: str
    line: int
    demands: int
    skips: int


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


_XUNIT = r"\b[Aa]ssert\w*|\bshould\w*|\bexpect\w*|\bverify\w*|\.Should\(|\bfail\w*\("
_GO = _Words(
    _p(r"^func\s+((?:Test|Fuzz|Example)\w*)\s*\("),
    _p(r"\bt\.(Fatal|Error|Fail)\w*|\b(assert|require|is|qt|gomega|Expect|cmp)\b\.?\w*\("),
    _p(r"\bt\.Skip\w*\(|testing\.Short\(\)"),
    _p(r"\bos\.Exit\(\s*0\s*\)"),
)
_RUBY = _Words(
    _p(r"^\s*(?:it|test|specify|scenario|should|def)\s*\(?\s*(?:['\"]([^'\"\n]+)|(?=test_)(\w+))"),
    _p(r"\bexpect\b|\bassert\w*|\brefute\w*|\.should\w*|\bmust_\w+|\bwont_\w+|\bflunk\b"),
    _p(r"^\s*(?:x(?:it|describe|context|specify)|skip|pending)\b|,\s*(?:skip|pending)\s*[:=]|\bskip:\s*"),
    _p(r"\bexit!?\s*\(?\s*(?:0|true)\b|\bat_exit\b"),
)
_RUST = _Words(
    _p(r"#\[(?:\w+::)?test\b[^\]]*\](?:\s*#\[[^\]]*\])*\s*(?:pub\s+)?(?:async\s+)?fn\s+(\w+)"),
    _p(r"\b(?:debug_)?assert\w*!|\bpanic!|\bunwrap_err\b|\bexpect_err\b|\bprop_assert\w*!|#\[should_panic"),
    _p(r"#\[ignore\b"),
    _p(r"process::exit\(\s*0\s*\)"),
)
_DOTNET = _Words(
    _p(r"\[(?:Fact|Theory|Test|TestMethod|TestCase)\b[^\]]*\](?:\s*\[[^\]]*\])*\s*public\s+[\w<>\s]+?\s(\w+)\s*\("),
    _p(_XUNIT),
    _p(r"\bSkip\s*=|\[Ignore\b|\[Explicit\b|\bAssert\.(?:Ignore|Inconclusive|Pass)\("),
    _p(r"Environment\.Exit\(\s*0\s*\)"),
)
_KOTLIN = _Words(
    _p(r"@(?:Test|ParameterizedTest|RepeatedTest)\b[^\n]*(?:\s*@\w+[^\n]*)*\s*(?:\w+\s+)*fun\s+(`[^`]+`|\w+)"),
    _p(_XUNIT),
    _p(r"@(?:Disabled|Ignore)\b|\bassume\w*\("),
    _p(r"exitProcess\(\s*0\s*\)"),
)
_PHP = _Words(
    _p(r"(?:function\s+(test\w+)\s*\(|^\s*(?:it|test)\(\s*['\"]([^'\"\n]+))"),
    _p(r"->assert\w*|::assert\w*|\bexpect\w*|->fail\("),
    _p(r"->markTest(?:Skipped|Incomplete)|->skip\(|@group\s+skip"),
    _p(r"\b(?:exit|die)\s*\(\s*0?\s*\)"),
)
_SWIFT = _Words(_p(r"func\s+(test\w+)\s*\("), _p(r"\bXCT\w+\(|#expect|#require"), _p(r"XCTSkip|\.disabled\("))
_ELIXIR = _Words(
    _p(r"^\s*(?:test|property)\s+\"([^\"\n]+)"),
    _p(r"\bassert\w*|\brefute\w*|\bflunk\b"),
    _p(r"@tag\s+:?skip|@moduletag\s+:?skip"),
)
_C = _Words(
    _p(r"^\s*(?:TEST(?:_F|_P|_CASE)?|SCENARIO|BOOST_AUTO_TEST_CASE|START_TEST)\s*\(\s*([^)\n]+)\)"),
    _p(r"\b(?:ASSERT|EXPECT|REQUIRE|CHECK|BOOST|TEST_ASSERT|ck_assert|FAIL)\w*\s*\("),
    _p(r"\bGTEST_SKIP\(|\bDISABLED_|\[\.\]|\bTEST_IGNORE"),
    _p(r"\b_?exit\(\s*(?:0|EXIT_SUCCESS)\s*\)"),
)
_BY_SUFFIX: Mapping[str, _Words] = {
    ".go": _GO, ".rb": _RUBY, ".rs": _RUST, ".cs": _DOTNET, ".kt": _KOTLIN, ".kts": _KOTLIN, ".scala": _KOTLIN, ".php": _PHP,
    ".swift": _SWIFT, ".exs": _ELIXIR, ".c": _C, ".cc": _C, ".cpp": _C, ".cxx": _C,
}  # fmt: skip
_TAG = _p(r"^//go:build[^\n]+|^// \+build[^\n]+|^#!\[cfg\([^\n]+")
_COMMENT = re.compile(r"^\s*(//|#(?!\[|expect|require)|\*|/\*)[^\n]*", re.MULTILINE)


def other_languages(material: Material) -> Iterator[Breach]:
    """Tests gone, skipped or asking for less; files of tests that are built no longer; runs that end with success."""
    kept = {block.name for pair in material.change.files for block in _blocks(pair.after)}
    for pair in material.change.files:
        words = _BY_SUFFIX.get(PurePosixPath(pair.path).suffix.lower())
        if words is None or not any(map(_has_tests, (pair.before, pair.after))):
            continue
        before, after = _text(pair.before), _text(pair.after)
        now = {block.name: block for block in _blocks(pair.after)}
        for block in _blocks(pair.before):
            found = _lost(block, now.get(block.name), block.name in kept)
            if found is not None:
                kind, what = found
                yield _breach(kind, f"The test {block.name} {what}.", pair.path, block, now.get(block.name), material)
        if pair.after is None:
            continue
        came = Counter(_TAG.findall(after)) - Counter(_TAG.findall(before))
        if pair.before is not None and came:
            what = f"{pair.path} is built only under a condition: `{min(came)}`."
            yield Breach(BreachKind.SKIPPED, what, f"{pair.path}::tag", after=material.place(pair.path, 1, after=True))
        if words.ends is not None and len(words.ends.findall(after)) > len(words.ends.findall(before)):
            match = list(words.ends.finditer(after))[-1]
            place = material.place(pair.path, after.count("\n", 0, match.start()) + 1, after=True)
            what = f"{pair.path} ends the run of the tests with success."
            yield Breach(BreachKind.FORGED, what, f"{pair.path}::ends", after=place)


def _lost(before: _Block, after: _Block | None, elsewhere: bool) -> tuple[BreachKind, str] | None:
    if after is None:
        return None if elsewhere else (BreachKind.GONE, "is gone")
    if after.skips > before.skips:
        return BreachKind.SKIPPED, "is skipped now"
    if before.demands and not after.demands:
        return BreachKind.EMPTIED, "demands nothing any more"
    return (BreachKind.REMOVED, "demands less than before") if after.demands < before.demands else None


def _blocks(version: FileVersion | None) -> Sequence[_Block]:
    """The tests of a file with the text up to the next one."""
    if not _has_tests(version):
        return ()
    assert version is not None
    words = _BY_SUFFIX[PurePosixPath(version.path).suffix.lower()]
    text = _COMMENT.sub(lambda match: " " * len(match[0]), _text(version))
    heads = list(words.head.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)][: len(heads)]
    found = []
    for head, end in zip(heads, ends, strict=True):
        name = next(filter(None, head.groups()), "")
        body = text[head.start() : end]
        line = text.count("\n", 0, head.start()) + 1
        found.append(_Block(name, line, len(words.demands.findall(body)), len(words.skips.findall(body))))
    return found


def _has_tests(version: FileVersion | None) -> bool:
    if version is None or not version.is_text:
        return False
    suffix = PurePosixPath(version.path).suffix.lower()
    return suffix in _BY_SUFFIX and (is_test_file(version.path) or suffix == ".rs")


def _text(version: FileVersion | None) -> str:
    return version.data.decode("utf-8", "replace") if version is not None and version.is_text else ""


def _breach(kind: BreachKind, what: str, path: str, before: _Block, after: _Block | None, material: Material) -> Breach:
    return Breach(
        kind,
        what,
        f"{path}::{before.name}",
        before=material.place(path, before.line, after=False),
        after=material.place(path, after.line, after=True) if after else None,
    )
