# ruff: noqa: E501 - patterns read better on one line
"""Code that can change what a test run reports, or that behaves differently while it is tested."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.syntax.frontends import language_of
from scaffold_cli.syntax.outline import Language
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

_HOOKS = (
    "pytest_runtest_makereport|pytest_runtest_logreport|pytest_pyfunc_call|pytest_runtest_protocol|pytest_runtest_call|"
    "pytest_sessionfinish|pytest_cmdline_main|pytest_report_teststatus|pytest_exception_interact|pytest_unconfigure|"
    "pytest_runtestloop|pytest_runtest_logfinish|pytest_report_from_serializable|pytest_make_collect_report|"
    "pytest_collectreport|pytest_pycollect_makeitem|pytest_itemcollected|pytest_deselected|pytest_ignore_collect|pytest_collect_file|pytest_collect_directory|pytest_pycollect_makemodule"
)
_ENDS = re.compile(
    r"\bos\._exit\(|\bpytest\.exit\(|\batexit\.register\(|\bsession\.exitstatus\s*=[^=]|\.shouldstop\s*=|os\.kill\(os\.getpid"
)
_TESTS: Sequence[tuple[str, re.Pattern[str]]] = (
    ("defines a hook that can rewrite outcomes", re.compile(rf"\bdef\s+({_HOOKS})\b")),
    ("names a hook that can rewrite outcomes", re.compile(rf"['\"]({_HOOKS})['\"]")),
    ("drops or reorders collected tests", re.compile(r"\bitems\s*(\[\s*:\s*\]\s*=|\.\s*(clear|remove|pop)\s*\()")),
    ("marks collected tests as skipped or expected to fail", re.compile(r"add_marker\([^\n]*(skip|xfail)")),
    ("keeps files from being collected", re.compile(r"^\s*collect_ignore(_glob)?\b", re.MULTILINE)),
    ("replaces AssertionError or an assertion", re.compile(
        r"(builtins\.|__builtins__\S*)AssertionError|setattr\([^\n]*['\"]AssertionError|"
        r"\bTestCase\.(assert|fail)\w*\s*=[^=]|setattr\([^\n]*(TestCase|builtins|pytest)\b")),
    ("sets an outcome", re.compile(r"\.outcome\s*=[^=]|\.force_result\(|\.longrepr\s*=[^=]|\bTestReport\(|\.wasSuccessful\b\s*=")),
    ("ends the test process", _ENDS),
    ("reaches into the test runner", re.compile(r"\b(from|import)\s+_pytest\b|pluginmanager\.\w*(unregister|set_blocked|hook)|\bgc\.get_objects\(")),
    ("turns off assertion rewriting", re.compile(r"PYTEST_DONT_REWRITE|dont_write_bytecode\s*=.*rewrite|PYTHONOPTIMIZE")),
)  # fmt: skip
_EXIT = re.compile(r"^(sys\.exit|exit|quit|raise\s+SystemExit)\b[^\n]*", re.MULTILINE)
"""At the start of a line: it runs when the file is loaded."""
_SKIPS = re.compile(r"\bpytest\.(skip|xfail|importorskip)\(")
_GUARD = re.compile(r"scaffold_outcomes|SCAFFOLD_OUTCOMES|startswith\(['\"']SCAFFOLD")
_DETECTS = re.compile(
    r"PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER|"
    r"['\"](pytest|_pytest|unittest|nose|conftest)['\"]\s+(not\s+)?in\s+(sys\.)?modules|"
    r"(sys\.)?modules\.get\(\s*['\"](pytest|_pytest|unittest)['\"]|"
    r"JEST_WORKER_ID|NODE_ENV['\"\]]*\s*(===?|!==?)\s*['\"]test['\"]|process\.env\.(VITEST|JEST)\w*|"
    r"org\.junit\.[\w.]*['\"]\s*\)|getStackTrace\(\)[^\n]*junit|argv\[0\][^\n]*(pytest|py\.test)|"
    r"sys\._called_from_test|inspect\.stack\(\)[^\n]*(test_|pytest)"
)
_LOADED = frozenset({"sitecustomize.py", "usercustomize.py"})
_PRODUCTION = frozenset({Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.JAVA, Language.GO})


def outcomes(material: Material) -> Iterator[Breach]:
    """New code of this kind in test code, and new files that Python loads by itself."""
    for pair in material.change.files:
        version = pair.after
        if version is None or not version.is_text:
            continue
        name = version.path.rpartition("/")[2]
        if name in _LOADED or (name.endswith(".pth") and pair.before is None):
            yield _breach(
                material, version.path, 1, f"{version.path} is loaded by every Python that starts beside it.", name
            )
        if language_of(version.path, version.data) is not Language.PYTHON:
            continue
        is_test, is_plugin = is_test_file(version.path), _is_plugin(version)
        for what, pattern in _TESTS if is_test or is_plugin else _TESTS[:1]:
            if pattern is _ENDS and not is_plugin:  # a test that ends its own run is missed by the run itself
                continue
            yield from _news(material, pair, pattern, f"{{path}} {what}: `{{text}}`.", BreachKind.FORGED)
        if name == "conftest.py":
            yield from _news(
                material, pair, _SKIPS, "{path} skips tests from outside of them: `{text}`.", BreachKind.FORGED
            )
        if is_plugin:
            yield from _news(
                material, pair, _EXIT, "{path} ends the test process when it is loaded: `{text}`.", BreachKind.FORGED
            )


def detection(material: Material) -> Iterator[Breach]:
    """Production code that newly asks whether tests run; code of any kind that newly names the guard."""
    for pair in material.change.files:
        version = pair.after
        if version is None or not version.is_text:
            continue
        production = not is_test_file(version.path) and language_of(version.path, version.data) in _PRODUCTION
        if production:
            text = "{path} asks whether it runs under a test: `{text}`."
            yield from _news(material, pair, _DETECTS, text, BreachKind.DETECTED)
        if language_of(version.path, version.data) in _PRODUCTION:
            yield from _news(
                material, pair, _GUARD, "{path} names the guard that judges it: `{text}`.", BreachKind.DETECTED
            )


def _is_plugin(version: FileVersion) -> bool:
    """True for what pytest loads before the tests: a conftest, and files that define hooks or are named as plugins."""
    name = version.path.rpartition("/")[2]
    return name == "conftest.py" or b"def pytest_" in version.data or b"@pytest.hookimpl" in version.data


def _news(
    material: Material, pair: FileChange, pattern: re.Pattern[str], what: str, kind: BreachKind
) -> Iterator[Breach]:
    """One breach for the first statement that matches more often than before."""
    after = pair.after
    assert after is not None
    if not pattern.search(after.data.decode("utf-8", "replace")):
        return
    known = Counter(_hits(pair.before, pattern))
    for text, line in _hits(after, pattern).items():
        if known[text]:
            continue
        yield Breach(
            kind, what.format(path=after.path, text=" ".join(text.split())[:100]), f"{after.path}::{text}",
            after=material.place(after.path, line, after=True),
        )  # fmt: skip
        return


def _hits(version: FileVersion | None, pattern: re.Pattern[str]) -> dict[str, int]:
    """Matching lines of code, comments left out, with their numbers."""
    if version is None or not version.is_text:
        return {}
    text = version.data.decode("utf-8", "replace")
    if not pattern.search(text):
        return {}
    lines = text.split("\n")
    found: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        hit = pattern.search(line)
        quoted = hit is not None and line[: hit.start()].replace('\\"', "").count('"') % 2 == 1
        if hit and not quoted and not line.lstrip().startswith(("#", "//", "*")):
            found.setdefault(line.strip(), number)
    return found


def _breach(material: Material, path: str, line: int, what: str, subject: str) -> Breach:
    return Breach(BreachKind.FORGED, what, f"{path}::{subject}", after=material.place(path, line, after=True))
