"""Marks that silence a scanner: which ones count, and that adding one is told."""

from __future__ import annotations

import pytest

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.verdict import LayerStatus
from scaffold_cli.sast.source import Source
from scaffold_cli.sast.suppressions import suppressions
from tests.sast.support import blocking, facts, judge, one


def marks(code: str, path: str = "a.py") -> list[str]:
    found = suppressions(Source.of(FileVersion(path, code.encode()), path))
    return [mark.fingerprint.code[0] for mark in found]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("x()  # nosemgrep", ["nosem"]),
        ("x()  # see nosem: py-ssrf", ["nosem"]),
        ("x()  # nosec", ["nosec"]),
        ("x()  # nosec B602", ["nosec"]),
        ("x()  # NOSONAR", ["nosonar"]),
        ("x()  # noqa", ["noqa"]),
        ("x()  # NOQA : S602, S603", ["noqa: S602", "noqa: S603"]),
        ("x()  # noqa: E501,S105", ["noqa: S105"]),
        ("# ruff: noqa", ["noqa"]),
        ("x()  # codeql[py/sql-injection]", ["codeql"]),
        ("x()  # deepcode  ignore Sqli: trusted", ["deepcode ignore"]),
        ("x()  # bearer:disable python_lang_logger", ["bearer:disable"]),
        ("x = 'k'  # gitleaks:allow", ["gitleaks:allow"]),
        ("x = 'k'  # pragma: allowlist secret", ["allowlist secret"]),
        ("x = 'k'  # trufflehog:ignore", ["trufflehog:ignore"]),
        ("x()  # the bearer of the allowlist", []),
        ("x()  # noqa: E402", []),
        ("x()  # noqa: SIM102", []),
        ("x()  # type: ignore[arg-type]", []),
        ("x = '# nosec'", []),
        ('"""nosemgrep"""', ["nosem"]),
        ("x(c + ' nosemgrep')", ["nosem"]),
        ("x(c + '-nosemgrep')", []),
        ("x(nosemantics)", []),
        ("x('# noqa')", ["noqa"]),
        ("x('# noqa: S101')  # noqa: S102", ["noqa: S101", "noqa: S102"]),
        ("x('noqa')", []),
        ("x()  # lgtm", ["lgtm"]),
        ("x()  # lgtm[py/path-injection]", ["lgtm"]),
        ("x()  # lgtm says the reviewer", []),
        ("x()  # skipcq", ["skipcq"]),
        ("x()  # skipcq: BAN-B101, PYL-W0612", ["skipcq: BAN-B101"]),
        ("x()  # skipcq: PYL-W0612", []),
        ("x()  # checkov:skip=CKV_AWS_1: later", ["checkov:skip"]),
        ("x()  # trivy:ignore:AVD-1", ["trivy:ignore"]),
        ("# ruff: noqa: S101", ["noqa: S101"]),
        ("x()  # ruff: ignore[S602, E501]", ["ruff: ignore S602"]),
        ("# ruff: file-ignore[E501]", []),
        ("x()  # pylint: disable=eval-used,invalid-name", ["pylint: disable eval-used"]),
        ("x()  # pylint: disable=invalid-name", []),
        ("# pylint: skip-file", ["pylint: skip-file"]),
        ("nosec = 1", []),
        ("x()  # nosecond", []),
        ("def f(:  # nosec", ["nosec"]),
    ],
)
def test_marks_in_python(code: str, found: list[str]) -> None:
    assert marks(code + "\n") == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("class A { } // NOSONAR", ["nosonar"]),
        ("class A { /* a\n nosemgrep */ }", ["nosem"]),
        ('class A { @SuppressWarnings("java:S2077") void f() { } }', ["@SuppressWarnings(java:S2077)"]),
        ('class A { @SuppressWarnings({"unchecked", "squid:S1"}) void f() { } }', ["@SuppressWarnings(squid:S1)"]),
        ('@SuppressWarnings("all") class A { }', ["@SuppressWarnings(all)"]),
        ('class A { @SuppressFBWarnings("SQL_INJECTION") void f() { } }', ["@SuppressFBWarnings(SQL_INJECTION)"]),
        ('class A { @SuppressWarnings("unchecked") void f() { } }', []),
        ('class A { String s = "// NOSONAR"; }', []),
        ('class A { char c = \'"\'; String s = "nosem"; }', []),
        ('class A { String s = "a nosem"; }', ["nosem"]),
        ("class A { } // skipcq: JAVA-S1005", ["skipcq: JAVA-S1005"]),
        ('class A { // @SuppressWarnings("all")\n }', []),
    ],
)
def test_marks_in_java(code: str, found: list[str]) -> None:
    assert marks(code + "\n", "A.java") == found


@pytest.mark.parametrize(
    ("path", "code", "found"),
    [
        ("a.go", "x() // #nosec G204", ["nosec"]),
        ("a.go", "x() //nolint", ["nolint"]),
        ("a.go", "x() //nolint:errcheck,gosec // fine", ["nolint: gosec"]),
        ("a.go", "x() //nolint:errcheck", []),
        ("a.go", "s := `//nolint`", []),
        ("a.go", "x() //gosec:disable G204 -- why", ["gosec:disable"]),
        ("a.js", "/* oxlint-disable no-eval */", ["eslint-disable no-eval"]),
        ("a.js", '/* eslint no-eval: "off", semi: 2 */', ["eslint off no-eval"]),
        ("a.js", "/* eslint semi: 0 */", []),
        ("a.js", "/* jshint evil:true */", ["jshint evil"]),
        ("a.js", "x() // nosemgrep", ["nosem"]),
        ("a.js", "x() // eslint-disable-line", ["eslint-disable"]),
        ("a.js", "/* eslint-disable no-eval, semi */", ["eslint-disable no-eval"]),
        ("a.ts", "// eslint-disable-next-line security/detect-eval -- ok", ["eslint-disable security/detect-eval"]),
        ("a.ts", "// eslint-disable-next-line semi", []),
        ("a.tsx", "// biome-ignore lint/security/noGlobalEval: ok", ["biome-ignore lint/security/noGlobalEval"]),
        ("a.js", "const a = `// eslint-disable-line`", []),
    ],
)
def test_marks_in_go_and_scripts(path: str, code: str, found: list[str]) -> None:
    assert marks(code + "\n", path) == found


def test_an_added_mark_is_a_violation_and_does_not_hide_the_finding() -> None:
    result = judge(one("import os\n", "import os\n\n\ndef f(c):\n    os.system(c)  # nosemgrep\n"))
    assert sorted(violation.code for violation in blocking(result)) == ["py-shell-dynamic-command", "suppression-added"]
    mark = next(violation for violation in result.violations if violation.code == "suppression-added")
    assert mark.after is not None
    assert (mark.after.line, mark.after.symbol) == (5, "f")


def test_marks_that_were_there_or_moved_with_their_function_are_not_new() -> None:
    before = "import os\n\n\ndef f(c):\n    os.system(c)  # nosec\n"
    assert judge(one(before, before.replace("def f", "def g"))).status is LayerStatus.PASS
    assert judge(one(before, "import sys\n" + before)).status is LayerStatus.PASS


def test_a_second_mark_of_a_kind_is_new() -> None:
    before = "def f(c):\n    a(c)  # nosec\n    b(c)\n"
    (violation,) = blocking(judge(one(before, before.replace("b(c)", "b(c)  # nosec"))))
    assert violation.code == "suppression-added"


def test_a_mark_taken_away_is_a_fact() -> None:
    assert facts(judge(one("a()  # nosec\n", "a()\n")))["suppressions removed"] == 1


def test_a_style_mark_passes() -> None:
    assert judge(one("a()\n", "a()  # noqa: E402\n")).status is LayerStatus.PASS
