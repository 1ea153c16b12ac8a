"""Reports 13 to 15: what agents do to code and tests on their way to green.

A test that asserts the opposite under its old name (13), dropped assertions, lowered coverage limits and
`continue-on-error` (14) where no check goes with them belong to test integrity, a later part of the tests layer.
Here the check itself is lost (13), and tests are skipped, expected to fail, deleted or no longer collected (14).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.program import scaffold
from tests.situations.support import LOOK, check
from tests.support.repos import Content, commit, git, make_repo

TESTS = f'[tests]\ncommand = "{sys.executable} -m pytest -q -p no:cacheprovider"\nbaseline-runs = 1\n'
SERVICE = """\
import hmac

SECRET = "s3cret"


def handle(token):
    if not hmac.compare_digest(token, SECRET):
        return 403
    return 200
"""
TEST = """\
from service import handle


def test_accepts_good_token():
    assert handle("s3cret") == 200


def test_rejects_bad_token():
    assert handle("guess") == 403
"""
UNCHECKED = SERVICE.replace("    if not hmac.compare_digest(token, SECRET):\n        return 403\n", "")
RAISING = SERVICE.replace("return 403", "raise PermissionError(token)")
EXTRACTED = """\
import hmac

SECRET = "s3cret"


def require(token):
    if not hmac.compare_digest(token, SECRET):
        raise PermissionError(token)


def handle(token):
    require(token)
    return 200
"""
RAISES = """\
import pytest

from service import handle


def test_rejects_bad_token():
    with pytest.raises(PermissionError):
        handle("guess")
"""


@pytest.fixture
def service(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"service.py": SERVICE, "test_service.py": TEST, "scaffold.toml": TESTS})


def test_13_a_check_that_goes_with_the_test_that_covered_it_is_missed(service: Path) -> None:
    """openai/codex#24922: 403 before and 200 after under the same name, so the tests are green and prove nothing."""
    turned = TEST.replace('handle("guess") == 403', 'handle("guess") == 200')
    commit(service, {"service.py": UNCHECKED, "test_service.py": turned})
    judged = check(service, "--base", "HEAD~1")
    assert judged.code == 1
    assert {path for _, path in judged.blocking} == {"service.py"}
    assert "guard-lost" in {code for code, _ in judged.blocking}
    (layer,) = (layer for layer in judged.document["layers"] if layer["layer"] == "tests")
    assert layer["status"] == "pass"  # they ran, and are not the reason


def test_13_the_extraction_that_was_asked_for_is_accepted(tmp_path: Path) -> None:
    files = {"service.py": RAISING, "test_service.py": RAISES, "scaffold.toml": TESTS}
    repo = make_repo(tmp_path / "repo", files)
    commit(repo, {"service.py": EXTRACTED})
    assert check(repo, "--base", "HEAD~1").code == 0
    commit(repo, {"service.py": EXTRACTED.replace("    require(token)\n", "")})
    judged = check(repo, "--base", "HEAD~1")
    assert judged.code == 1
    assert ("test-failed", "test_service.py") in judged.blocking
    assert "service.py" in {path for _, path in judged.blocking}


def test_13_tests_that_nobody_ran_are_never_reported_as_passed(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"service.py": SERVICE, "test_service.py": TEST})
    commit(repo, {"service.py": SERVICE + "\n\nLIMIT = 1\n"})
    judged = check(repo, "--base", "HEAD~1", *LOOK[:1], "tests,budget")
    (layer,) = (layer for layer in judged.document["layers"] if layer["layer"] == "tests")
    assert (layer["status"], layer["reason"]) == ("skipped", "no test command is configured")
    shown = scaffold("check", "--base", "HEAD~1", *LOOK[:1], "tests,budget", cwd=repo)
    assert "no test command is configured" in shown.out


REJECTS = "def test_rejects_bad_token"
MARKED = "import pytest\n\n" + TEST.replace(REJECTS, "@pytest.mark.{}\n" + REJECTS)
WAYS_TO_GREEN: dict[str, tuple[dict[str, Content | None], str]] = {
    "skip marker": ({"test_service.py": MARKED.format("skip")}, "test-skipped"),
    "expected failure": ({"service.py": UNCHECKED, "test_service.py": MARKED.format("xfail")}, "test-xfailed"),
    "deleted test": ({"test_service.py": TEST[: TEST.index(REJECTS)]}, "test-missing"),
    "deleted file": ({"test_service.py": None}, "tests-not-run"),
    "ignored by a conftest": ({"conftest.py": 'collect_ignore = ["test_service.py"]\n'}, "tests-not-run"),
    "deselected by settings": ({"pytest.ini": "[pytest]\naddopts = -k good\n"}, "test-missing"),
}


@pytest.mark.parametrize("way", WAYS_TO_GREEN)
def test_14_a_test_that_no_longer_guards_is_grounds_to_stop(service: Path, way: str) -> None:
    """Alex1990/tiny-oss#75."""
    edits, code = WAYS_TO_GREEN[way]
    commit(service, edits)
    judged = check(service, "--base", "HEAD~1", "--layers", "tests")
    assert judged.code == 1
    assert code in {found for found, _ in judged.blocking}


def test_14_more_tests_and_renamed_files_are_welcome(service: Path) -> None:
    more = TEST + "\n\ndef test_rejects_the_empty_token():\n    assert handle('') == 403\n"
    commit(service, {"test_service.py": None, "test_tokens.py": more})
    assert check(service, "--base", "HEAD~1", "--layers", "tests").code == 0


STORE = """\
import os


class Store:
    def load(self, user, name):
        if user is None:
            raise PermissionError(name)
        if os.sep in name:
            raise ValueError(name)
        return open(os.path.join("notes", name)).read()
"""
RENAMED = STORE.replace("class Store", "class NoteStore")
CAREFUL_USE = "from store import Store\n\n\ndef show(user, name):\n    return Store().load(user, name)\n"
RENAMED_USE = CAREFUL_USE.replace("Store", "NoteStore")
LOSES_PERMISSION = RENAMED.replace("load", "read").replace(
    "        if user is None:\n            raise PermissionError(name)\n", ""
)
REPAIR = LOSES_PERMISSION.replace("        if os.sep in name:\n            raise ValueError(name)\n", "")


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    """Three commits: a plain rename, one that loses the permission check, and a "repair" without the error path."""
    repo = make_repo(tmp_path / "repo", {"store.py": STORE, "use.py": CAREFUL_USE})
    commit(repo, {"store.py": RENAMED, "use.py": RENAMED_USE})
    commit(repo, {"store.py": LOSES_PERMISSION, "use.py": RENAMED_USE.replace("load", "read")})
    commit(repo, {"store.py": REPAIR})
    return repo


@pytest.mark.parametrize(
    ("base", "head", "code", "lost"),
    [
        ("HEAD~3", "HEAD~2", 0, ()),
        ("HEAD~2", "HEAD~1", 1, ("user is None",)),
        ("HEAD~1", "HEAD", 1, ("os.sep",)),
        ("HEAD~3", "HEAD", 1, ("user is None", "os.sep")),
    ],
    ids=["rename", "loses a check", "deletes the error path", "as one range"],
)
def test_15_a_refactoring_loop_is_stopped_step_by_step_and_as_a_whole(
    loop: Path, base: str, head: str, code: int, lost: tuple[str, ...]
) -> None:
    """microsoft/vscode#253535."""
    judged = check(loop, "--base", base, "--head", head, *LOOK)
    assert judged.code == code
    assert ("guard-lost", "store.py") in judged.blocking or not lost
    guards = [
        item
        for layer in judged.document["layers"]
        for item in layer["violations"]
        if item["code"] == "guard-lost" and item["effect"] == "blocks"
    ]
    assert {item["before"]["path"] for item in guards} == ({"store.py"} if lost else set())
    assert [sum(words in item["before"]["text"] for item in guards) for words in lost] == [1] * len(lost)


def test_15_a_chain_keeps_the_rename_and_throws_the_rest_away(loop: Path, tmp_path: Path) -> None:
    patches = tmp_path / "patches"
    patches.mkdir()
    for number, (old, new) in enumerate([("HEAD~3", "HEAD~2"), ("HEAD~2", "HEAD~1"), ("HEAD~2", "HEAD")], start=1):
        (patches / f"{number}.patch").write_text(git(loop, "diff", old, new) + "\n")
    git(loop, "checkout", "-q", "-b", "again", "HEAD~3")
    call = ("run", "store.py", "use.py", "--goal", "rename the interface", "--with", f"patches:{patches}")
    ended = scaffold(*call, "--layers", "budget,anchors", cwd=loop)
    assert ended.code == 1
    told = [words for words in ("step 1.1  accepted", "step 2.1  rejected", "step 2.2  rejected") if words in ended.out]
    assert len(told) == 3, ended.out
    assert (loop / "store.py").read_text() == RENAMED
    assert git(loop, "rev-list", "--count", "main~3..HEAD") == "1"
    assert git(loop, "status", "--porcelain") == ""
