"""Reading one run: outcomes, partial results, environments, words."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from scaffold_cli.config.schema import TestReader, TestsSettings
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.sandbox.commands import environment, words
from scaffold_cli.sandbox.workspaces import open_workspace
from scaffold_cli.testing.outcomes import Outcome, TestRun
from scaffold_cli.testing.runner import run_tests
from tests.support.repos import make_repo
from tests.support.trees import tree_at
from tests.testing.judging import ONCE

EVERYTHING = """
import unittest

import pytest

def test_passes(): pass

def test_fails(): assert 1 == 2

@pytest.mark.skip(reason="not today")
def test_skipped(): pass

@pytest.mark.xfail
def test_xfailed(): assert 0

@pytest.mark.xfail
def test_xpassed(): pass

@pytest.mark.xfail(strict=True)
def test_xpassed_strictly(): pass

@pytest.fixture
def bad_setup(): raise OSError("no")

@pytest.fixture
def bad_teardown():
    yield
    raise OSError("no")

def test_setup_error(bad_setup): pass

def test_teardown_error(bad_teardown): pass

def test_subtests(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert number != 1
    with subtests.test("skipped"):
        pytest.skip("one of many")

def test_skipped_subtest(subtests):
    with subtests.test("skipped"):
        pytest.skip("one of many")

class TestGroup:
    @pytest.mark.parametrize("value", ["a b", "é", "::"])
    def test_values(self, value): pass

class OldStyle(unittest.TestCase):
    def test_old(self): pass
"""


def run(tmp_path: Path, files: dict[str, str], settings: TestsSettings = ONCE) -> TestRun:
    repo = make_repo(tmp_path / "repo", files)
    with tree_at(repo) as tree, open_workspace(tree, repo) as workspace:
        return run_tests(workspace, settings)


@pytest.mark.parametrize("workers", ["", " -p xdist -n 2"], ids=["one process", "xdist"])
def test_every_outcome_of_pytest_is_told_apart(tmp_path: Path, workers: str) -> None:
    strict = "[pytest]\nfilterwarnings = error\n"
    files = {"tests/test_all.py": EVERYTHING, "pytest.ini": strict}
    found = run(tmp_path, files, replace(ONCE, command=ONCE.command + workers))
    assert found.reader is TestReader.PYTEST
    assert {id_.removeprefix("tests/test_all.py::"): case.outcome for id_, case in found.cases.items()} == {
        "test_passes": Outcome.PASSED,
        "test_fails": Outcome.FAILED,
        "test_skipped": Outcome.SKIPPED,
        "test_xfailed": Outcome.XFAILED,
        "test_xpassed": Outcome.XPASSED,
        "test_xpassed_strictly": Outcome.FAILED,
        "test_setup_error": Outcome.FAILED,
        "test_teardown_error": Outcome.FAILED,
        "test_subtests": Outcome.FAILED,
        "test_skipped_subtest": Outcome.PASSED,
        "TestGroup::test_values[a b]": Outcome.PASSED,
        "TestGroup::test_values[\\xe9]": Outcome.PASSED,
        "TestGroup::test_values[::]": Outcome.PASSED,
        "OldStyle::test_old": Outcome.PASSED,
    }
    fails = found.cases["tests/test_all.py::test_fails"]
    assert fails.summary == "assert 1 == 2"
    assert "assert 1 == 2" in fails.detail
    assert fails.path == "tests/test_all.py"
    assert found.cases["tests/test_all.py::test_skipped"].summary == "Skipped: not today"


def test_results_before_a_crash_are_kept(tmp_path: Path) -> None:
    code = "import os\n\ndef test_first(): pass\n\ndef test_crash(): os._exit(7)\n\ndef test_after(): pass\n"
    found = run(tmp_path, {"test_crash.py": code})
    assert found.code == 7
    assert found.passed == {"test_crash.py::test_first"}


def test_a_forked_child_reports_nothing_twice(tmp_path: Path) -> None:
    code = "import os\n\ndef test_fork():\n    pid = os.fork()\n    if not pid:\n        os._exit(0)\n"
    code += "    os.waitpid(pid, 0)\n"
    assert run(tmp_path, {"test_fork.py": code}).passed == {"test_fork.py::test_fork"}


def test_a_pytest_inside_a_test_does_not_report_to_us(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys\n\ndef test_outer(tmp_path):\n"
        "    assert not [name for name in os.environ if 'SCAFFOLD' in name or name == 'PYTEST_PLUGINS']\n"
        "    (tmp_path / 'test_inner.py').write_text('def test_inner(): pass')\n"
        "    subprocess.run([sys.executable, '-m', 'pytest', str(tmp_path)], check=True)\n"
    )
    assert set(run(tmp_path, {"test_outer.py": code}).cases) == {"test_outer.py::test_outer"}


def test_pytest_is_recognised_behind_a_script(tmp_path: Path) -> None:
    files = {"check.sh": f"set -e\n{ONCE.command} test_a.py\n{ONCE.command} test_b.py\n"}
    files |= {f"test_{name}.py": f"def test_{name}(): pass\n" for name in "ab"}
    found = run(tmp_path, files, replace(ONCE, command="sh check.sh"))
    assert found.passed == {"test_a.py::test_a", "test_b.py::test_b"}


def test_the_user_s_own_plugins_by_environment_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_PLUGINS", "theirs")
    monkeypatch.setenv("PYTHONPATH", "lib")
    files = {
        "lib/theirs.py": "import pytest\n\n@pytest.fixture\ndef theirs(): return 1\n",
        "test_a.py": "import os\n\ndef test_a(theirs):\n    assert os.environ['PYTEST_PLUGINS'] == 'theirs'\n",
    }
    assert run(tmp_path, files).passed == {"test_a.py::test_a"}


def test_nothing_collected_is_a_result_of_its_own(tmp_path: Path) -> None:
    found = run(tmp_path, {"app.py": "x = 1\n"})
    assert (found.code, found.nothing_collected, found.reader) == (5, True, TestReader.PYTEST)


def test_asking_for_pytest_where_there_is_none_is_undecided(tmp_path: Path) -> None:
    settings = TestsSettings(command="echo 'no tests here'", reader=TestReader.PYTEST)
    with pytest.raises(UndecidedError, match="did not start pytest: no tests here"):
        run(tmp_path, {"a": ""}, settings)


def test_a_damaged_report_is_undecided(tmp_path: Path) -> None:
    settings = TestsSettings(command="echo '<testsuite><' > junit.xml", reader=TestReader.JUNIT)
    with pytest.raises(UndecidedError, match=r"junit\.xml cannot be read"):
        run(tmp_path, {"a": ""}, settings)


def test_reports_are_found_at_any_depth(tmp_path: Path) -> None:
    report = "<testsuite><testcase classname='C' name='n'/></testsuite>"
    place = "module/target/surefire-reports"
    command = f'mkdir -p {place} && echo "{report}" > {place}/TEST-C.xml'
    found = run(tmp_path, {"a": ""}, TestsSettings(command=command))
    assert found.reader is TestReader.JUNIT
    assert found.passed == {"C::n"}


def test_both_sides_get_the_same_environment_without_what_is_ours() -> None:
    given = {"HOME": "/h", "GIT_DIR": "/g", "SCAFFOLD_X": "1", "PYTEST_CURRENT_TEST": "t", "PYTHONHASHSEED": "random"}
    assert environment(given) == {"HOME": "/h", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
    assert environment()["PATH"] == os.environ["PATH"]


@pytest.mark.parametrize("command", ["a && b", "a | b", "A=1 b", "a $HOME", "a *.py", "a > b", "(a)", "a; b", "a `b`"])
def test_what_needs_a_shell_gets_one(command: str) -> None:
    assert words(command, "tests.command") == ["sh", "-c", command]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q", ["pytest", "-q"]),
        ("pytest -k 'a and b' \"c d\"", ["pytest", "-k", "a and b", "c d"]),
        (f"{sys.executable} -m pytest --opt=1", [sys.executable, "-m", "pytest", "--opt=1"]),
    ],
)
def test_plain_words_are_run_directly(command: str, expected: list[str]) -> None:
    assert words(command, "tests.command") == expected


def test_an_open_quote_is_the_user_s_to_mend() -> None:
    with pytest.raises(UsageError, match=r"tests\.command"):
        words("pytest -k 'a", "tests.command")


def test_each_run_has_a_temporary_folder_of_its_own(tmp_path: Path) -> None:
    code = (
        "import tempfile, pathlib\n\ndef test_empty():\n"
        "    folder = pathlib.Path(tempfile.gettempdir())\n"
        "    assert list(folder.iterdir()) == []\n"
        "    (folder / 'left-behind').touch()\n"
    )
    for name in ("first", "second"):
        assert run(tmp_path / name, {"test_t.py": code}).passed == {"test_t.py::test_empty"}
