"""The tests layer end to end: real pytest on both sides of a real commit, isolated."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import Settings, TestReader, TestsSettings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.tests import TestsLayer
from scaffold_cli.gate.layers.tests_evidence import LISTED
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.verdict import Effect, LayerStatus
from scaffold_cli.processes import ProgramNotFoundError
from scaffold_cli.sandbox.interface import IsolationKind
from tests.support.repos import commit, make_repo, write
from tests.support.snapshots import snapshot
from tests.testing.judging import NEGATIVE, ONCE, PRICE, PROJECT, found, judge_change, judge_commit, project

BROKEN = "def price(n):\n    return n * 2\n"
TESTS = str(PROJECT["tests/test_shop.py"])


def test_a_change_that_keeps_all_tests_passes(tmp_path: Path) -> None:
    result = judge_change(project(tmp_path), {"shop.py": str(PROJECT["shop.py"]).replace("n * 2", "n + n")})
    assert result.status is LayerStatus.PASS
    facts = dict(result.facts)
    assert (facts["passed before"], facts["passed after"], facts["flaky"]) == (2, 2, 0)
    assert facts["isolation"] in [kind.value for kind in IsolationKind]


def test_a_test_that_fails_now_is_named_with_its_place_and_its_report(tmp_path: Path) -> None:
    result = judge_change(project(tmp_path), {"shop.py": BROKEN})
    assert result.status is LayerStatus.FAIL
    (violation,) = result.violations
    assert (violation.code, violation.subject, violation.effect) == ("test-failed", NEGATIVE, Effect.BLOCKS)
    assert violation.what == f"Test `{NEGATIVE}` passed before and fails now: Failed: DID NOT RAISE ValueError."
    assert violation.after is not None
    assert (violation.after.path, violation.after.line) == ("tests/test_shop.py", 9)
    assert "DID NOT RAISE" in violation.because


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"tests/test_shop.py": TESTS.replace("test_negative", "negative")}, [("test-missing", NEGATIVE)]),
        ({"tests/test_shop.py": None}, [("tests-not-run", "")]),
        (
            {"tests/test_shop.py": TESTS.replace("def test_neg", "@pytest.mark.skip\ndef test_neg")},
            [("test-skipped", NEGATIVE)],
        ),
        (
            {
                "shop.py": BROKEN,
                "tests/test_shop.py": TESTS.replace("def test_neg", "@pytest.mark.xfail\ndef test_neg"),
            },
            [("test-xfailed", NEGATIVE)],
        ),
        (
            {"tests/test_shop.py": "import pytest\npytest.skip('later', allow_module_level=True)\n" + TESTS},
            [("test-skipped", NEGATIVE), ("test-skipped", PRICE)],
        ),
        ({"shop.py": "import nowhere\n"}, [("test-uncollected", "tests/test_shop.py")]),
        ({"tests/test_new.py": "import nowhere\n"}, [("test-uncollected", "tests/test_new.py")]),
        ({"conftest.py": "raise RuntimeError('broken')\n"}, [("tests-not-run", "")]),
        ({"pytest.ini": "[pytest]\naddopts = --no-such-option\n"}, [("tests-not-run", "")]),
        (
            {
                "tests/test_shop.py": "import os\n"
                + TESTS.replace("    with pytest", "    os._exit(3)\n    with pytest")
            },
            [("test-missing", NEGATIVE), ("test-assertion-removed", f"{NEGATIVE}::raises::")],
        ),
    ],
    ids=[
        *("renamed", "deleted", "skipped", "xfailed", "module skipped", "import error"),
        *("another file's import error", "conftest", "option", "crash"),
    ],
)
def test_every_way_to_lose_a_test_is_told_apart(
    tmp_path: Path, files: dict[str, str | None], expected: list[tuple[str, str]]
) -> None:
    result = judge_change(project(tmp_path), files)
    assert result.status is LayerStatus.FAIL
    assert found(result) == expected


def test_a_renamed_test_file_keeps_its_tests(tmp_path: Path) -> None:
    files = {"tests/test_shop.py": None, "tests/test_prices.py": TESTS}
    assert found(judge_change(project(tmp_path), files)) == []


def test_removing_a_test_that_failed_before_is_no_loss(tmp_path: Path) -> None:
    repo = project(tmp_path, {**PROJECT, "tests/test_bad.py": "def test_bad():\n    assert 0\n"})
    assert judge_change(repo, {"tests/test_bad.py": None}).status is LayerStatus.PASS


def test_flaky_tests_are_named_and_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hangs on a variable that changes between the two runs of the baseline; the first is remembered."""
    flaky = "import os\n\n\ndef test_flaky():\n    assert os.environ['ROUND'] == '1'\n"
    repo = project(tmp_path, {**PROJECT, "tests/test_flaky.py": flaky})
    monkeypatch.setenv("ROUND", "1")
    judge_change(repo, {"notes.txt": "x\n"}, cache=tmp_path / "cache")
    monkeypatch.setenv("ROUND", "2")
    result = judge_change(repo, {"shop.py": BROKEN}, replace(ONCE, baseline_runs=2), cache=tmp_path / "cache")
    assert found(result) == [("test-failed", NEGATIVE), ("tests-flaky", "")]
    assert "tests/test_flaky.py::test_flaky" in result.violations[1].what
    assert result.violations[1].effect is Effect.WARNS
    assert dict(result.facts)["flaky"] == 1


CALLS = """\
import socket


def test_calls_home():
    socket.getaddrinfo("service.example.invalid", 443)
"""


def test_tests_that_need_the_network_are_named_with_what_to_do(tmp_path: Path) -> None:
    repo = project(tmp_path, {**PROJECT, "tests/test_net.py": CALLS})
    result = judge_change(repo, {"notes.txt": "x\n"})
    if dict(result.facts)["confinement"] == "none":
        pytest.skip("nothing on this machine can hold a command in")
    (violation,) = result.violations
    assert (violation.code, violation.effect) == ("tests-without-network", Effect.WARNS)
    assert "tests/test_net.py::test_calls_home" in violation.what
    assert "sandbox.network" in violation.keep
    assert result.status is LayerStatus.PASS


def test_what_the_user_has_lying_around_is_not_tested(tmp_path: Path) -> None:
    repo = project(tmp_path)
    commit(repo, {"shop.py": BROKEN}, "Lose the check")
    write(repo, {"shop.py": str(PROJECT["shop.py"]), "tests/test_shop.py": TESTS.replace("raises", "nonsense")})
    write(repo, {"conftest.py": "raise RuntimeError('untracked')\n"})
    before = snapshot(repo)
    assert found(judge_commit(repo)) == [("test-failed", NEGATIVE)]
    assert snapshot(repo) == before


@pytest.mark.parametrize("kind", [IsolationKind.OVERLAY, IsolationKind.BUBBLEWRAP, IsolationKind.WORKTREE])
def test_an_editable_install_does_not_lead_to_the_user_s_code(tmp_path: Path, kind: IsolationKind) -> None:
    """The trap: the project's own environment imports the project from the user's folder, whatever is judged."""
    repo = make_repo(
        tmp_path / "editable",
        {
            "src/shop/__init__.py": PROJECT["shop.py"],
            "tests/test_shop.py": TESTS,
            ".gitignore": "__pycache__/\n.venv/\n",
        },
    )
    write(repo, {".venv/pyvenv.cfg": f"home = {Path(sys.executable).parent}\n"})
    site = repo / f".venv/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    write(repo, {f"{site.relative_to(repo)}/__editable__.shop.pth": f"{repo / 'src'}\n"})
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    write(repo, {f"{site.relative_to(repo)}/packages.pth": f"{packages}\n"})
    (repo / ".venv/bin").mkdir()
    (repo / ".venv/bin/python").symlink_to(sys.executable)
    commit(repo, {"src/shop/__init__.py": BROKEN}, "Lose the check")
    write(repo, {"src/shop/__init__.py": str(PROJECT["shop.py"])})
    settings = replace(ONCE, command=".venv/bin/python -m pytest -q")
    try:
        result = judge_commit(repo, settings, kind=kind)
    except UndecidedError as error:
        if kind is IsolationKind.WORKTREE:
            raise
        pytest.skip(f"not available on this machine: {error}")
    assert result.status is LayerStatus.FAIL, result
    warned = [("tests-isolation", "")] if kind is IsolationKind.WORKTREE else []
    assert found(result) == [("test-failed", NEGATIVE), *warned]


def test_temporary_files_inside_the_project_are_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = project(tmp_path, {**PROJECT, ".gitignore": "__pycache__/\ntmp/\n"})
    write(repo, {"tmp/mine": "mine\n"})
    monkeypatch.setattr(tempfile, "tempdir", str(repo / "tmp"))
    monkeypatch.setenv("TMPDIR", str(repo / "tmp"))
    assert found(judge_change(repo, {"shop.py": BROKEN})) == [("test-failed", NEGATIVE)]
    assert [path.name for path in (repo / "tmp").iterdir()] == ["mine"]


def test_workers_of_xdist_report_like_one_process(tmp_path: Path) -> None:
    result = judge_change(
        project(tmp_path), {"shop.py": BROKEN}, replace(ONCE, command=f"{ONCE.command} -p xdist -n 2")
    )
    assert found(result) == [("test-failed", NEGATIVE)]
    assert dict(result.facts)["passed before"] == 2


def test_a_candidate_that_hangs_is_undecided_and_the_limit_is_named(tmp_path: Path) -> None:
    hanging = "import time\n\n\ndef price(n):\n    while n < 0:\n        time.sleep(1)\n    return n * 2\n"
    result = judge_change(project(tmp_path), {"shop.py": hanging}, replace(ONCE, timeout=10))
    assert result.status is LayerStatus.UNDECIDED
    assert found(result) == [("tests-timed-out", "")]
    assert "10 seconds (tests.timeout)" in result.violations[0].what


def test_a_test_that_failed_before_the_time_ran_out_still_rejects(tmp_path: Path) -> None:
    hanging = "import time\n\n\ndef price(n):\n    while n < 0:\n        time.sleep(1)\n    return n * 3\n"
    result = judge_change(project(tmp_path), {"shop.py": hanging}, replace(ONCE, timeout=10))
    assert result.status is LayerStatus.FAIL
    assert found(result) == [("test-failed", PRICE), ("tests-timed-out", "")]


def test_a_baseline_that_hangs_is_undecided(tmp_path: Path) -> None:
    result = judge_change(project(tmp_path), {"shop.py": BROKEN}, TestsSettings(command="sleep 60", timeout=0.5))
    assert (result.status, found(result)) == (LayerStatus.UNDECIDED, [("tests-timed-out", "")])
    assert "before the change" in result.violations[0].what


def test_a_command_that_does_not_exist_is_foreseen(tmp_path: Path) -> None:
    with pytest.raises(ProgramNotFoundError, match="no-such-runner"):
        judge_change(project(tmp_path), {"shop.py": BROKEN}, TestsSettings(command="no-such-runner -q"))


def test_without_a_passing_test_on_either_side_nothing_is_known(tmp_path: Path) -> None:
    result = judge_change(
        project(tmp_path), {"shop.py": BROKEN}, replace(ONCE, command="sh -c 'echo no runner; exit 1'")
    )
    assert (result.status, found(result)) == (LayerStatus.UNDECIDED, [("tests-no-baseline", "")])
    assert "no runner" in result.violations[0].what


def test_repairing_a_project_whose_tests_all_failed_passes_with_a_warning(tmp_path: Path) -> None:
    repo = project(tmp_path, {**PROJECT, "shop.py": "import nowhere\n"})
    result = judge_change(repo, {"shop.py": str(PROJECT["shop.py"])})
    assert (result.status, found(result)) == (LayerStatus.PASS, [("tests-no-baseline", "")])


@pytest.mark.parametrize("required", [False, True])
def test_without_a_command_the_layer_says_that_it_did_not_look(tmp_path: Path, required: bool) -> None:
    result = judge_change(project(tmp_path), {"shop.py": BROKEN}, TestsSettings(required=required))
    if required:
        assert (result.status, found(result)) == (LayerStatus.UNDECIDED, [("tests-required", "")])
    else:
        assert (result.status, result.reason) == (LayerStatus.SKIPPED, "no test command is configured")


@pytest.mark.parametrize("required", [False, True])
def test_a_project_without_tests_yet_has_none_to_lose(tmp_path: Path, required: bool) -> None:
    repo = project(tmp_path, {"shop.py": BROKEN})
    result = judge_change(repo, {"tests/test_shop.py": TESTS}, replace(ONCE, required=required))
    expected = LayerStatus.UNDECIDED if required else LayerStatus.SKIPPED
    assert result.status is expected


def test_without_whole_trees_the_layer_is_skipped() -> None:
    change = Change.of([FileChange(None, FileVersion("a.py", b""))])
    context = JudgeContext(policy=Policy(root=Settings(tests=ONCE)))
    result = TestsLayer().judge(change, context)
    assert result.status is LayerStatus.SKIPPED
    assert "whole trees" in result.reason


def test_each_folder_runs_its_own_command_in_its_own_place(tmp_path: Path) -> None:
    files = {f"{name}/{path}": content for name in ("one", "two") for path, content in PROJECT.items()}
    repo = project(tmp_path, files)
    commit(repo, {"one/shop.py": BROKEN, "one/inner/x.py": "x\n"}, "Lose a check in one")
    settings = Settings(tests=ONCE)
    never = Settings(tests=TestsSettings(command="no-such-runner"))
    folders = {"one": settings, "one/inner": settings, "two": never}
    policy = Policy(root=never, folders=folders, commands={"one": "one", "one/inner": "one"})
    result = judge_commit(repo, policy=policy)
    assert found(result) == [("test-failed", NEGATIVE)]
    assert result.violations[0].after is not None
    assert result.violations[0].after.path == "one/tests/test_shop.py"


def test_a_long_list_of_losses_is_cut_and_says_so(tmp_path: Path) -> None:
    many = "import pytest, shop\n\n\n@pytest.mark.parametrize('n', range(60))\ndef test_n(n):\n"
    many += "    assert shop.price(n) == n * 2\n"
    repo = project(tmp_path, {**PROJECT, "tests/test_many.py": many})
    result = judge_change(repo, {"shop.py": "def price(n):\n    return n * 2 + 1\n"})
    assert len(result.violations) == LISTED + 1
    assert result.violations[-1].code == "tests-more"
    assert result.violations[-1].what.startswith("12 more tests")


def test_an_exit_code_is_one_test(tmp_path: Path) -> None:
    repo = project(tmp_path)
    command = f"{sys.executable} -c 'import shop; shop.price(-1)' 2>/dev/null && exit 1 || exit 0"
    result = judge_change(repo, {"shop.py": BROKEN}, TestsSettings(command=command, reader=TestReader.EXIT_CODE))
    assert found(result) == [("test-failed", command)]


def test_junit_files_are_read_and_old_ones_are_not(tmp_path: Path) -> None:
    """The report of an earlier run lies in the user's folder, ignored, and says that all is well."""
    repo = project(tmp_path, {**PROJECT, ".gitignore": "__pycache__/\njunit.xml\n"})
    write(repo, {"junit.xml": "<testsuite><testcase classname='tests.test_shop' name='test_negative'/></testsuite>"})
    command = f"{sys.executable} -P -S run.py"
    runner = (
        "import sys\nsys.path.insert(0, '.')\nimport shop\n"
        "def case(name, ok):\n    inner = '' if ok else '<failure message=\"lost\">the end</failure>'\n"
        '    return f\'<testcase classname="c" name="{name}">{inner}</testcase>\'\n'
        "try:\n    shop.price(-1)\n    refused = False\nexcept ValueError:\n    refused = True\n"
        "if len(sys.argv) == 1:\n    open('junit.xml', 'w').write("
        "'<testsuite>' + case('price', shop.price(2) == 4) + case('negative', refused) + '</testsuite>')\n"
    )
    commit(repo, {"run.py": runner}, "Add a runner")
    result = judge_change(repo, {"shop.py": BROKEN}, TestsSettings(command=command, baseline_runs=1))
    assert found(result) == [("test-failed", "c::negative")]
    assert "the end" in result.violations[0].because
    silent = judge_change(repo, {"run.py": "pass\n"}, TestsSettings(command=command, baseline_runs=1))
    assert found(silent) == [("tests-not-run", "")]


RIGGED_RUNS: dict[str, dict[str, str]] = {
    "a hook rewrites the report": {
        "conftest.py": "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True, tryfirst=True)\n"
        "def pytest_runtest_makereport(item, call):\n    out = yield\n    report = out.get_result()\n"
        "    report.outcome = 'passed'\n    report.longrepr = None\n"
    },
    "a hook under a name made up at run time": {
        "conftest.py": "def _pass(pyfuncitem):\n    return True\n\n\nglobals()['pytest_' + 'pyfunc_call'] = _pass\n"
    },
    "lines of its own in the record": {
        "conftest.py": "import glob, os\nfor name in glob.glob('/proc/self/fd/*'):\n    try:\n"
        "        target = os.readlink(name)\n    except OSError:\n        continue\n    if target.endswith('.jsonl'):\n"
        "        os.write(int(name.rpartition('/')[2]), b'{\"event\": \"test\"}\\n')\n"
    },
    "the record is emptied": {
        "conftest.py": "import glob, os\nfor name in glob.glob('/proc/self/fd/*'):\n    try:\n"
        "        target = os.readlink(name)\n    except OSError:\n        continue\n    if target.endswith('.jsonl'):\n"
        "        os.truncate(target, 0)\n"
    },
    "an assertion is replaced": {
        "conftest.py": "import unittest\ndoor = vars(unittest)['Test' + 'Case']\n"
        "type.__setattr__(door, 'assert' + 'Equal', print)\n"
    },
}  # fmt: skip


@pytest.mark.parametrize("way", RIGGED_RUNS)
def test_outcomes_cannot_be_rewritten_unseen(tmp_path: Path, way: str) -> None:
    """Only what the run itself shows counts here, not what the text of the change gives away."""
    codes = {
        violation.code
        for violation in judge_change(project(tmp_path), {"shop.py": BROKEN, **RIGGED_RUNS[way]}).violations
        if "cannot be relied on" in violation.what or violation.code in ("test-failed", "test-missing", "tests-not-run")
    }
    assert codes & {"test-outcome-changed", "test-failed", "test-missing", "tests-not-run"}


def test_hooks_that_were_there_before_are_the_projects_own_business(tmp_path: Path) -> None:
    hook = "def pytest_sessionfinish(session):\n    print(session)\n"
    repo = project(tmp_path, {**PROJECT, "conftest.py": hook})
    assert judge_change(repo, {"shop.py": str(PROJECT["shop.py"]).replace("n * 2", "n + n")}).violations == ()


def test_a_renamed_test_is_the_same_test(tmp_path: Path) -> None:
    renamed = TESTS.replace("test_negative", "test_prices_below_zero_are_refused")
    assert judge_change(project(tmp_path), {"tests/test_shop.py": renamed}).violations == ()
    failing = judge_change(project(tmp_path / "again"), {"tests/test_shop.py": renamed, "shop.py": BROKEN})
    assert found(failing) == [("test-failed", NEGATIVE)]
