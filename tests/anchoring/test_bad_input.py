"""Input nobody can read is undecided and named; nothing crashes, nothing is clean by silence."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from scaffold_cli.anchoring.mining import mine
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.anchors import AnchorsLayer
from scaffold_cli.model.change import Change, FileChange, FileMode, FileVersion, Omitted
from scaffold_cli.model.verdict import Effect, LayerStatus
from tests.anchoring.judged import judge

GOOD = b"def f(x):\n    verify(x)\n    return x\n"
BROKEN = {
    "python 2": b"print 'hello'\n",
    "half a function": b"def f(:\n",
    "unknown encoding": b"# -*- coding: klingon -*-\nx = 1\n",
    "invalid utf-8": b"x = '\xff'\n",
    "mixed tabs": b"if x:\n        a\n\tb\n",
    "too deep": b"(" * 500 + b")" * 500 + b"\n",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("side", ["before", "after"])
def test_unparsable_side_is_undecided_and_named(name: str, side: str) -> None:
    before, after = (BROKEN[name], GOOD) if side == "before" else (GOOD, BROKEN[name])
    result = judge({"app.py": before}, {"app.py": after})
    assert result.status is not LayerStatus.PASS
    violation = next(found for found in result.violations if found.code == "unparsable")
    assert violation.effect is Effect.UNDECIDED
    assert "app.py" in violation.what
    assert side in violation.what


def test_text_facts_of_an_unparsable_side_are_still_compared() -> None:
    before = b"def f(x):\n    if not is_allowed(x):\n        raise Denied\n    print 'x'\n"
    result = judge({"app.py": before}, {"app.py": b"def f(x):\n    print 'x'\n"})
    assert result.status is LayerStatus.FAIL
    assert {"guard-lost", "unparsable"} <= {violation.code for violation in result.violations}


def test_other_languages_are_judged_by_text() -> None:
    before = b"int f(char *p) {\n  if (len > MAX_LEN)\n    return -1;\n  copy(p);\n}\n"
    after = b"int f(char *p) {\n  copy(p);\n}\n"
    assert judge({"a.zig.c": before}, {"a.zig.c": before + b"\n"}).violations == ()
    assert judge({"a.rb": b"def f(x)\n  x = escape(x)\nend\n"}, {"a.rb": b"def f(x)\nend\n"}).status is LayerStatus.FAIL
    assert judge({"notes.txt": before}, {"notes.txt": after}).violations == ()


def test_too_large_file_is_undecided() -> None:
    big = FileVersion("big.py", b"", size=2_000_000, omitted=Omitted.TOO_LARGE, oid="1")
    result = AnchorsLayer().judge(Change.of([FileChange(None, big)]), JudgeContext())
    assert (result.status, result.violations[0].code) == (LayerStatus.UNDECIDED, "file-too-large")


def test_moved_submodule_is_undecided() -> None:
    module = FileVersion("lib", b"", mode=FileMode.SUBMODULE, omitted=Omitted.SUBMODULE, oid="1")
    result = AnchorsLayer().judge(Change.of([FileChange(None, module)]), JudgeContext())
    assert (result.status, result.violations[0].code) == (LayerStatus.UNDECIDED, "submodule-not-judged")


def test_source_with_nul_bytes_is_undecided() -> None:
    assert judge({"a.py": b"\0\1\2" * 50}, {"a.py": GOOD}).status is LayerStatus.UNDECIDED


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf" + GOOD, GOOD.replace(b"\n", b"\r\n")])
def test_odd_but_readable_input_passes(data: bytes) -> None:
    assert judge({"a.py": data}, {"a.py": data + b"\n# more\n"}).status is LayerStatus.PASS


def test_very_long_and_deep_but_valid_code_is_judged() -> None:
    deep = "".join(f"{' ' * i}if x{i}:\n" for i in range(90)) + " " * 90 + "verify(x)\n"
    chain = "y = " + " + ".join(f"a{i}" for i in range(900)) + "\n"
    ladder = "if a == 0:\n    b()\n" + "".join(f"elif a == {i}:\n    b()\n" for i in range(300))
    text = (deep + chain + ladder).encode()
    assert judge({"a.py": text}, {"a.py": text + b"z = 1\n"}).status is LayerStatus.PASS


STDLIB = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[::9]


@pytest.mark.parametrize("path", STDLIB, ids=lambda path: path.name)
def test_a_file_against_itself_has_no_violation(path: Path) -> None:
    data = path.read_bytes()
    assert judge({"a.py": data}, {"a.py": data + b"\n"}).violations == ()


@pytest.mark.parametrize("path", STDLIB[::4], ids=lambda path: path.name)
def test_anchor_ids_are_unique_and_stable_under_line_shifts(path: Path) -> None:
    data = path.read_bytes()
    ids = [anchor.id for anchor in mine([FileVersion("a.py", data)])]
    assert len(set(ids)) == len(ids)
    assert [anchor.id for anchor in mine([FileVersion("a.py", b"\n\n\n" + data)])] == ids
