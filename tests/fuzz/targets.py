# ruff: noqa: E501 - samples in many languages
"""What is fuzzed: every reader of text that a stranger may write, with samples to start from.

A target takes bytes and returns, or raises one of the errors it promises. Anything else is a crash.
"""

from __future__ import annotations

import random
import tempfile
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.comparing import compare_change
from scaffold_cli.anchoring.declared.looking import declared
from scaffold_cli.anchoring.disarming.looking import disarmed
from scaffold_cli.chain.entry import read_entry
from scaffold_cli.config.source import read_source
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.errors import ScaffoldError
from scaffold_cli.model.plain import PlainError
from scaffold_cli.reflection.trajectory_parser import parse, parse_leniently
from scaffold_cli.report.escape import visible
from scaffold_cli.sast.sarif.reading import read as read_sarif
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.line_diff import code_diff
from scaffold_cli.testing import junit_reader
from scaffold_cli.testing.integrity.looking import look
from scaffold_cli.vcs.doors.patch import patch

ROOT = Path(__file__).resolve().parents[2]
PATCH = b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"
SARIF = (
    b'{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "t", "rules": [{"id": "r"}]}}, "results": [{"ruleId": "r", '
    b'"message": {"text": "m"}, "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a.py"}, "region": '
    b'{"startLine": 1}}}]}]}]}'
)
ENTRY = b'{"body": {}, "chain": "20240101-000000-abcdef", "files": {}, "kind": "start", "number": 1, "previous": "", "schema": 1}'
TRAJECTORY = (
    b"<think>a</think>\n<answer>\n```python\nx = 1\n```\n</answer>\n<reflection>STATUS: FIXED\nb</reflection>\n"
)
JUNIT = b'<testsuites><testsuite name="s"><testcase classname="c" name="n"><failure message="m">t</failure></testcase></testsuite></testsuites>'
PYTHON = b'@mark(1)\nclass A(B):\n    def f(self, *a, k=1, **w):\n        if not a and k in (1, 2):\n            raise E(f"{k!r:>3}")\n        return [x async for x in y if (z := x)]\n'
JAVA = b'package p; @A(x=1) class C<T> extends D { int f(String... s) throws E { if (s == null) throw new E("x"); return switch (s) { case "a" -> 1; default -> 2; }; } }\n'
SCRIPT = b"import {a as b} from 'c'; export default class D extends E { #p = 1; async *f({x = 1, ...r}) { try { await g?.[x]`t${1}`; } catch { return /r/g; } } }\n"
GO = b'package p\nimport "fmt"\nfunc (t *T) F(a, b int, c ...string) (err error) { if err := g(); err != nil { return fmt.Errorf("%w", err) }; select { case x := <-c: _ = x }; return }\n'
C = b"#include <a.h>\n#define M(x) ((x)+1)\nstatic int f(char *p, size_t n) { if (!p || n > 10) return -1; for (int i = 0; i < n; i++) p[i] = M(i); goto end; end: return 0; }\n"
NOTEBOOK = b'{"cells": [{"cell_type": "code", "source": ["x = 1\\n", "%magic\\n"]}], "metadata": {}, "nbformat": 4}'
CONFIG = b'layers = ["tests"]\n[tests]\ncommand = "x"\ntimeout = 3.5\n[budget]\nfiles = 3\n[sast]\ngate = ["high"]\n'

RUBY = b'class A < B\n  before_action :auth!, only: :x\n  def x\n    raise E unless a.b?(c) || d\n    return head(:no) if n.size > 10\n    case "$1" in\n    */*) exit 1 ;;\n    require(a > 1, "x");\n  end\nend\n'
MAKEFILE = b".PHONY: test\nPYTEST ?= pytest\nifdef CI\ntest: lint; @$(PYTEST) -q \\\n\t-x\nelse\ntest:\n\t-pytest\nendif\ninclude a.mk\n"
WORKFLOW = b"on:\n  push:\n    paths: ['a/**']\njobs:\n  t:\n    steps:\n    - uses: a/b@v4\n    - run: pytest -q | tee log\n      shell: bash {0}\n"
PACKAGE = b'{"main": "a.js", "exports": {".": ["./b.js"]}, "scripts": {"test": "jest", "start": "node x/y.js"}, "dependencies": {"a": "^1.2.3 || 2"}}'
GO_TESTS = b'//go:build x\npackage p\nfunc TestA(t *testing.T) {\n\tt.Skip()\n\tif f() != 1 { t.Fatal("x") }\n}\nfunc TestMain(m *testing.M) { os.Exit(0) }\n'
SETTINGS = b"audit:\n  enabled: true\nrate_limit:\n  per_minute: 10\n[a.b]\nhost = 127.0.0.1\nkind: NetworkPolicy\n"


@dataclass(frozen=True, slots=True)
class Target:
    """A reader, the errors it may raise, texts to start from."""

    run: Callable[[bytes], object]
    samples: tuple[bytes, ...]
    expected: tuple[type[Exception], ...] = (ScaffoldError,)


def _outlined(name: str, data: bytes) -> None:
    version = FileVersion(name, data)
    found = outline(version)
    assert found.problem is None or found.problem.strip()
    code_diff(data, None, name)


def _compared(name: str, data: bytes) -> None:
    half = len(data) // 2
    change = Change.of([FileChange(FileVersion(name, data[:half]), FileVersion(name, data))])
    look(change)
    list(disarmed(change))
    list(declared(change))


def _anchored(name: str, data: bytes) -> None:
    half = len(data) // 2
    change = Change.of([FileChange(FileVersion(name, data[:half]), FileVersion(name, data))])
    list(declared(change))
    compare_change(change, None, None, load())


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    (folder / "a.py").write_text("x = 1\n")
    return folder


def _patched(data: bytes) -> None:
    with patch(_folder(), data, 1_000_000):
        pass


def _shown(data: bytes) -> None:
    text = visible(data.decode("utf-8", "surrogateescape"))
    assert not any(unicodedata.category(char).startswith("C") for char in text)


def _trajectory(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    parse(text)
    parse_leniently(text)


TARGETS: Mapping[str, Target] = {
    "python": Target(partial(_outlined, "a.py"), (PYTHON,)),
    "java": Target(partial(_outlined, "A.java"), (JAVA,)),
    "javascript": Target(partial(_outlined, "a.js"), (SCRIPT,)),
    "typescript": Target(partial(_outlined, "a.ts"), (SCRIPT,)),
    "go": Target(partial(_outlined, "a.go"), (GO,)),
    "c": Target(partial(_outlined, "a.c"), (C,)),
    "c++": Target(partial(_outlined, "a.cpp"), (C,)),
    "notebook": Target(partial(_outlined, "a.ipynb"), (NOTEBOOK,)),
    "python tests": Target(partial(_compared, "tests/test_a.py"), (PYTHON,)),
    "javascript tests": Target(partial(_compared, "a.test.js"), (SCRIPT,)),
    "runner settings": Target(partial(_compared, "pyproject.toml"), (CONFIG,)),
    "makefile": Target(partial(_compared, "Makefile"), (MAKEFILE,)),
    "workflow": Target(partial(_compared, ".github/workflows/a.yml"), (WORKFLOW,)),
    "package": Target(partial(_compared, "package.json"), (PACKAGE,)),
    "go tests": Target(partial(_compared, "a_test.go"), (GO_TESTS,)),
    "settings": Target(partial(_compared, "conf.yaml"), (SETTINGS,)),
    "text code": Target(partial(_anchored, "a.rb"), (RUBY,)),
    "patch": Target(_patched, (PATCH,)),
    "SARIF": Target(partial(read_sarif, origin="x.sarif"), (SARIF,)),
    "JUnit": Target(lambda data: junit_reader.read([("x.xml", data)]), (JUNIT,)),
    "configuration": Target(partial(read_source, "scaffold.toml"), (CONFIG,)),
    "ledger": Target(read_entry, (ENTRY,), (PlainError, ScaffoldError)),
    "trajectory": Target(_trajectory, (TRAJECTORY,)),
    "output": Target(_shown, (b"a\x1b[2J::set-output name=x::y\t\xff\xe2\x80\xae",)),
}
SLOW = frozenset({"patch"})
"""Each input starts git: a tenth of the inputs."""
_PIECES = (
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r",
    b"(" * 50,
    b"{" * 50,
    b'"""',
    b"'",
    b"\\",
    b"\n" * 20,
    b"\xe2\x80\xae",
    b"1e999",
    b"-" * 99,
    b"<![CDATA[",
)


def mutated(samples: tuple[bytes, ...], source: random.Random) -> bytes:
    """A sample with some bytes taken out, doubled, changed, or pieces put in."""
    data = bytearray(source.choice(samples))
    for _ in range(source.randint(0, 8)):
        at = source.randint(0, len(data))
        end = min(len(data), at + source.randint(0, 30))
        way = source.randint(0, 4)
        if way == 0:
            del data[at:end]
        elif way == 1:
            data[at:at] = data[at:end] * source.randint(1, 4)
        elif way == 2 and at < len(data):
            data[at] = source.randint(0, 255)
        elif way == 3:
            data[at:at] = source.choice(_PIECES)
        else:
            other = source.randint(0, len(data))
            data[at:at] = data[other : other + source.randint(0, 40)]
    return bytes(data)
