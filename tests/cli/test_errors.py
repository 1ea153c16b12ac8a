"""The one error context: sentences, codes, and the report of a fault."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold_cli.cli.errors import guarded
from scaffold_cli.model.errors import BudgetSpentError, InternalFaultError, UndecidedError, UsageError
from tests.support.repos import make_repo


def raising(error: BaseException) -> Callable[[], int]:
    def work() -> int:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (UsageError("Wrong call."), 2, "error: Wrong call.\n"),
        (UsageError("Wrong call.", "Do this."), 2, "error: Wrong call.\nhint:  Do this.\n"),
        (UndecidedError("Cannot tell."), 3, "error: Cannot tell.\n"),
        (BudgetSpentError("No time left."), 5, "error: No time left.\n"),
        (KeyboardInterrupt(), 130, "Interrupted.\n"),
        (MemoryError(), 3, "error: There is not enough memory to judge this change.\nhint:  Nothing was accepted.\n"),
        (RecursionError(), 3, "error: The code is nested too deeply to be judged.\nhint:  Nothing was accepted.\n"),
        (
            OSError(errno.ENOSPC, "No space left on device", "/x/y"),
            3,
            "error: The disk is full at /x/y.\nhint:  Nothing was accepted.\n",
        ),
        (UsageError("Evil \x1b[31m name\nnext"), 2, "error: Evil \\x1b[31m name\\x0anext\n"),
    ],
)
def test_each_error_has_its_words_and_code(
    error: BaseException, code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert guarded(raising(error), ["check", "x"]) == code
    captured = capsys.readouterr()
    assert captured.err.startswith(sentence)
    assert captured.out == ""


@pytest.mark.parametrize("error", [ZeroDivisionError("secret"), InternalFaultError("A promise broke."), OSError("odd")])
def test_a_fault_is_written_down_and_named(error: Exception, capsys: pytest.CaptureFixture[str], git_env: Path) -> None:
    assert guarded(raising(error), ["check", "--staged"]) == 4
    told = capsys.readouterr().err
    assert "Traceback" not in told
    found = re.search(r"report it with (\S+)", told)
    assert found is not None
    path = Path(found[1])
    assert path.is_relative_to(git_env)
    report = path.read_text()
    assert "Traceback" in report
    assert "scaffold: " in report
    assert "command: scaffold 'check' '--staged'" in report
    assert os.environ["PATH"] not in report


def test_without_a_folder_to_write_a_fault_is_still_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(blocked / "below"))
    assert guarded(raising(ZeroDivisionError()), []) == 4
    assert capsys.readouterr().err == "error: scaffold has a fault; nothing was accepted.\n"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_real_run_with_130(number: signal.Signals, tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom scaffold_cli.cli.errors import guarded\n"
        "def work():\n    print('ready', flush=True)\n    time.sleep(60)\n    return 0\n"
        "sys.exit(guarded(work, []))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, "Interrupted.\n")


def test_a_full_disk_is_told_in_words(tmp_path: Path) -> None:
    """The real thing: a device that is always full takes the verdict."""
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    code = (
        "import sys\nfrom scaffold_cli.cli.errors import guarded\n"
        "def work():\n    with open('/dev/full', 'w') as full:\n        full.write('x')\n    return 0\n"
        "sys.exit(guarded(work, []))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stderr.startswith("error: The disk is full.")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_the_caller_closed_changes_no_exit_code(tmp_path: Path, closed: str) -> None:
    make_repo(tmp_path / "repo", {"a.py": "x = 1\n"})
    (tmp_path / "repo/a.py").write_text("x = 2\n")
    line = f'exec "$@" {closed}'
    for words, code in ((("check", "--layers", "budget"), 0), (("check", "--layers", "none"), 2)):
        program = [sys.executable, "-m", "scaffold_cli", *words]
        done = subprocess.run(
            ["sh", "-c", line, "sh", *program], cwd=tmp_path / "repo", capture_output=True, check=False
        )
        assert done.returncode == code, done
