"""Bad input in every language: judged, or undecided with the reason; never a crash, never clean by silence."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import Effect, LayerStatus
from tests.anchoring.judged import judge
from tests.syntax_bad_input.sources import GUARDED, unguarded

UNREADABLE = "\n".join(["<<<<<<< ours ((((", "))) @@ {{{ ]]] ' ` =======", ">>>>>>> theirs )))) }}"] * 3)
PATHS = sorted(GUARDED)


@pytest.mark.parametrize("path", PATHS)
def test_a_lost_guard_is_found(path: str) -> None:
    assert judge({path: GUARDED[path]}, {path: unguarded(path)}).status is LayerStatus.FAIL


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("side", ["before", "after"])
def test_a_file_that_does_not_parse_on_one_side_is_undecided(path: str, side: str) -> None:
    texts = (UNREADABLE, GUARDED[path]) if side == "before" else (GUARDED[path], UNREADABLE)
    result = judge({path: texts[0]}, {path: texts[1]})
    found = next(one for one in result.violations if one.code == "unparsable")
    assert found.effect is Effect.UNDECIDED
    assert path in found.what
    assert f"{side} side" in found.what
    assert result.status in (LayerStatus.UNDECIDED, LayerStatus.FAIL)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_change_nothing(path: str, ends: str) -> None:
    written = b"\xef\xbb\xbf" + GUARDED[path].replace("\n", ends).encode()
    assert judge({path: GUARDED[path]}, {path: written}).status is LayerStatus.PASS
    assert judge({path: written}, {path: unguarded(path)}).status is LayerStatus.FAIL


@pytest.mark.parametrize("path", PATHS)
def test_utf_16_is_read(path: str) -> None:
    written = GUARDED[path].encode("utf-16")
    result = judge({path: GUARDED[path]}, {path: written})
    assert result.status is LayerStatus.PASS or result.violations[0].code == "unparsable"


PYTHON_2 = "def load(p):\n    if '..' in p:\n        raise ValueError, p\n    print 'open', p\n    return open(p)\n"
TABS = "def load(p):\n    if '..' in p:\n\traise ValueError(p)\n    return open(p)\n"


@pytest.mark.parametrize("source", [PYTHON_2, TABS])
def test_python_2_and_mixed_tabs_are_undecided_and_a_guard_lost_in_them_is_named(source: str) -> None:
    lines = source.split("\n")
    result = judge({"a.py": source}, {"a.py": "\n".join([lines[0], *lines[3:]])})
    assert result.status is not LayerStatus.PASS
    assert any(one.code == "unparsable" for one in result.violations)


FRAGMENTS = {
    "A.java": '@Override\npublic void load(String p) {\n  if (p.contains("..")) throw new Bad(p);\n  open(p);\n}\n',
    "a.js": 'load(p) {\n  if (p.includes("..")) throw new Error(p);\n  return open(p);\n}\n',
    "a.c": 'load(const char *p)\n{\n  if (strstr(p, ".."))\n    goto fail;\n  return open(p, 0);\n'
    "fail:\n  return -1;\n}\n",
    "flow.js": "// @flow\nfunction load(p: ?string): Foo<string> {\n"
    '  if (p.includes("..")) throw new Error(p);\n  return open(p);\n}\n',
    "a.jsx": 'function load(p) {\n  if (p.includes("..")) throw new Error(p);\n  return <A b={open(p)}/>;\n}\n',
}


@pytest.mark.parametrize("path", sorted(FRAGMENTS))
def test_fragments_and_dialects_are_judged(path: str) -> None:
    lines = FRAGMENTS[path].split("\n")
    first = next(number for number, line in enumerate(lines) if ".." in line)
    kept = [line for line in lines[first + 1 :] if "goto" not in line]
    assert judge({path: FRAGMENTS[path]}, {path: FRAGMENTS[path] + "\n"}).status is LayerStatus.PASS
    assert judge({path: FRAGMENTS[path]}, {path: "\n".join(lines[:first] + kept)}).status is LayerStatus.FAIL


@pytest.mark.parametrize("path", PATHS)
def test_odd_characters_in_strings(path: str) -> None:
    odd = GUARDED[path].replace('".."', '"\\ud800.."').replace("'..'", "'\\ud800..'")
    assert judge({path: odd}, {path: odd + "\n"}).status is LayerStatus.PASS
    assert judge({path: odd}, {path: unguarded(path)}).status is not LayerStatus.UNDECIDED
