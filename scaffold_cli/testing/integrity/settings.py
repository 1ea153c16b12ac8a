# ruff: noqa: E501 - patterns read better on one line
"""Configuration of test runners, build tools and CI that lets more pass than before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.syntax.line_patterns import covers, line_of, newest, without_comments
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material
from scaffold_cli.testing.integrity.running import CI, SCRIPTS


@dataclass(frozen=True, slots=True)
class _Rule:
    """Files by pattern, and text in them that must not come (`more`) or must not go (`fewer`)."""

    files: tuple[str, ...]
    what: str
    more: re.Pattern[str] | None = None
    fewer: re.Pattern[str] | None = None
    limit: re.Pattern[str] | None = None
    """A number (group 1) that must not become less."""


def _p(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE | re.IGNORECASE)


_PYTEST = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "setup.cfg", "tox.ini", "pyproject.toml")
_MAVEN = ("pom.xml", "*.gradle", "*.gradle.kts", ".mvn/*", "gradle.properties")
_JEST = ("package.json", "jest.config.*", "vitest.config.*", "vite.config.*", ".mocharc*")
_RULES = (
    _Rule(_PYTEST, "leaves tests out", _p(r"(?:^|[\s'\"=,\[])(-k[\s=]?\S|-m[\s'\"=]+not\b|--deselect|--ignore(?:-glob)?\b|--collect-only|--co\b|-p\s*no:(?!cacheprovider)|--no-conftest|--lf\b|--maxfail|--exitfirst|-x\b(?=[\s'\"]))")),
    _Rule(_PYTEST, "turns assertions off", _p(r"--assert[= ]plain|PYTHONOPTIMIZE|\bpython[\d.]* -O+\b")),
    _Rule(_PYTEST, "leaves folders out", _p(r"^\s*(norecursedirs|collect_ignore)\s*=")),
    _Rule(_PYTEST, "gives up strictness", None, _p(r"--strict-markers|--strict-config|--strict\b|^\s*xfail_strict\s*=\s*true|^\s*-?W\s*error|filterwarnings\s*=\s*\[?\s*['\"]?error")),
    _Rule((*_PYTEST, ".coveragerc", *CI, "makefile", "*.sh"), "lowers the coverage that is demanded", None, _p(r"--cov-fail-under|^\s*fail[_-]under"), _p(r"(?:--cov-fail-under[= ]|fail[_-]under\s*[=:]\s*)(\d+(?:\.\d+)?)")),
    _Rule((".coveragerc", "setup.cfg", "pyproject.toml", "tox.ini"), "leaves files out of the coverage", _p(r"^\s*omit\s*=")),
    _Rule(SCRIPTS, "ignores a failure", _p(r"\|\|\s*(true\b|:(?=\s|$)|exit 0\b|echo\b)|;\s*(true|exit 0)\s*$|\bset \+e\b|continue-on-error:\s*(true|\$)|continueOnError:\s*true|allow_failure:\s*true|ignore_?errors\s*[:=]\s*true|^\s*ignore_outcome\s*=\s*true|^\t-\s*\S*(py|test)|catchError|--exit-zero|returnStatus:\s*true")),
    _Rule(("tox.ini",), "ignores a failure", _p(r"^\s+-[ \t]*(?=\S)(?!-)")),
    _Rule(SCRIPTS, "leaves tests out", _p(r"(?:pytest|py\.test|unittest)[^\n]*\s(-k[\s=]|--ignore|--deselect|-m[\s=]+['\"]?not\b|--collect-only|--co\b)|--passWithNoTests|--testPathIgnorePatterns|-DskipTests\b|-Dmaven\.test\.(skip|failure\.ignore)|-x\s+test\b|-DfailIfNoTests=false|--exclude-task")),
    _Rule((".githooks/*", ".husky/*"), "lets everything pass", _p(r"^\s*exit\s+0")),
    _Rule(CI, "runs only under a condition", _p(r"^\s*(?:if|condition):\s*(false|never|\$\{\{\s*false)|^\s*-?\s*when:\s*(never|manual)")),
    _Rule(CI, "lets programs of its own choice, or other options, take the place of the known", _p(r"\bGITHUB_PATH\b|\bBASH_ENV\b|\bPYTEST_ADDOPTS\b|\bPYTEST_PLUGINS\b|\bLD_PRELOAD\b|\bNODE_OPTIONS\b|\bMAKEFLAGS\b|\bSCAFFOLD_TRUST\b|\bMAVEN_OPTS\b[^\n]*skip")),
    _Rule(CI, "goes on whatever the checks say", _p(r"\bif:[^\n]*\b(always|failure|cancelled)\(\)"), None),
    _Rule(CI, "no longer waits for the checks", None, _p(r"^\s*(needs|requires|dependsOn):")),
    _Rule(_MAVEN, "lets tests be skipped or fail", _p(r"<(skipTests|skip|maven\.test\.skip|testFailureIgnore|maven\.test\.failure\.ignore)>\s*true|<(failIfNoTests|failIfNoSpecifiedTests|haltOnFailure|failOnViolation)>\s*false|ignoreFailures\s*=?\s*true|failOnNoMatchingTests\s*=?\s*false|(?:test|tasks\.test)\b[^\n]*enabled\s*=\s*false|^-D(skipTests|maven\.test\.\S*)|failIfNoTests\s*=\s*false")),
    _Rule(_MAVEN, "leaves tests out", _p(r"<exclude>[^<]*test|<excludedGroups>|excludeTags|excludeTestsMatching|exclude\s*\(?\s*['\"][^'\"]*test")),
    _Rule(_MAVEN, "lowers the coverage that is demanded", None, None, _p(r"<minimum>\s*([\d.]+)|minimum\s*=\s*([\d.]+)")),
    _Rule(_JEST, "lets less be tested", _p(r"passWithNoTests|testPathIgnorePatterns|coveragePathIgnorePatterns|\bbail\b\s*:\s*true|allowOnly")),
    _Rule(_JEST, "lowers the coverage that is demanded", None, None, _p(r"\b(?:branches|functions|lines|statements)['\"]?\s*:\s*(\d+)")),
)  # fmt: skip
_TESTPATHS = _p(r"^\s*(testpaths|python_files|python_functions|python_classes)\s*=\s*([^\n]*(?:\n\s+[^\n=\[]+)*)")

_SCRIPT_PATHS = _p(r"\b(testMatch|testRegex|roots|testDir|include)['\"]?\s*:\s*(\[[^\]]*\]|['\"][^'\"\n]*['\"])")
_SCRIPT_RUNNERS = ("jest.config.*", "vitest.config.*", "playwright.config.*")


def settings(material: Material) -> Iterator[Breach]:
    """One breach for each file and kind of loosening."""
    for pair in material.change.files:
        path = pair.path
        for rule in _RULES:
            if covers(rule.files, path):
                breach = _look(rule, pair, material)
                if breach is not None:
                    yield breach
        if covers(_PYTEST, path) and pair.after is not None and pair.before is not None:
            yield from _patterns(_TESTPATHS, pair.before, pair.after, material)
        if covers(_SCRIPT_RUNNERS, path) and pair.after is not None and pair.before is not None:
            yield from _patterns(_SCRIPT_PATHS, pair.before, pair.after, material)


def _look(rule: _Rule, pair: FileChange, material: Material) -> Breach | None:
    before, after = _text(pair.before), _text(pair.after)
    if rule.more is not None:
        line = newest(rule.more, before, after)
        if line:
            return _breach(pair, rule, material, line)
    if rule.fewer is not None and pair.before is not None and pair.after is not None:
        count = len(rule.fewer.findall(without_comments(before))), len(rule.fewer.findall(without_comments(after)))
        if count[1] < count[0]:
            return _breach(pair, rule, material, 0, line_of(rule.fewer, before))
    if rule.limit is not None:
        had, has = _numbers(rule.limit, before), _numbers(rule.limit, after)
        if had and has and min(has) < min(had) and len(has) <= len(had):
            return _breach(pair, rule, material, line_of(rule.limit, after), line_of(rule.limit, before))
    return None


def _patterns(
    pattern: re.Pattern[str], before: FileVersion, after: FileVersion, material: Material
) -> Iterator[Breach]:
    """Which files and names count as tests: every word that is there before must stay."""
    known = {match[1].lower(): set(_words(match[2])) for match in pattern.finditer(_text(before))}
    for match in pattern.finditer(_text(after)):
        had = known.get(match[1].lower())
        lost = (had or set()) - set(_words(match[2]))
        if lost or (had is None and match[1].lower() not in ("testpaths", "include", "roots", "testdir")):
            line = _text(after).count("\n", 0, match.start(1)) + 1
            what = f"{after.path} changes which tests are collected: `{match[1]}`."
            yield Breach(
                BreachKind.LOOSENED,
                what,
                f"{after.path}::{match[1]}",
                after=material.place(after.path, line, after=True),
            )


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[\s\"'\[\],]+", text) if word]


def _numbers(pattern: re.Pattern[str], text: str) -> list[float]:
    found = [next(filter(None, match.groups()), "") for match in pattern.finditer(without_comments(text))]
    return [float(item) for item in found if item.replace(".", "", 1).isdigit()]


def _text(version: FileVersion | None) -> str:
    return version.data.decode("utf-8", "replace") if version is not None and version.is_text else ""


def _breach(pair: FileChange, rule: _Rule, material: Material, after: int, before: int = 0) -> Breach:
    return Breach(
        BreachKind.LOOSENED,
        f"{pair.path} {rule.what}.",
        f"{pair.path}::{rule.what}",
        before=material.place(pair.before.path, before, after=False) if before and pair.before else None,
        after=material.place(pair.after.path, after or 1, after=True) if pair.after else None,
    )
