# ruff: noqa: E501 - tables of small programs
"""What a change does to the tests themselves, seen on their text: pytest, unittest, JUnit, TestNG, jest."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.testing.integrity.looking import look

Files = Mapping[str, str | None]


def kinds(before: Files, after: Files) -> set[str]:
    """The kinds of breaches of a change between these files; equal ones are no part of it."""

    def version(files: Files, path: str) -> FileVersion | None:
        text = files.get(path)
        return None if text is None else FileVersion(path, text.encode())

    paths = sorted(before.keys() | after.keys())
    pairs = [FileChange(version(before, path), version(after, path)) for path in paths]
    _, breaches = look(Change.of(pair for pair in pairs if pair.before != pair.after))
    return {breach.kind.value.removeprefix("test-") for breach in breaches}


def py(body: str, before: str = "import pytest\nfrom shop import price\n\n") -> str:
    return before + "\n".join(body.splitlines()) + "\n"


BASE = """\
def test_price():
    assert price(2) == 4
    assert "x" not in label(2)

def test_refuses():
    with pytest.raises(ValueError, match="negative"):
        price(-1)

@pytest.mark.parametrize("n", [1, 2, 3])
def test_many(n):
    assert price(n) == pytest.approx(2 * n, rel=1e-6)

class TestShop:
    def test_open(self):
        self.assertEqual(state(), "open")
        self.assertTrue(is_open())
"""

WEAKENED_PYTHON: dict[str, tuple[str, str, str]] = {
    "gone": ('def test_refuses():\n    with pytest.raises(ValueError, match="negative"):\n        price(-1)\n', "", "gone"),
    "emptied": ('    assert price(2) == 4\n    assert "x" not in label(2)\n', "    pass\n", "emptied"),
    "a docstring for a body": (
        '    assert price(2) == 4\n    assert "x" not in label(2)\n', '    """Checked elsewhere."""\n', "emptied"
    ),
    "skip mark": ("def test_refuses", "@pytest.mark.skip\ndef test_refuses", "newly-skipped"),
    "skip that is always true": ("def test_refuses", "@pytest.mark.skipif(True, reason='x')\ndef test_refuses", "newly-skipped"),
    "skip by call": ("    with pytest.raises", "    pytest.skip('later')\n    with pytest.raises", "newly-skipped"),
    "skip of the class": ("class TestShop", "@unittest.skip('x')\nclass TestShop", "newly-skipped"),
    "xfail mark": ("def test_refuses", "@pytest.mark.xfail\ndef test_refuses", "newly-skipped"),
    "early return": ("    assert price(2) == 4\n", "    return\n    assert price(2) == 4\n", "assertion-removed"),
    "removed": ("    assert price(2) == 4\n", "", "assertion-removed"),
    "commented out": ("    assert price(2) == 4\n", "    # assert price(2) == 4\n", "assertion-removed"),
    "never reached": ("    assert price(2) == 4\n", "    if False:\n        assert price(2) == 4\n", "assertion-removed"),
    "swallowed": (
        "    assert price(2) == 4\n",
        "    try:\n        assert price(2) == 4\n    except AssertionError:\n        pass\n",
        "assertion-removed",
    ),
    "equality to membership": ("price(2) == 4", "price(2) in (4, 5)", "assertion-weakened"),
    "equality to truth": ("assert price(2) == 4", "assert price(2)", "assertion-weakened"),
    "equality to order": ("price(2) == 4", "price(2) > 0", "assertion-weakened"),
    "equality to presence": ("price(2) == 4", "price(2) is not None", "assertion-weakened"),
    "or true": ("assert price(2) == 4", "assert price(2) == 4 or True", "assertion-removed"),
    "a constant": ("assert price(2) == 4", "assert True", "assertion-removed"),
    "itself": ("assert price(2) == 4", "assert price(2) == price(2)", "assertion-removed"),
    "inverted": ("price(2) == 4", "price(2) != 4", "assertion-inverted"),
    "inverted membership": ('"x" not in label(2)', '"x" in label(2)', "assertion-inverted"),
    "any error": ('raises(ValueError, match="negative")', "raises(Exception)", "assertion-weakened"),
    "any message": ('raises(ValueError, match="negative")', "raises(ValueError)", "assertion-weakened"),
    "no error": (
        '    with pytest.raises(ValueError, match="negative"):\n        price(-1)',
        "    assert price(-1) == -2",
        "assertion-removed",
    ),
    "tolerance": ("rel=1e-6", "rel=0.5", "assertion-weakened"),
    "rows": ("[1, 2, 3]", "[1]", "parameters-cut"),
    "unittest equality to truth": ('self.assertEqual(state(), "open")', "self.assertTrue(state())", "assertion-weakened"),
    "unittest inverted": ("self.assertTrue(is_open())", "self.assertFalse(is_open())", "assertion-inverted"),
    "unittest to membership": ('assertEqual(state(), "open")', 'assertIn("o", state())', "assertion-weakened"),
    "mocked": ("def test_price():", "@mock.patch('shop.price', return_value=4)\ndef test_price(_):", "subject-mocked"),
    "mocked by a fixture": (
        "def test_price():",
        "@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    monkeypatch.setattr('shop.price', lambda n: 4)\n\n"
        "def test_price():",
        "subject-mocked",
    ),
    "a second definition": (
        "class TestShop:", "def test_refuses():\n    assert True\n\nclass TestShop:", "assertion-removed"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WEAKENED_PYTHON)
def test_python_tests_that_ask_for_less_are_seen(name: str) -> None:
    old, new, kind = WEAKENED_PYTHON[name]
    assert old in BASE
    assert kind in kinds({"tests/test_shop.py": py(BASE)}, {"tests/test_shop.py": py(BASE.replace(old, new))})


MORE = BASE + "\ndef test_more():\n    assert price(9) == 18\n"
HELPER = """\
def check_price(n, expected):
    assert price(n) == expected

"""
FINE_PYTHON: dict[str, str] = {
    "nothing": BASE,
    "one more test": MORE,
    "one more assertion": BASE.replace("    assert price(2) == 4\n", "    assert price(2) == 4\n    assert price(3) == 6\n"),
    "stronger": BASE.replace("self.assertTrue(is_open())", "self.assertIs(is_open(), True)"),
    "pattern added": BASE.replace("rel=1e-6", "rel=1e-9"),
    "more rows": BASE.replace("[1, 2, 3]", "[1, 2, 3, 4]"),
    "another value": BASE.replace("price(2) == 4", "price(2) == 5"),
    "other order": BASE.replace("price(2) == 4", "4 == price(2)"),
    "renamed": BASE.replace("test_refuses", "test_negative_prices_are_refused"),
    "narrower error": BASE.replace("ValueError", "NegativePriceError"),
    "a helper": HELPER + BASE.replace("assert price(2) == 4", "check_price(2, 4)"),
    "a message": BASE.replace("price(2) == 4", 'price(2) == 4, "the price"'),
    "split": BASE.replace('    assert "x" not in label(2)\n', '\ndef test_label():\n    assert "x" not in label(2)\n'),
    "into rows": BASE.replace(
        'def test_price():\n    assert price(2) == 4\n    assert "x" not in label(2)\n',
        '@pytest.mark.parametrize("made, expected", [(price, 4), (other, 5), (label, 6)])\n'
        "def test_price(made, expected):\n    assert made(2) == expected\n",
    ),
    "a skip where it cannot run": BASE.replace(
        "def test_refuses", "@pytest.mark.skipif(sys.platform == 'win32', reason='x')\ndef test_refuses"
    ),
    "a stand-in for what the tests do not call": BASE.replace(
        "def test_price():", "@mock.patch('shop.fetch', return_value=4)\ndef test_price(_):"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FINE_PYTHON)
def test_adding_strengthening_renaming_and_moving_is_fine(name: str) -> None:
    assert kinds({"tests/test_shop.py": py(BASE)}, {"tests/test_shop.py": py(FINE_PYTHON[name])}) == set()


def test_tests_may_move_between_files() -> None:
    first, _, second = py(BASE).partition("class TestShop:")
    after = {"tests/test_shop.py": first, "tests/test_state.py": "class TestShop:" + second}
    assert kinds({"tests/test_shop.py": py(BASE)}, after) == set()


def test_a_test_may_go_with_what_it_tests() -> None:
    shop = "def price(n):\n    return 2 * n\n\ndef label(n):\n    return str(n)\n"
    extra = "\ndef test_discount():\n    assert discount(3) == 2\n"
    before = {"shop.py": shop + "\ndef discount(n):\n    return n - 1\n", "tests/test_shop.py": py(BASE + extra)}
    assert kinds(before, {"shop.py": shop, "tests/test_shop.py": py(BASE)}) == set()
    assert kinds(before, {**before, "tests/test_shop.py": py(BASE)}) == {"gone"}


JAVA = """\
class ShopTest {
  @Test public void price() { assertEquals(4, shop.price(2)); assertNotNull(shop.label(2)); }
  @Test(expected = IllegalArgumentException.class) public void refuses() { shop.price(-1); }
  @Test void throwsIt() { assertThrows(IllegalArgumentException.class, () -> shop.price(-1)); }
  @Test void close() { assertEquals(0.5, shop.half(1), 0.001); }
  @Test void chained() { assertThat(shop.price(3)).isEqualTo(6); }
  @ParameterizedTest @ValueSource(ints = {1, 2, 3}) void many(int n) { assertTrue(shop.price(n) > 0); }
}
"""
WEAKENED_JAVA: dict[str, tuple[str, str, str]] = {
    "JUnit 5 disabled": ("@Test void throwsIt", '@Disabled("x") @Test void throwsIt', "newly-skipped"),
    "JUnit 4 ignored": ("@Test void throwsIt", "@Ignore @Test void throwsIt", "newly-skipped"),
    "TestNG switched off": ("@Test void throwsIt", "@Test(enabled = false) void throwsIt", "newly-skipped"),
    "no longer a test": ("@Test void throwsIt", "void throwsIt", "gone"),
    "emptied": ("{ assertThrows(IllegalArgumentException.class, () -> shop.price(-1)); }", "{ }", "emptied"),
    "equality to truth": ("assertEquals(4, shop.price(2))", "assertNotNull(shop.price(2))", "assertion-weakened"),
    "inverted": ("assertEquals(4, shop.price(2))", "assertNotEquals(4, shop.price(2))", "assertion-inverted"),
    "removed": ("assertEquals(4, shop.price(2)); ", "", "assertion-removed"),
    "any error": ("assertThrows(IllegalArgumentException.class", "assertThrows(Exception.class", "assertion-weakened"),
    "annotation without error": ("@Test(expected = IllegalArgumentException.class)", "@Test", "assertion-removed"),
    "annotation with any error": ("expected = IllegalArgumentException", "expected = Throwable", "assertion-weakened"),
    "tolerance": ("0.001", "10.0", "assertion-weakened"),
    "chain to truth": (".isEqualTo(6)", ".isNotNull()", "assertion-weakened"),
    "rows": ("{1, 2, 3}", "{1}", "parameters-cut"),
}  # fmt: skip


@pytest.mark.parametrize("name", WEAKENED_JAVA)
def test_java_tests_that_ask_for_less_are_seen(name: str) -> None:
    old, new, kind = WEAKENED_JAVA[name]
    assert old in JAVA
    assert kind in kinds({"src/test/java/ShopTest.java": JAVA}, {"src/test/java/ShopTest.java": JAVA.replace(old, new)})


def test_java_tests_may_be_renamed_and_strengthened() -> None:
    after = JAVA.replace("void chained", "void pricesAreDoubled").replace(
        "assertNotNull(shop.label(2))", 'assertEquals("2", shop.label(2))'
    )
    assert kinds({"src/test/java/ShopTest.java": JAVA}, {"src/test/java/ShopTest.java": after}) == set()


JS = """\
import { price } from '../src/shop';
describe('shop', () => {
  it('doubles', () => { expect(price(2)).toBe(4); expect(label(2)).not.toContain('x'); });
  it('refuses', async () => { await expect(price(-1)).rejects.toThrow(RangeError); });
  test.each([[1, 2], [2, 4]])('row %i', (n, out) => { expect(price(n)).toEqual(out); });
  it('is close', () => { expect(half(1)).toBeCloseTo(0.5, 5); });
});
"""
WEAKENED_JS: dict[str, tuple[str, str, str]] = {
    "skip": ("it('refuses'", "it.skip('refuses'", "newly-skipped"),
    "xit": ("it('refuses'", "xit('refuses'", "newly-skipped"),
    "group skipped": ("describe('shop'", "describe.skip('shop'", "newly-skipped"),
    "only": ("it('doubles'", "it.only('doubles'", "newly-skipped"),
    "todo": ("it('refuses', async () => { await expect(price(-1)).rejects.toThrow(RangeError); })", "it.todo('refuses')", "newly-skipped"),
    "gone": ("  it('refuses', async () => { await expect(price(-1)).rejects.toThrow(RangeError); });\n", "", "gone"),
    "truth": ("toBe(4)", "toBeTruthy()", "assertion-weakened"),
    "membership": ("expect(price(2)).toBe(4)", "expect(price(2)).toBeGreaterThan(0)", "assertion-weakened"),
    "inverted": ("expect(price(2)).toBe(4)", "expect(price(2)).not.toBe(4)", "assertion-inverted"),
    "any error": ("toThrow(RangeError)", "toThrow()", "assertion-weakened"),
    "removed": ("expect(price(2)).toBe(4); ", "", "assertion-removed"),
    "rows": ("[[1, 2], [2, 4]]", "[[1, 2]]", "parameters-cut"),
    "digits": ("0.5, 5", "0.5, 0", "assertion-weakened"),
    "mocked": ("describe('shop'", "vi.spyOn(shop, 'price').mockReturnValue(4);\ndescribe('shop'", "subject-mocked"),
}  # fmt: skip


@pytest.mark.parametrize("name", WEAKENED_JS)
def test_javascript_tests_that_ask_for_less_are_seen(name: str) -> None:
    old, new, kind = WEAKENED_JS[name]
    assert old in JS
    assert kind in kinds({"test/shop.test.js": JS}, {"test/shop.test.js": JS.replace(old, new)})


def test_javascript_tests_may_be_renamed_and_added() -> None:
    after = JS.replace("it('doubles'", "it('doubles the number'").replace(
        "  it('is close'", "  it('adds', () => { expect(add(1, 2)).toBe(3); });\n  it('is close'"
    )
    assert kinds({"test/shop.test.js": JS}, {"test/shop.test.js": after}) == set()


FORGING: dict[str, tuple[str, str]] = {
    "report hook": ("conftest.py", "import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    yield\n"),
    "hook by another name": ("conftest.py", "def quiet(report):\n    report.x = 1\n\nglobals()['pytest_runtest_logreport'] = quiet\n"),
    "plugin elsewhere": ("shop/helpers.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"),
    "sets an outcome": ("conftest.py", "def fix(report):\n    report.outcome = 'passed'\n"),
    "exit when loaded": ("conftest.py", "import sys\nsys.exit(0)\n"),
    "exit later": ("conftest.py", "import atexit, os\natexit.register(lambda: os._exit(0))\n"),
    "patched assertion": ("tests/test_a.py", "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"),
    "patched error": ("conftest.py", "import builtins\nsetattr(builtins, 'AssertionError', ZeroDivisionError)\n"),
    "drops tests": ("conftest.py", "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n"),
    "ignores files": ("conftest.py", "collect_ignore = ['test_shop.py']\n"),
    "loaded by Python": ("sitecustomize.py", "import sys\n"),
    "reaches for our plugin": ("conftest.py", "import sys\nsys.modules['scaffold_outcomes']._write(event='test')\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGING)
def test_code_that_changes_outcomes_is_seen(name: str) -> None:
    path, text = FORGING[name]
    assert kinds({}, {path: text}) & {"outcome-changed", "run-detected"}
    assert path == "sitecustomize.py" or kinds({path: text}, {path: text + "\nX = 1\n"}) == set()


@pytest.mark.parametrize(
    "line",
    [
        "if 'pytest' in sys.modules: return True",
        "if os.environ.get('PYTEST_CURRENT_TEST'): return True",
        "if sys.modules.get('unittest'): return True",
    ],
)
def test_production_code_that_asks_for_the_tests_is_seen(line: str) -> None:
    before = "import os, sys\n\ndef allowed(u):\n    return u.ok\n"
    after = before.replace("    return", f"    {line}\n    return")
    assert kinds({"shop.py": before}, {"shop.py": after}) == {"run-detected"}


POM = "<project><build><plugins><plugin><configuration>\n</configuration></plugin></plugins></build></project>\n"
WORKFLOW = "jobs:\n  test:\n    steps:\n      - run: pytest -q\n      - run: scaffold check --base origin/main\n"
LOOSER: dict[str, tuple[str, str, str]] = {
    "-k": ("pytest.ini", "[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q -k fast\n"),
    "--ignore": ("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "-q"\n', '[tool.pytest.ini_options]\naddopts = "-q --ignore=tests/deep"\n'),
    "--deselect": ("setup.cfg", "[tool:pytest]\naddopts = -q\n", "[tool:pytest]\naddopts = -q --deselect tests/test_a.py::x\n"),
    "plain assertions": ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = --assert=plain\n"),
    "strictness": ("pytest.ini", "[pytest]\nxfail_strict = true\n", "[pytest]\n"),
    "test paths": ("pytest.ini", "[pytest]\ntestpaths = unit deep\n", "[pytest]\ntestpaths = unit\n"),
    "test names": ("pytest.ini", "[pytest]\n", "[pytest]\npython_functions = check_*\n"),
    "coverage": (".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 10\n"),
    "coverage option": ("tox.ini", "commands = pytest --cov-fail-under=90\n", "commands = pytest\n"),
    "or true": (".github/workflows/ci.yml", WORKFLOW, WORKFLOW.replace("pytest -q", "pytest -q || true")),
    "continue on error": (".github/workflows/ci.yml", WORKFLOW, WORKFLOW.replace("      - run: pytest", "      - continue-on-error: true\n        run: pytest")),
    "guard dropped": (".github/workflows/ci.yml", WORKFLOW, WORKFLOW.replace("      - run: scaffold check --base origin/main\n", "")),
    "never": (".github/workflows/ci.yml", WORKFLOW, WORKFLOW.replace("  test:\n", "  test:\n    if: false\n")),
    "allow failure": (".gitlab-ci.yml", "test:\n  script: pytest\n", "test:\n  script: pytest\n  allow_failure: true\n"),
    "make": ("Makefile", "test:\n\tpytest\n", "test:\n\tpytest || true\n"),
    "npm": ("package.json", '{"scripts": {"test": "jest"}}\n', '{"scripts": {"test": "jest --passWithNoTests"}}\n'),
    "jest coverage": ("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 90 } } }\n", "module.exports = { coverageThreshold: { global: { lines: 10 } } }\n"),
    "Maven skips": ("pom.xml", POM, POM.replace("<configuration>", "<configuration>\n<skipTests>true</skipTests>")),
    "Maven no tests": ("pom.xml", POM, POM.replace("<configuration>", "<configuration>\n<failIfNoTests>false</failIfNoTests>")),
    "Maven failures": ("pom.xml", POM, POM.replace("<configuration>", "<configuration>\n<testFailureIgnore>true</testFailureIgnore>")),
    "Maven excludes": ("pom.xml", POM, POM.replace("<configuration>", "<configuration>\n<excludes><exclude>**/AuthTest.java</exclude></excludes>")),
    "Gradle": ("build.gradle", "test { }\n", "test { ignoreFailures = true }\n"),
    "pre-commit": (".pre-commit-config.yaml", "repos:\n- hooks:\n  - id: scaffold-check\n", "repos: []\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOSER)
def test_settings_that_let_more_pass_are_seen_and_their_tightening_is_not(name: str) -> None:
    path, before, after = LOOSER[name]
    assert "settings-loosened" in kinds({path: before}, {path: after})
    assert name == "test names" or kinds({path: after}, {path: before}) == set()


@pytest.mark.parametrize("path", ["tests/__snapshots__/a.test.js.snap", "tests/test_a.ambr", "testdata/out.golden"])
def test_rewritten_snapshots_are_seen_and_new_entries_are_not(path: str) -> None:
    assert kinds({path: "a\nb\n"}, {path: "a\nc\n"}) == {"snapshot-rewritten"}
    assert kinds({path: "a\nb\n"}, {}) == {"snapshot-rewritten"}
    assert kinds({path: "a\nb\n"}, {path: "a\nb\nc\n"}) == set()
