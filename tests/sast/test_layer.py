"""The layer over the real scanner: what is new, what is not, and what stays undecided."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import SastSettings, Settings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.sast import SastLayer
from scaffold_cli.model.change import Change, FileChange, FileMode, FileVersion, Omitted
from scaffold_cli.model.verdict import Effect, LayerStatus, Severity
from scaffold_cli.sast.inspection import SUFFIXES
from scaffold_cli.sast.source import Source
from scaffold_cli.syntax.frontends import outline
from tests.sast.support import blocking, change, facts, judge, one

WEAK = "import subprocess\n\n\ndef run(cmd):\n    return subprocess.call(cmd, shell=True)\n"
SAFE = "import subprocess\n\n\ndef run(cmd):\n    return subprocess.call(cmd)\n"


def test_a_new_finding_is_explained() -> None:
    result = judge(one(SAFE, WEAK))
    (violation,) = result.violations
    assert result.status is LayerStatus.FAIL
    assert (violation.code, violation.severity, violation.cwe) == (
        "py-shell-dynamic-command",
        Severity.HIGH,
        ("CWE-78",),
    )
    assert violation.after is not None
    assert (violation.after.path, violation.after.line, violation.after.symbol) == ("app.py", 5, "run")
    assert violation.after.text == "    return subprocess.call(cmd, shell=True)"
    assert violation.why
    assert violation.keep.startswith("Pass a list")


def test_a_fixed_finding_is_a_fact() -> None:
    result = judge(one(WEAK, SAFE))
    assert result.status is LayerStatus.PASS
    assert facts(result)["fixed"] == 1
    assert facts(result)["fixed py-shell-dynamic-command"] == "app.py:5"


def test_a_pasted_second_copy_is_new() -> None:
    line = "    return subprocess.call(cmd, shell=True)\n"
    result = judge(one(WEAK, WEAK.replace(line, "    subprocess.call(cmd, shell=True)\n" + line)))
    assert len(blocking(result)) == 1


MOVED = {
    "shifted": "# a comment\nimport os\n" + WEAK,
    "formatted": WEAK.replace("cmd, shell=True", "cmd,  # why\n        shell=True,\n    "),
    "renamed": WEAK.replace("def run", "def start"),
    "variable": WEAK.replace("cmd", "command"),
    "neighbour": WEAK.replace("    return", "    print(1)\n    return"),
    "crlf": WEAK.replace("\n", "\r\n"),
    "bom": "\ufeff" + WEAK,
    "above": "def other():\n    pass\n\n\n" + WEAK,
    "below": WEAK + "\n\nclass A:\n    pass\n",
    "into-class": WEAK.replace("def run(cmd):\n", "class Runner:\n  def run(cmd):\n"),
    "extracted": WEAK.replace("return", "return helper(cmd)\n\n\ndef helper(cmd):\n    return"),
}


def test_code_that_only_moved_is_not_new() -> None:
    # One file for each way of moving, so that one scan does for all.
    result = judge(
        change(dict.fromkeys((f"{name}.py" for name in MOVED), WEAK), {f"{k}.py": v for k, v in MOVED.items()})
    )
    assert [violation.what for violation in result.violations] == []
    assert facts(result)["findings before"] == facts(result)["findings after"] == len(MOVED)


def test_a_function_moved_to_a_new_file_is_not_new() -> None:
    result = judge(
        change({"a.py": WEAK + "\n\ndef keep():\n    pass\n"}, {"a.py": "def keep():\n    pass\n", "b.py": WEAK})
    )
    assert result.status is LayerStatus.PASS


def test_a_renamed_file_keeps_its_findings() -> None:
    edited = WEAK.replace("def run", "def go")
    assert judge(change({"old.py": WEAK}, {"new.py": edited}, {"old.py": "new.py"})).status is LayerStatus.PASS


def test_files_that_swap_names_keep_their_findings() -> None:
    swap = {"a.py": "b.py", "b.py": "a.py"}
    result = judge(change({"a.py": WEAK, "b.py": "x = 1\n"}, {"a.py": "x = 1\n", "b.py": WEAK}, swap))
    assert result.status is LayerStatus.PASS


def test_a_rename_into_a_scanned_language_brings_its_findings() -> None:
    result = judge(change({"old.txt": WEAK}, {"new.py": WEAK}, {"old.txt": "new.py"}))
    assert len(blocking(result)) == 1


def test_a_finding_under_the_gate_warns() -> None:
    result = judge(one("import hashlib\n", "import hashlib\n\nhashlib.md5(b'')\n"))
    assert (result.status, [violation.effect for violation in result.violations]) == (LayerStatus.PASS, [Effect.WARNS])
    gated = judge(one("import hashlib\n", "import hashlib\n\nhashlib.md5(b'')\n"), gate=(Severity.MEDIUM,))
    assert gated.status is LayerStatus.FAIL


def test_each_folder_has_its_own_gate() -> None:
    weak = "import hashlib\n\nhashlib.md5(b'')\n"
    strict = Settings(sast=SastSettings(gate=(Severity.MEDIUM,)))
    context = JudgeContext(policy=Policy(folders={"strict": strict}))
    judged = change({}, {"strict/a.py": weak, "loose/a.py": weak})
    result = SastLayer().judge(judged, context)
    assert [item.after.path for item in blocking(result) if item.after] == ["strict/a.py"]


def test_java_is_looked_at_too() -> None:
    body = '    return Cipher.getInstance("AES/GCM/NoPadding");'
    before = f"class A {{\n  Object f() throws Exception {{\n{body}\n  }}\n}}\n"
    (violation,) = blocking(judge(one(before, before.replace("AES/GCM/NoPadding", "AES"), "A.java")))
    assert violation.code == "java-weak-cipher"
    assert violation.after is not None
    assert violation.after.symbol == "A.f"


@pytest.mark.parametrize("path", ["notes.md", "app.rb", "data.json"])
def test_other_languages_need_no_engine(path: str) -> None:
    result = judge(one("a", "b", path), engine="no-such-engine")
    assert result.status is LayerStatus.PASS
    assert "no changed file" in result.reason.lower()


@pytest.mark.parametrize(
    ("path", "good", "bad"), [("a.py", "x = 1\n", "def f(:\n"), ("A.java", "class A { }\n", "class A { void f( }\n")]
)
def test_a_file_that_does_not_parse_is_undecided(path: str, good: str, bad: str) -> None:
    result = judge(one(good, bad, path))
    assert result.status is LayerStatus.UNDECIDED
    assert [(item.code, path in item.what) for item in result.violations] == [("unparsable", True)]
    assert judge(one(bad, bad + "\n", path)).status is LayerStatus.UNDECIDED


def test_mending_a_file_that_did_not_parse_passes() -> None:
    result = judge(one("def f(:\n", "def f():\n    pass\n"))
    assert result.status is LayerStatus.PASS
    assert "does not parse" in str(facts(result)["before side of app.py"])


def test_a_new_finding_beside_broken_syntax_still_rejects() -> None:
    assert judge(one("", WEAK + "\n\ndef f(:\n")).status is LayerStatus.FAIL


def test_bytes_that_are_no_text_are_undecided() -> None:
    assert judge(one("x = 1\n", b"x = 1\n\0\n")).status is LayerStatus.UNDECIDED


def test_syntax_the_engine_does_not_know_is_undecided_or_scanned() -> None:
    # Valid for the interpreter, refused by the engine: it must not pass in silence.
    before, after = "x = 1\n", "x = 1\nmatch x:\n    case {'a': [1, *_], **rest} if (y := x):\n        pass\n"
    result = judge(one(before, after))
    assert result.status in (LayerStatus.PASS, LayerStatus.UNDECIDED)
    assert (result.status is LayerStatus.UNDECIDED) == bool(result.violations)


@pytest.mark.parametrize("side", ["before", "after", "both"])
def test_a_file_over_the_limit_is_undecided_and_named(side: str) -> None:
    big = FileVersion("big.py", b"", size=5_000_000, omitted=Omitted.TOO_LARGE, oid="1" * 40)
    small = FileVersion("big.py", WEAK.encode())
    pair = FileChange(small if side == "after" else big, small if side == "before" else big)
    result = judge(Change.of([pair]))
    assert result.status is LayerStatus.UNDECIDED
    assert [(item.code, "big.py" in item.what, "5000000" in item.what) for item in result.violations] == [
        ("too-large", True, True)
    ]


def test_a_deleted_file_over_the_limit_brings_nothing() -> None:
    big = FileVersion("big.py", b"", size=5_000_000, omitted=Omitted.TOO_LARGE, oid="1" * 40)
    assert judge(Change.of([FileChange(big, None)])).status is LayerStatus.PASS


@pytest.mark.parametrize(("moved", "status"), [(True, LayerStatus.UNDECIDED), (False, LayerStatus.PASS)])
def test_a_moved_submodule_was_not_looked_into(moved: bool, status: LayerStatus) -> None:
    old, new = (FileVersion("lib", b"", FileMode.SUBMODULE, 0, Omitted.SUBMODULE, oid * 40) for oid in "12")
    result = judge(Change.of([FileChange(old, new if moved else None)]))
    assert result.status is status
    assert [(item.code, item.after and item.after.path) for item in result.violations] == (
        [("submodule-not-judged", "lib")] if moved else []
    )


def test_a_file_of_a_megabyte_and_more_is_scanned_to_its_end_when_the_limit_allows_it() -> None:
    filler = 'TEXT = """\n' + 20_000 * "A line of a long text that nobody reads, but everybody has to scan.\n" + '"""\n'
    assert len(filler) > 1_200_000
    assert [item.code for item in blocking(judge(one(filler, filler + WEAK)))] == ["py-shell-dynamic-command"]


def test_symlinks_are_not_source() -> None:
    link = FileVersion("a.py", b"/etc/passwd", FileMode.SYMLINK)
    assert judge(Change.of([FileChange(None, link)]), engine="no-such-engine").status is LayerStatus.PASS


def test_other_encodings_are_read() -> None:
    latin = "# -*- coding: latin-1 -*-\n# \u00e9t\u00e9 \u00e0 \u00fc\n".encode("latin-1") + SAFE.encode()
    result = judge(one(latin, latin.replace(b"call(cmd)", b"call(cmd, shell=True)")))
    (violation,) = blocking(result)
    assert violation.after is not None
    assert violation.after.line == 7
    cyrillic = "# \u043f\u0440\u0438\u0432\u0435\u0442\n".encode("cp1251")
    assert (
        judge(one(cyrillic + b"class A { }\n", cyrillic + b"class A { }\n", "A.java")).status is LayerStatus.UNDECIDED
    )


def test_places_are_right_behind_wide_characters() -> None:
    (violation,) = blocking(judge(one("", "x = '\u00e9\U0001f600'; y = 1\n" * 3 + WEAK)))
    assert violation.after is not None
    assert violation.after.text.strip() == "return subprocess.call(cmd, shell=True)"


def test_strange_names_are_no_trouble() -> None:
    names = [
        "-x.py",
        "a b.py",
        "q'\".py",
        "n\newline.py",
        "\udcd0.py",
        "tests/node_modules/x.py",
        "deep/" * 30 + "a.py",
    ]
    result = judge(change({}, dict.fromkeys(names, WEAK)))
    assert {item.after.path for item in blocking(result) if item.after} == set(names)


def test_ids_are_stable_and_apart() -> None:
    twice = WEAK + "    subprocess.call(cmd, shell=True)\n"
    first, second = (judge(one(SAFE, text)) for text in (twice, "\n\n" + twice))
    ids = [violation.id for violation in first.violations]
    assert len(set(ids)) == 2
    assert ids == [violation.id for violation in second.violations]


def test_what_was_scanned_once_is_not_scanned_again(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f'#!/bin/sh\necho started >> {tmp_path}/log\nexec {Path(sys.executable).parent}/semgrep "$@"\n')
    engine.chmod(0o755)
    cache = tmp_path / "cache"
    starts = []
    for after in (WEAK, WEAK, WEAK + "\n\nx = 1\n"):
        judge(one(SAFE, after), cache=cache, engine=str(engine))
        starts.append((tmp_path / "log").read_text().count("started"))
    assert starts == [1, 1, 2]
    cold, warm = judge(one(SAFE, WEAK)), judge(one(SAFE, WEAK), cache=cache, engine=str(engine))
    assert (cold.status, cold.violations) == (warm.status, warm.violations)


def test_a_damaged_cache_is_no_trouble(tmp_path: Path) -> None:
    judge(one(SAFE, WEAK), cache=tmp_path)
    for entry in (tmp_path / "sast").iterdir():
        entry.write_bytes(b"{")
    assert judge(one(SAFE, WEAK), cache=tmp_path).status is LayerStatus.FAIL


@pytest.mark.parametrize(
    ("path", "code", "rule"),
    [
        ("app.mjs", "export const f = (text) => eval(text);\n", "js-code-injection"),
        ("App.jsx", "const A = (p) => <i dangerouslySetInnerHTML={{ __html: p.html }} />;\n", "js-react-raw-html"),
        ("App.tsx", "const A = (p: P) => <i dangerouslySetInnerHTML={{ __html: p.html }} />;\n", "js-react-raw-html"),
        ("cast.ts", "const f = (text: unknown) => eval(<string>text);\n", "js-code-injection"),
    ],
)
def test_scripts_are_judged_in_their_own_dialect(path: str, code: str, rule: str) -> None:
    assert {violation.code for violation in judge(one("", code, path)).violations} == {rule}


@pytest.mark.parametrize("path", ["app.js", "app.ts"])
def test_scripts_that_do_not_parse_are_undecided(path: str) -> None:
    (violation,) = judge(one("", "func ((( {", path)).violations
    assert (violation.code, violation.effect) == ("unparsable", Effect.UNDECIDED)


def test_nesting_that_stops_a_parser_does_not_reach_the_engine(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f'#!/bin/sh\ntouch {tmp_path}/started\nexec {Path(sys.executable).parent}/semgrep "$@"\n')
    engine.chmod(0o755)
    result = judge(one("x = 1\n", "x = " + "-" * 50_000 + "1\n"), engine=str(engine))
    assert result.status is LayerStatus.UNDECIDED
    assert [item.what for item in result.violations] == [
        "app.py does not parse (nested too deeply), so its findings are not known."
    ]
    alone = judge(one("", "x = " + "-" * 50_000 + "1\n"), engine=str(engine))
    assert alone.violations == result.violations


@given(st.text(alphabet="ab \t\r\n\f#:=-*'\"\\coding;", max_size=60), st.sampled_from(list(SUFFIXES.values())))
def test_what_is_scanned_is_what_the_parser_read(text: str, suffix: str) -> None:
    version = FileVersion(f"a{suffix}", text.encode())
    source = Source.of(version, version.path)
    assert source.text == "\n".join(outline(version).text)
